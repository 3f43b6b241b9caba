// Fovea - what the live view shows, handed over without waiting.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaHTTP
internal import FoveaLibc
internal import FoveaShapes
internal import FoveaVideo

/// The newest result and the newest requests, for the thread that answers them. Who hands them over
/// never waits.
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
    var asked: [HTTPExchange] = []
    var isWoken = false
    var isClosed = false
  }

  private let state = Locked(State())

  func post(_ result: VideoResult, _ line: String, hiding hidden: [HiddenObject]) {
    change { state in
      state.item = Item(
        result: result, line: line, hidden: hidden, number: (state.item?.number ?? 0) + 1)
    }
  }

  /// Hands over a request.
  func ask(_ exchange: HTTPExchange) { change { $0.asked.append(exchange) } }

  /// Says what does not change: colors, lines and zones, as JSON.
  func begin(_ setup: String) { state.withLock { $0.setup = setup } }

  func end() { change { $0.isClosed = true } }

  /// Lets the thread look again.
  func wake() { change { _ in } }

  var item: Item? { state.withLock { $0.item } }
  var setup: String? { state.withLock { $0.setup } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Waits for something to do, so many seconds at most.
  ///
  /// - Returns: The requests that have come.
  func wait(seconds: Double) -> [HTTPExchange] {
    state.wait(seconds: seconds) { state -> [HTTPExchange]? in
      guard state.isWoken || state.isClosed else { return nil }
      state.isWoken = false
      defer { state.asked = [] }
      return state.asked
    } ?? []
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      state.isWoken = true
    }
    state.wakeAll()
  }
}
