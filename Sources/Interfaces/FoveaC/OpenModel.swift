// Fovea - a model that a C program has opened.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaRuntime

/// A model that a C program has opened.
final class OpenModel: @unchecked Sendable {  // because the handle table guards its engine
  let model: Model
  /// What messages call it: its path, or the name of bytes.
  let reference: String
  let description: ModelDescription
  private var engine: ModelEngine
  private var fork: Int

  init(_ model: Model, called reference: String, options: ModelOpening) throws(CallFailure) {
    self.model = model
    self.reference = reference
    let pool: ThreadPool
    do throws(FoveaError) {
      pool = try ThreadPool(threadCount: options.threadCount)
    } catch {
      throw CallFailure(error)
    }
    description = ModelDescription(
      model, isCut: options.model.lastStage != nil, threadCount: pool.threadCount)
    engine = ModelEngine(model, pool: pool)
    fork = HandleTable.shared.currentFork
  }

  /// What runs the model. In a child of a fork it is another one, without threads and locks of the
  /// parent. For the handle table, under its lock.
  func engine(inFork current: Int) -> ModelEngine {
    if fork != current {
      fork = current
      engine = ModelEngine(model, pool: nil)
    }
    return engine
  }
}
