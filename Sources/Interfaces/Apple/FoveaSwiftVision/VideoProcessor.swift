// Fovea - requests on the frames of a film.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaAppleVision
internal import FoveaCapture
internal import FoveaLibc

/// Performs requests on the frames of a film, one after another, as fast as they are done.
///
/// Results are those of the upright frames. Each has the time of its frame.
public final class VideoProcessor: Sendable {
  /// Which frames are looked at.
  public enum Cadence: Hashable, Sendable {
    /// The first frame in each stretch of this duration.
    case timeInterval(CMTime)
    /// Every frame whose number, counted from 0, is a multiple of this one.
    case frameInterval(Int)
  }

  private struct State {
    var entries: [Entry] = []
    var nextIdentifier = 0
    var isRunning = false
    var isCancelled = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let url: URL
  private let state = Locked(State())

  public init(_ videoURL: URL) { url = videoURL }

  /// Adds a request.
  ///
  /// - Parameter cadence: Which frames it is performed on; `nil` for all of them.
  /// - Returns: What it finds in each frame. The sequence ends with the film, or with the first error.
  public func addRequest<T: VisionRequest>(
    _ request: T, cadence: Cadence? = nil
  ) async throws -> some AsyncSequence<T.Result, any Error> {
    AsyncThrowingStream { continuation in
      let entry = Entry(
        request: request, pace: Pace(cadence),
        perform: { picture in
          do throws(VisionError) {
            continuation.yield(try request.result(in: picture))
            return true
          } catch {
            continuation.finish(throwing: error)
            return false
          }
        },
        finish: { continuation.finish(throwing: $0) })
      let identifier = state.withLock { state in
        state.nextIdentifier += 1
        state.entries.append(entry)
        state.entries[state.entries.count - 1].identifier = state.nextIdentifier
        return state.nextIdentifier
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { $0.entries.removeAll { $0.identifier == identifier } }
      }
    }
  }

  /// Stops performing a request; its sequence ends.
  ///
  /// - Returns: Whether it was there.
  public func removeRequest(_ request: any VisionRequest) async -> Bool {
    let removed = state.withLock { state in
      let removed = state.entries.filter { AnyHashable($0.request) == AnyHashable(request) }
      state.entries.removeAll { AnyHashable($0.request) == AnyHashable(request) }
      return removed
    }
    for entry in removed { entry.finish(nil) }
    return !removed.isEmpty
  }

  /// Begins with the first frame, or that of a stretch. It returns at once.
  public func startAnalysis(of timeRange: CMTimeRange? = nil) {
    let begins = state.withLock { state in
      guard !state.isRunning else { return false }
      (state.isRunning, state.isCancelled) = (true, false)
      return true
    }
    guard begins else { return }
    DispatchQueue(label: "VideoProcessor").async { self.run(timeRange) }
  }

  /// Ends the analysis, and waits until it has: sequences end with `VisionError.requestCancelled`.
  public func cancel() async {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { state in
        guard state.isRunning else { return false }
        state.isCancelled = true
        state.waiting.append(continuation)
        return true
      }
      if !waits { continuation.resume() }
    }
  }

  // MARK: Frames

  private func run(_ timeRange: CMTimeRange?) {
    var problem: VisionError?
    do throws(VisionError) {
      try performAll(timeRange)
    } catch {
      problem = error
    }
    let (entries, waiting) = state.withLock { state in
      defer {
        (state.entries, state.waiting) = ([], [])
        state.isRunning = false
      }
      return (state.entries, state.waiting)
    }
    for entry in entries { entry.finish(problem) }
    for continuation in waiting { continuation.resume() }
  }

  private func performAll(_ timeRange: CMTimeRange?) throws(VisionError) {
    let film = try Film(url, timeRange)
    var number = 0
    while let frame = film.next() {
      let due = try state.withLock { state throws(VisionError) in
        if state.isCancelled { throw .requestCancelled("the analysis was cancelled") }
        let time = frame.presentationTimeStamp.seconds
        return state.entries.indices.filter { state.entries[$0].pace.takes(number, at: time) }
          .map { state.entries[$0] }
      }
      number += 1
      guard !due.isEmpty else { continue }
      let picture = Result { () throws(VisionFailure) in
        try VisionImage(frame, film.orientation.imageOrientation)
      }
      for entry in due where !entry.perform(picture) {
        state.withLock { $0.entries.removeAll { $0.identifier == entry.identifier } }
      }
    }
    if let error = film.error { throw VisionError.ioError(error.localizedDescription) }
  }
}

/// A request with its sequence.
private struct Entry: Sendable {
  var identifier = 0
  let request: any VisionRequest
  var pace: Pace
  /// Finds something in a frame; `false` where that failed, which ends the sequence.
  let perform: @Sendable (Result<VisionImage, VisionFailure>) -> Bool
  let finish: @Sendable (VisionError?) -> Void
}

/// Which frames a request takes.
private struct Pace: Sendable {
  private let cadence: VideoProcessor.Cadence?
  /// The stretch of the last frame that was taken.
  private var stretch: Int?

  init(_ cadence: VideoProcessor.Cadence?) { self.cadence = cadence }

  mutating func takes(_ number: Int, at time: Double) -> Bool {
    switch cadence {
    case .frameInterval(let step): return step <= 1 || number % step == 0
    case .timeInterval(let interval) where interval.isNumeric && interval > .zero:
      // A millionth of a stretch is what rounding of times may cost.
      let place = Int((time / interval.seconds + 1e-6).rounded(.down))
      defer { stretch = place }
      return place != stretch
    default: return true
    }
  }
}

/// The frames of a film with their times.
private final class Film {
  let orientation: CGImagePropertyOrientation
  private let reader: AVAssetReader
  private let output: AVAssetReaderTrackOutput

  init(_ url: URL, _ timeRange: CMTimeRange?) throws(VisionError) {
    let asset = AVURLAsset(url: url)
    do {
      reader = try AVAssetReader(asset: asset)
    } catch {
      throw .ioError(error.localizedDescription)
    }
    guard let track = asset.tracks(withMediaType: .video).first else {
      throw .ioError("\(url.path) has no moving pictures")
    }
    orientation = track.orientation
    output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    reader.add(output)
    if let timeRange { reader.timeRange = timeRange }
    guard reader.startReading() else {
      throw .ioError(reader.error?.localizedDescription ?? "\(url.path) cannot be read")
    }
  }

  /// The next frame; `nil` at the end, and after an error.
  func next() -> CMSampleBuffer? { output.copyNextSampleBuffer() }

  var error: (any Error)? { reader.error }
}
