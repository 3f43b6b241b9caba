// Fovea - a model that clients send arrays to.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaModelValues
internal import FoveaRuntime
internal import FoveaVision

/// A model as its file describes it, with the sessions that run it.
final class ArrayModel: Sendable {
  private let model: Model
  /// What it takes.
  var inputs: [ModelPort] { model.inputs }
  /// What it gives; a size of -1 is another one each time.
  let outputs: [ModelPort]
  private let sessions: SessionCache

  /// - Throws: `FoveaError` where there is no memory for a session.
  init(_ model: Model) throws(FoveaError) {
    self.model = model
    outputs = Self.outputs(of: model)
    // Requests run side by side, each on the thread that answers it.
    sessions = try SessionCache(model: model, pool: ThreadPool(threadCount: 1))
  }

  /// A suppression stage replaces what it reads by what it writes: the boxes that are left.
  private static func outputs(of model: Model) -> [ModelPort] {
    guard let stage = model.suppression else { return model.outputs }
    let read = [stage.confidenceInputName, stage.coordinatesInputName]
    let declared = model.specification.outputs.map(\.name)
    let classes = model.outputs.first { $0.name == read[0] }?.shape.last ?? -1
    return model.outputs.filter { declared.contains($0.name) && !read.contains($0.name) } + [
      ModelPort(name: stage.confidenceOutputName, type: .float32, shape: [-1, classes]),
      ModelPort(name: stage.coordinatesOutputName, type: .float32, shape: [-1, 4]),
    ]
  }

  /// Runs the model.
  ///
  /// - Throws: A refusal of 400 for arrays that do not fit the inputs, else of 500.
  func run(_ arrays: [String: Tensor]) throws(ServiceRefusal) -> [String: Tensor] {
    do throws(DetectionError) {
      try model.checkNames(arrays: arrays.keys, numbers: [])
      return try sessions.withSession { session, _ throws(DetectionError) in
        do throws(FoveaError) {
          for (name, array) in arrays { try session.setInput(name, to: array) }
        } catch {
          throw .invalidRequest(error.message)
        }
        session.run()
        return try model.outputs(of: session, numbers: [:])
      }
    } catch {
      if case .invalidRequest(let words) = error { throw ServiceRefusal(400, words) }
      throw ServiceRefusal(500, "\(error)")
    }
  }
}
