// Fovea - work that waits for a thread, up to a limit.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Work that waits for one of a few threads, first come, first served, up to a limit.
///
/// A longer queue answers nobody sooner: each request waits for all in front of it. So what comes
/// beyond the limit is refused at once, and the time of what is answered stays bounded.
package final class WorkQueue: Sendable {
  /// The most pieces of work that wait.
  package let limit: Int
  private let state = Locked(State())

  private struct State {
    var waiting: [@Sendable () -> Void] = []
    /// Place of the first that waits.
    var first = 0
    var running = 0
    var isClosed = false

    var count: Int { waiting.count - first }

    mutating func next() -> (@Sendable () -> Void)? {
      guard first < waiting.count else { return nil }
      let work = waiting[first]
      first += 1
      // The room of what has left is used again, at a cost of one move for each piece.
      if first * 2 >= waiting.count {
        waiting.removeFirst(first)
        first = 0
      }
      return work
    }
  }

  /// As much as the first thread of a process has where stacks are not small.
  private static let stackBytes = 8 << 20

  /// Starts threads.
  ///
  /// - Returns: `nil` where the system gives none.
  package init?(threads: Int, limit: Int) {
    self.limit = limit
    for _ in 0..<threads {
      let isStarted = startThread(stackBytes: Self.stackBytes) { [state] in Self.work(state) }
      guard isStarted else {
        close()
        return nil
      }
    }
  }

  deinit { close() }

  /// Lets the threads end behind what waits.
  package func close() {
    state.withLock { $0.isClosed = true }
    state.wakeAll()
  }

  /// How many pieces wait, and how many are being done.
  package var load: (waiting: Int, running: Int) { state.withLock { ($0.count, $0.running) } }

  /// Adds a piece of work; `false` where the queue is full.
  package func add(_ work: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isClosed, state.count < limit else { return false }
      state.waiting.append(work)
      return true
    }
    if isTaken { state.wakeOne() }
    return isTaken
  }

  private static func work(_ state: Locked<State>) {
    while true {
      let work = state.wait { state -> (@Sendable () -> Void)?? in
        if let work = state.next() {
          state.running += 1
          return work
        }
        return state.isClosed ? .some(nil) : nil
      }
      guard let work else { return }
      work()
      state.withLock { $0.running -= 1 }
    }
  }
}
