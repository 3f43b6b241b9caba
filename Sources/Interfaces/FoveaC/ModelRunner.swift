// Fovea - running a model on the arrays of a C program.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaRuntime
internal import FoveaVision

/// A model for inputs of certain shapes, with the sessions that run it.
final class ModelRunner: Sendable {
  let model: Model
  private let sessions: SessionCache

  init(_ model: Model, pool: ThreadPool) throws(FoveaError) {
    self.model = model
    sessions = try SessionCache(model: model, pool: pool)
  }

  /// Runs the model once, and lends its outputs to `body`.
  func run(
    _ inputs: InputArrays, _ body: (borrowing RunOutputs) throws(CallFailure) -> Void
  ) throws(CallFailure) {
    let found: Result<Result<Void, CallFailure>, DetectionError>
    do throws(DetectionError) {
      try model.checkSuppression()
      let outcome = try sessions.withSession { session, _ throws(DetectionError) in
        Result { () throws(CallFailure) in
          try inputs.write(to: session)
          session.run()
          try body(RunOutputs(session, numbers: inputs.numbers))
        }
      }
      found = .success(outcome)
    } catch {
      found = .failure(error)
    }
    switch found {
    case .success(let outcome): try outcome.get()
    case .failure(let error): throw CallFailure(error)
    }
  }
}

/// What the last run of a session put out.
struct RunOutputs: ~Copyable {
  private let session: Session
  /// Those of a model with a suppression stage, which reads what the network wrote.
  private let suppressed: [String: Tensor]?

  init(_ session: Session, numbers: [String: Double]) throws(CallFailure) {
    self.session = session
    guard session.model.suppression != nil else {
      suppressed = nil
      return
    }
    do throws(DetectionError) {
      suppressed = try session.model.outputs(of: session, numbers: numbers)
    } catch {
      throw CallFailure(error)
    }
  }

  /// Lends an output: its shape, and its elements in row-major order.
  func withOutput(
    _ name: String, _ body: ([Int], Span<Float>) throws(CallFailure) -> Void
  ) throws(CallFailure) {
    if let suppressed {
      guard let tensor = suppressed[name] else { throw Self.unknown(name, suppressed.keys) }
      try tensor.withFloats { floats throws(CallFailure) in try body(tensor.shape, floats) }
      return
    }
    guard let port = session.model.outputs.first(where: { $0.name == name }) else {
      throw Self.unknown(name, session.model.outputs.map(\.name))
    }
    let outcome: Result<Void, CallFailure>
    do throws(FoveaError) {
      outcome = try session.withOutput(name) { floats in
        Result { () throws(CallFailure) in try body(port.shape, floats) }
      }
    } catch {
      throw CallFailure(error)
    }
    try outcome.get()
  }

  private static func unknown(
    _ name: String, _ names: some Collection<String>
  ) -> CallFailure {
    let list = names.sorted().map { "'\($0)'" }.joined(separator: ", ")
    return .invalid("there is no output '\(name)'; the model's outputs are \(list)")
  }
}
