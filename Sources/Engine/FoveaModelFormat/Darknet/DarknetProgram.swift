// Fovea - operations of ML Programs written for a Darknet network.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Planes that a layer of a Darknet network gives, [1, channels, rows, columns].
struct DarknetValue {
  /// The name in the program.
  var name: String
  /// Channels.
  var channels: Int
  /// Rows.
  var height: Int
  /// Columns.
  var width: Int

  var shape: [Int] { [1, channels, height, width] }
  /// The value as an argument of an operation.
  var argument: TensorProgram.Argument { .value(name) }
}

/// The operations that were written so far. All shapes are known.
struct DarknetProgram {
  private(set) var operations: [TensorProgram.Operation] = []
  private let limits: ReadingLimits

  init(limits: ReadingLimits) { self.limits = limits }

  /// The operation set that they belong to.
  static let operationSet = "CoreML7"

  /// Writes an operation of one result, and returns its argument.
  @discardableResult
  mutating func write(
    _ kind: String, _ arguments: [String: TensorProgram.Argument], to name: String, _ shape: [Int]
  ) throws(ModelFormatError) -> TensorProgram.Argument {
    try write(kind, arguments.mapValues { [$0] }, to: name, shape)
  }

  /// Writes an operation with lists of arguments.
  @discardableResult
  mutating func write(
    _ kind: String, _ arguments: [String: [TensorProgram.Argument]], to name: String,
    _ shape: [Int]
  ) throws(ModelFormatError) -> TensorProgram.Argument {
    guard limits.elementCount(shape) != nil else {
      throw ModelFormatError(
        .limitExceeded,
        found: "an array of \(shape.map { String($0) }.joined(separator: " x ")) numbers",
        expected: "at most \(limits.elements)", remedy: DarknetSection.remedy)
    }
    operations.append(
      TensorProgram.Operation(
        kind: kind, arguments: arguments, results: [Self.result(name, shape)]))
    return .value(name)
  }

  /// Writes planes.
  mutating func planes(
    _ kind: String, _ arguments: [String: TensorProgram.Argument], to value: DarknetValue
  ) throws(ModelFormatError) -> DarknetValue {
    try write(kind, arguments, to: value.name, value.shape)
    return value
  }

  /// Writes a constant of the file.
  mutating func constant(_ constant: TensorConstant, to name: String) -> TensorProgram.Argument {
    operations.append(.constant(constant, named: name))
    return .value(name)
  }

  private static func result(_ name: String, _ shape: [Int]) -> TensorProgram.Value {
    TensorProgram.Value(
      name: name, type: .tensor(TensorType(element: .float32, shape: shape)))
  }
}
