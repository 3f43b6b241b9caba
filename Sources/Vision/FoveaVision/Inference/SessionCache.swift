// Fovea - sessions of one model, lent to one task at a time.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc
package import FoveaRuntime

/// Sessions of one model, lent to one task at a time and kept for the next.
///
/// There are as many as were ever lent at the same moment.
package final class SessionCache: Sendable {
  private let model: Model
  private let pool: ThreadPool
  private let idle = Locked<[IdleSession]>([])

  /// A session that nobody uses.
  private struct IdleSession: @unchecked Sendable {  // because it has one owner: array or borrower
    let session: Session
    let memory = PostprocessingMemory()
  }

  /// Makes the first session, so that a lack of memory shows here and not at the first image.
  package init(model: Model, pool: ThreadPool?) throws(FoveaError) {
    self.model = model
    if let pool { self.pool = pool } else { self.pool = try ThreadPool() }
    let first = IdleSession(session: try Session(model: model, pool: self.pool))
    idle.withLock { $0.append(first) }
  }

  /// Lends a session, and the memory for what comes behind it, for the time of `body`.
  ///
  /// - Throws: `.runtime` when a further session is needed and cannot be made; what `body` throws.
  package func withSession<Result>(
    _ body: (Session, PostprocessingMemory) throws(DetectionError) -> Result
  ) throws(DetectionError) -> Result {
    let lent = try borrow()
    defer { idle.withLock { $0.append(lent) } }
    return try body(lent.session, lent.memory)
  }

  private func borrow() throws(DetectionError) -> IdleSession {
    if let session = idle.withLock({ $0.popLast() }) { return session }
    do throws(FoveaError) {
      return IdleSession(session: try Session(model: model, pool: pool))
    } catch {
      throw .runtime(error)
    }
  }
}
