// Fovea - the pictures of a source, decoded ahead on a thread of their own.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// The pictures of a source, decoded ahead on a thread of their own.
///
/// A detector that is slower than a live source sees its newest picture each time; what it misses is
/// counted. Of a file it sees every picture, and the decoder waits. The last reference that goes
/// ends the thread.
///
///     let sequence = try VideoSequence(VideoSource(named: "rtsp://camera/stream"))
///     while let (frame, counts) = try sequence.next() { ... }
package final class VideoSequence: Sendable {
  /// Where the pictures come from.
  package let source: VideoSource
  private let options: SequenceOptions
  private let exchange: FrameExchange

  /// Starts to open the source; errors of opening are thrown by `next()`.
  ///
  /// - Throws: `.outOfMemory` where the system gives no thread.
  package init(
    _ source: VideoSource, _ options: SequenceOptions = SequenceOptions()
  ) throws(VideoError) {
    self.source = source
    var options = options
    // To cancel one sequence ends no other.
    options.video.reading = ReadingGuard()
    self.options = options
    let isLive = source.isLive || options.isPaced
    let exchange = FrameExchange(options.keeping ?? (isLive ? .latest : .all))
    self.exchange = exchange
    // The thread holds no reference to the sequence.
    let isStarted = startThread(stackBytes: 1 << 21) { [options] in
      var decoding = SequenceDecoding(source, options, exchange)
      decoding.run()
    }
    guard isStarted else { throw VideoError(.outOfMemory, source: source.name) }
  }

  deinit { cancel() }

  /// Waits until the source is open. Not needed before `next()`.
  ///
  /// - Throws: `VideoError` where the source cannot be opened; `next()` gives no picture then.
  package func waitUntilOpen() throws(VideoError) { try exchange.waitUntilOpen() }

  /// Waits until `next()` need not wait, for so many seconds at most.
  ///
  /// - Returns: Whether it need not wait.
  package func waitUntilReady(seconds: Double) -> Bool { exchange.waitUntilReady(seconds: seconds) }

  /// The next picture, and what became of all pictures up to it. Waits for it; `nil` at the end and
  /// after `cancel()`.
  ///
  /// - Throws: `VideoError` where the source cannot be opened, or gave nothing for too long.
  package func next() throws(VideoError) -> (frame: VideoFrame, counts: SequenceCounts)? {
    try exchange.take()
  }

  /// `next()` for a task, without keeping its thread. One task at a time.
  package func take() async throws(VideoError) -> (frame: VideoFrame, counts: SequenceCounts)? {
    try await exchange.takeAsync()
  }

  /// Ends the source and everybody who waits for a picture of it.
  package func cancel() {
    options.video.reading.cancel()
    exchange.cancel()
  }

  /// Says that the result of a picture is there, and whether it came before the deadline.
  @discardableResult
  package func finish(_ frame: VideoFrame) -> Bool {
    guard let deadline = options.deadline else { return true }
    let age = Double(MonotonicClock.nanoseconds() - frame.arrival) / 1e9
    if age > deadline { exchange.countLate() }
    return age <= deadline
  }

  /// What the source says about its pictures; empty until it is open.
  package var description: VideoDescription { exchange.description ?? VideoDescription() }

  /// What became of all pictures so far.
  package var counts: SequenceCounts { exchange.counts }

  /// Why the source ended before its end; `nil` where it did not.
  package var ending: String? { exchange.ending }
}

extension VideoSequence: AsyncSequence {
  /// A picture, and what became of all pictures up to it.
  package typealias Element = (frame: VideoFrame, counts: SequenceCounts)

  /// Gives the pictures to one task, which keeps no thread while it waits.
  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let sequence: VideoSequence

    /// The next picture; `nil` at the end, and for a task that is cancelled.
    ///
    /// - Throws: As `VideoSequence.next()`.
    package mutating func next() async throws -> Element? {
      try await next(isolation: nil)
    }

    /// The next picture; `nil` at the end, and for a task that is cancelled.
    package mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(VideoError) -> Element? {
      let sequence = sequence
      let result: Result<Element?, VideoError> = await withTaskCancellationHandler {
        do throws(VideoError) {
          return .success(try await sequence.take())
        } catch {
          return .failure(error)
        }
      } onCancel: {
        sequence.cancel()
      }
      return try result.get()
    }
  }

  /// An iterator. All take from the same pictures.
  package func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }
}
