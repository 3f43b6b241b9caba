// Fovea - when reading has to end.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Ends reads that block: at a deadline, or when another thread cancels.
package final class ReadingGuard: Sendable {
  private struct State {
    var deadline = UInt64.max
    var isCancelled = false
  }

  private let state = Locked(State())

  /// Creates a guard that ends nothing.
  package init() {}

  /// Ends all reads from now on.
  package func cancel() { state.withLock { $0.isCancelled = true } }

  /// Whether it was cancelled.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Allows so many seconds from now.
  func allow(seconds: Double) {
    let now = MonotonicClock.nanoseconds()
    let limit = now &+ UInt64(max(0, min(seconds, 1e9)) * 1e9)
    state.withLock { $0.deadline = limit }
  }

  /// Whether reading has to end.
  var mustEnd: Bool {
    let now = MonotonicClock.nanoseconds()
    return state.withLock { $0.isCancelled || now >= $0.deadline }
  }

  /// Milliseconds that are left, at most `most`; 0 where reading has to end.
  func millisecondsLeft(most: Int32) -> Int32 {
    let now = MonotonicClock.nanoseconds()
    return state.withLock { state in
      if state.isCancelled || now >= state.deadline { return 0 }
      return Int32(min(UInt64(most), (state.deadline - now) / 1_000_000 + 1))
    }
  }
}
