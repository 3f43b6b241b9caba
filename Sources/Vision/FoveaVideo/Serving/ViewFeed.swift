// Fovea - what the live view shows, handed over without waiting.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc
internal import FoveaShapes

/// The newest result, for the thread that serves it. Who hands it over never waits.
final class ViewFeed: Sendable {
  /// A result, and the line of JSON that says what was found.
  struct Item: Sendable {
    var result: VideoResult
    var line: String
    /// What the picture must not show.
    var hidden: [HiddenObject]
    /// The place among all that were handed over, from 1.
    var number: Int
  }

  private struct State {
    var item: Item?
    var setup: String?
    var isClosed = false
  }

  private let state = Locked(State())
  /// What wakes the thread: a pipe, which is read and written without waiting.
  let wakeDescriptor: Int32
  private let wakeEnd: Int32

  /// - Returns: `nil` where the system gives no pipe.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (wakeDescriptor, wakeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(wakeDescriptor)
    close(wakeEnd)
  }

  func post(_ result: VideoResult, _ line: String, hiding hidden: [HiddenObject]) {
    state.withLock { state in
      state.item = Item(
        result: result, line: line, hidden: hidden, number: (state.item?.number ?? 0) + 1)
    }
    wake()
  }

  /// Says what does not change: colors, lines and zones, as JSON.
  func begin(_ setup: String) { state.withLock { $0.setup = setup } }

  func end() {
    state.withLock { $0.isClosed = true }
    wake()
  }

  var item: Item? { state.withLock { $0.item } }
  var setup: String? { state.withLock { $0.setup } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  private func wake() {
    // A full pipe wakes, too.
    var byte = UInt8(1)
    _ = write(wakeEnd, &byte, 1)
  }

  /// Forgets that it was woken.
  func settle() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(wakeDescriptor, &bytes, bytes.count) > 0 {}
  }
}
