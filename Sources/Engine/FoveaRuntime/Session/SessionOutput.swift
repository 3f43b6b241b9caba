// Fovea - reading what a model wrote.
// SPDX-License-Identifier: Apache-2.0
public import FoveaCore

extension Session {
  /// Lends an output of the last run, row-major, without a copy.
  ///
  /// - Throws: `invalidArgument` for an unknown name, or what `body` throws. A body that fails
  ///   otherwise can give back a `Swift.Result`.
  public func withOutput<Result>(
    _ name: String, _ body: (Span<Float>) throws(FoveaError) -> Result
  ) throws(FoveaError) -> Result {
    _ = try outputPort(name)
    let floats = try outputBytes(name).bindMemory(to: Float.self)
    return try body(Span(_unsafeElements: floats))
  }

  /// A copy of an output of the last run, of the port's shape.
  ///
  /// - Throws: `invalidArgument` for an unknown name.
  public func output(_ name: String) throws(FoveaError) -> Tensor {
    let port = try outputPort(name)
    let floats = Array(try outputBytes(name).bindMemory(to: Float.self))
    return try Tensor(shape: port.shape, floats: floats)
  }
}
