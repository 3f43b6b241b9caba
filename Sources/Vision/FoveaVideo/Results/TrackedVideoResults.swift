// Fovea - what is found in the pictures of a source, with identifiers.
// SPDX-License-Identifier: Apache-2.0
public import FoveaTracking

/// What was found in one picture, and which objects these are.
public struct TrackedVideoResult: Sendable {
  /// What was found, before tracking.
  public let result: VideoResult
  /// The objects of the picture, in the order of their identifiers.
  public let tracks: [VideoTrack]
}

/// What a detector finds in the pictures of a source, with identifiers that objects keep from
/// picture to picture. See `VideoResults.tracked(by:cameraMoves:)`.
public struct TrackedVideoResults: AsyncSequence, Sendable {
  /// The result of one picture.
  public typealias Element = TrackedVideoResult
  /// Why no more results come.
  public typealias Failure = VideoResultError

  fileprivate let results: VideoResults
  fileprivate let options: TrackingOptions
  fileprivate let cameraMoves: Bool

  /// Opens the source, and begins without objects. Every iterator does so anew.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      results: results.makeAsyncIterator(),
      tracking: VideoTracking(options: options, cameraMoves: cameraMoves))
  }

  /// Gives the results to one task.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var results: VideoResults.AsyncIterator
    fileprivate var tracking: VideoTracking

    /// The next result; `nil` at the end of the source, and for a task that is cancelled.
    ///
    /// - Throws: `VideoResultError` where the source or the detector fails; then `nil` follows.
    public mutating func next() async throws(VideoResultError) -> TrackedVideoResult? {
      try await next(isolation: nil)
    }

    /// The next result; `nil` at the end of the source, and for a task that is cancelled.
    ///
    /// - Throws: `VideoResultError` where the source or the detector fails; then `nil` follows.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(VideoResultError) -> TrackedVideoResult? {
      guard let result = try await results.next(isolation: actor) else { return nil }
      tracking.update(result)
      return TrackedVideoResult(result: result, tracks: tracking.tracks)
    }
  }
}

extension VideoResults {
  /// The same results with identifiers that objects keep from picture to picture.
  ///
  ///     for try await picture in request.results(in: camera).tracked() {
  ///       for object in picture.tracks { print(object.identifier, object.label) }
  ///     }
  ///
  /// Weak detections continue tracks. A request without a least confidence of its own therefore
  /// finds all that reach `TrackingOptions.lowScore`.
  ///
  /// - Parameters:
  ///   - options: How objects are tracked.
  ///   - cameraMoves: Whether the motion of the camera is estimated from the pictures and taken out
  ///     of that of the objects. A picture of 1080p then costs some milliseconds more.
  /// - Complexity: O(n m) for a picture with m detections and n objects that are remembered.
  public func tracked(
    by options: TrackingOptions = TrackingOptions(), cameraMoves: Bool = false
  ) -> TrackedVideoResults {
    TrackedVideoResults(
      results: withLeastConfidence(Float(options.lowScore)), options: options,
      cameraMoves: cameraMoves)
  }
}
