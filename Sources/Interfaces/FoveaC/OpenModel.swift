// Fovea - a model that a C program has opened.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaRuntime

/// A model that a C program has opened.
final class OpenModel: @unchecked Sendable {  // because the handle table guards its engine
  let model: Model
  /// What messages call it: its path, or the name of bytes.
  let reference: String
  let description: LentModelInfo
  private var engine: RequestEngine
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
    description = LentModelInfo(
      model, isCut: options.model.lastStage != nil, threadCount: pool.threadCount)
    engine = RequestEngine(model, pool: pool)
    fork = HandleTable.shared.currentFork
  }

  /// What runs the model. In a child of a fork it is another one, without threads and locks of the
  /// parent. For the handle table, under its lock.
  func engine(inFork current: Int) -> RequestEngine {
    if fork != current {
      fork = current
      engine = RequestEngine(model, pool: nil)
    }
    return engine
  }
}
