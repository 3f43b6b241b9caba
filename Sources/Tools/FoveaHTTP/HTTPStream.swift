// Fovea - answers over HTTP that go on until somebody ends them.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// The bytes of an answer that goes on. Who adds bytes never waits.
package final class HTTPStream: Sendable {
  private struct State {
    /// What is to be sent; arrays are shared by all streams that send them.
    var pending: [[UInt8]] = []
    /// Bytes of the first that were sent.
    var sent = 0
    var hasEnded = false
    var isBroken = false
    /// Lets the connection go on, which waits for bytes; `nil` where it does not.
    var wake: (@Sendable () -> Void)?
  }

  private let state = Locked(State())
  /// Called when all bytes have been taken, on the thread of the server.
  private let onIdle: @Sendable () -> Void

  /// A stream that begins with some bytes.
  package init(_ beginning: [UInt8] = [], onIdle: @escaping @Sendable () -> Void = {}) {
    self.onIdle = onIdle
    if !beginning.isEmpty { state.withLock { $0.pending = [beginning] } }
  }

  /// Whether all bytes have been taken.
  package var isIdle: Bool { state.withLock { $0.pending.isEmpty } }

  /// Whether nobody reads it any more.
  package var isOver: Bool { state.withLock { $0.isBroken } }

  /// Adds bytes.
  package func send(_ chunks: [[UInt8]]) {
    let wake = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.hasEnded, !state.isBroken else { return nil }
      state.pending += chunks.filter { !$0.isEmpty }
      return state.pending.isEmpty ? nil : state.wake.take()
    }
    wake?()
  }

  /// Ends the answer behind the bytes that were added.
  package func end() {
    let wake = state.withLock { state -> (@Sendable () -> Void)? in
      state.hasEnded = true
      return state.wake.take()
    }
    wake?()
  }

  // MARK: The side of the server

  /// What comes next.
  enum Step {
    /// So many bytes were written.
    case wrote(Int)
    case waits, ended
  }

  /// Writes the next bytes to `room`. Where there are none, the connection waits until what `suspend`
  /// gives is called.
  func read(
    into room: UnsafeMutableRawBufferPointer, suspend: () -> @Sendable () -> Void
  ) -> Step {
    let (step, isIdle) = state.withLock { state -> (Step, Bool) in
      guard let first = state.pending.first else {
        if state.hasEnded { return (.ended, false) }
        state.wake = suspend()
        return (.waits, false)
      }
      let count = min(room.count, first.count - state.sent)
      first.withUnsafeBytes { bytes in
        room.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[state.sent..<state.sent + count]))
      }
      state.sent += count
      if state.sent == first.count {
        state.pending.removeFirst()
        state.sent = 0
      }
      return (.wrote(count), state.pending.isEmpty)
    }
    if isIdle { onIdle() }
    return step
  }

  /// Nobody reads any more.
  func cutOff() {
    state.withLock { state in
      (state.isBroken, state.pending, state.wake) = (true, [], nil)
    }
    onIdle()
  }
}
