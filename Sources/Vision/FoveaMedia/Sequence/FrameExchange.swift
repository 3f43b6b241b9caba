// Fovea - handing pictures from the thread that decodes to the one that looks at them.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Holds the pictures that wait to be taken: one, or a few if all are kept.
///
/// Where only the latest are kept, nobody gets one just before the next is due (`ArrivalPace`).
package final class FrameExchange: Sendable {
  private struct State {
    /// Waiting pictures, the oldest first. Its memory is kept.
    var waiting: [VideoFrame] = []
    var counts = SequenceCounts()
    var isFinished = false
    var failure: VideoError?
    var ending: String?
    var description: VideoDescription?
    var isCancelled = false
    /// Of the latest pictures, where these alone are kept.
    var pace: ArrivalPace?
    /// Who waits for a picture without keeping a thread.
    var awaiting: CheckedContinuation<Void, Never>?

    /// Whether there is neither a picture nor the end.
    var isEmpty: Bool { waiting.isEmpty && !isFinished && !isCancelled }

    /// Whether there is a picture that nothing better is to be expected for, or the end.
    var isReady: Bool { !isEmpty && patience == 0 }

    /// For how many seconds it is worth waiting for a newer picture than that which waits.
    var patience: Double {
      guard let pace, !waiting.isEmpty, !isFinished, !isCancelled else { return 0 }
      return pace.patience(at: MonotonicClock.nanoseconds())
    }
  }

  /// How many pictures wait at most if all are kept. More would only use memory.
  private static let room = 2

  private let keeping: FrameKeeping
  private let state: Locked<State>

  package init(_ keeping: FrameKeeping) {
    self.keeping = keeping
    var state = State()
    state.waiting.reserveCapacity(Self.room + 1)
    if keeping == .latest { state.pace = ArrivalPace() }
    self.state = Locked(state)
  }

  // MARK: The decoding thread

  /// Hands a picture over. If all are kept, waits until there is room.
  ///
  /// - Returns: Whether more pictures are wanted.
  package func put(_ frame: VideoFrame, _ damage: VideoDamage, earlier: VideoDamage) -> Bool {
    let awaiting: (isWanted: Bool, who: CheckedContinuation<Void, Never>?) = state.wait { state in
      if state.isCancelled { return (false, nil) }
      if keeping == .all, state.waiting.count >= Self.room { return nil }
      if keeping == .latest, !state.waiting.isEmpty {
        state.waiting.removeAll(keepingCapacity: true)
        state.counts.dropped += 1
      }
      state.waiting.append(frame)
      state.pace?.note(frame.arrival)
      state.counts.decoded += 1
      state.counts.damaged = damage.damagedPictures + earlier.damagedPictures
      state.counts.lost = damage.lostPictures + earlier.lostPictures
      state.counts.passedErrors = damage.passedErrors + earlier.passedErrors
      return (true, state.awaiting.take())
    }
    wake(awaiting.who)
    return awaiting.isWanted
  }

  /// Says that the source is open, and what it says about itself.
  func begin(_ description: VideoDescription) {
    state.withLock { $0.description = description }
    state.wakeAll()
  }

  /// Says that the source was opened again.
  func countReconnect() { state.withLock { $0.counts.reconnects += 1 } }

  /// Says that no more pictures come.
  package func finish(_ failure: VideoError?, ending: String?, _ damage: VideoDamage) {
    let awaiting = state.withLock { state in
      state.isFinished = true
      state.failure = failure
      state.ending = ending
      state.counts.damaged = damage.damagedPictures
      state.counts.lost = damage.lostPictures
      state.counts.passedErrors = damage.passedErrors
      return state.awaiting.take()
    }
    wake(awaiting)
  }

  // MARK: The other side

  /// Ends both sides.
  func cancel() {
    let awaiting = state.withLock { state in
      state.isCancelled = true
      state.waiting.removeAll()
      return state.awaiting.take()
    }
    wake(awaiting)
  }

  private func wake(_ awaiting: CheckedContinuation<Void, Never>?) {
    state.wakeAll()
    awaiting?.resume()
  }

  var counts: SequenceCounts { state.withLock { $0.counts } }

  /// What the source says about itself; `nil` until it is open.
  var description: VideoDescription? { state.withLock { $0.description } }

  /// Why the source ended before its end.
  var ending: String? { state.withLock { $0.ending } }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func countLate() { state.withLock { $0.counts.late += 1 } }

  /// A picture, or the end.
  private enum Offer {
    case frame(VideoFrame, SequenceCounts)
    case end(VideoError?)
  }

  /// Waits until the source is open, or has failed or ended.
  ///
  /// - Throws: Why it cannot be opened.
  func waitUntilOpen() throws(VideoError) {
    let outcome: Result<Void, VideoError> = state.wait { state in
      if state.description == nil, let failure = state.failure.take() { return .failure(failure) }
      let isOver = state.isFinished || state.isCancelled
      return state.description != nil || isOver ? .success(()) : nil
    }
    try outcome.get()
  }

  /// Waits until `take()` need not wait, for so many seconds at most.
  ///
  /// - Returns: Whether it need not wait.
  package func waitUntilReady(seconds: Double) -> Bool {
    let start = MonotonicClock.seconds()
    let patience = state.wait(seconds: seconds) { $0.isEmpty ? nil : $0.patience }
    guard let patience else { return false }
    return waitForNewer(seconds: min(patience, start + seconds - MonotonicClock.seconds()))
  }

  /// Waits for a picture that is newer than that which waits, where it is worth waiting.
  private func waitForNewer(seconds: Double) -> Bool {
    state.wait(seconds: max(0, seconds)) { $0.isReady ? true : nil } ?? false
  }

  /// What can be taken now; `nil` for nothing yet.
  private static func offer(_ state: inout State) -> Offer? {
    if !state.waiting.isEmpty {
      state.counts.taken += 1
      let frame = state.waiting.removeFirst()
      return .frame(frame, state.counts)
    }
    // The failure is told once.
    return state.isFinished || state.isCancelled ? .end(state.failure.take()) : nil
  }

  /// The next picture with the counts up to it; waits for it. `nil` at the end.
  package func take() throws(VideoError) -> (frame: VideoFrame, counts: SequenceCounts)? {
    let patience = state.wait { $0.isEmpty ? nil : $0.patience }
    if patience > 0 { _ = waitForNewer(seconds: patience) }
    let offer = state.wait(for: Self.offer)
    state.wakeAll()
    return try Self.result(offer)
  }

  /// The same without keeping a thread. One task at a time.
  package func takeAsync() async throws(VideoError) -> (frame: VideoFrame, counts: SequenceCounts)?
  {
    while true {
      let (offer, patience) = state.withLock { state in
        state.isReady ? (Self.offer(&state), 0) : (nil, state.patience)
      }
      if let offer {
        state.wakeAll()
        return try Self.result(offer)
      }
      // Where the next picture does not come in time, the one that waits is taken.
      let alarm =
        patience > 0
        ? Task {
          try await Task.sleep(for: .seconds(patience))
          wake(state.withLock { $0.awaiting.take() })
        } : nil
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if !state.isReady { state.awaiting = continuation }
          return state.isReady
        }
        if isReady { continuation.resume() }
      }
      alarm?.cancel()
    }
  }

  private static func result(
    _ offer: Offer
  ) throws(VideoError) -> (frame: VideoFrame, counts: SequenceCounts)? {
    switch offer {
    case .frame(let frame, let counts): return (frame, counts)
    case .end(let failure?): throw failure
    case .end(nil): return nil
    }
  }
}
