// Fovea - what is found in the pictures of a source, one after another.
// SPDX-License-Identifier: Apache-2.0
public import FoveaMedia
public import FoveaVision

/// What a detector finds in the pictures of a source, one after another.
///
/// The source is opened when iteration begins. One thread decodes, another detects. A picture is
/// looked at when its result is asked for, so that a loop that is slow gets the newest picture of a
/// live source each time.
public struct VideoResults: AsyncSequence, Sendable {
  /// The result of one picture.
  public typealias Element = VideoResult
  /// Why no more results come.
  public typealias Failure = VideoResultError

  fileprivate var request: DetectObjectsRequest
  fileprivate let source: VideoSource
  fileprivate let options: SequenceOptions

  /// Opens the source. Every iterator opens it anew.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// The same for a request that finds all that reach `confidence`, unless it says otherwise.
  func withLeastConfidence(_ confidence: Float) -> VideoResults {
    var results = self
    results.request.minimumConfidence = request.minimumConfidence ?? confidence
    return results
  }

  /// Gives the results to one task.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var state: State

    private enum State {
      case running(VideoAnalysis)
      case failed(VideoResultError)
      case ended
    }

    fileprivate init(_ results: VideoResults) {
      do throws(VideoResultError) {
        state = .running(try VideoAnalysis(results.request, results.source, results.options))
      } catch {
        state = .failed(error)
      }
    }

    /// The next result; `nil` at the end of the source, and for a task that is cancelled.
    ///
    /// - Throws: `VideoResultError` where the source or the detector fails; then `nil` follows.
    public mutating func next() async throws(VideoResultError) -> VideoResult? {
      try await next(isolation: nil)
    }

    /// The next result; `nil` at the end of the source, and for a task that is cancelled.
    ///
    /// - Throws: `VideoResultError` where the source or the detector fails; then `nil` follows.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(VideoResultError) -> VideoResult? {
      let analysis: VideoAnalysis
      switch state {
      case .ended: return nil
      case .failed(let error):
        state = .ended
        throw error
      case .running(let running): analysis = running
      }
      let outcome: Result<VideoResult?, VideoResultError> = await withTaskCancellationHandler {
        do throws(VideoResultError) {
          return .success(try await analysis.nextAsync())
        } catch {
          return .failure(error)
        }
      } onCancel: {
        analysis.sequence.cancel()
      }
      do throws(VideoResultError) {
        let result = try outcome.get()
        if result == nil { state = .ended }
        return result
      } catch {
        state = .ended
        throw error
      }
    }
  }
}

extension DetectObjectsRequest {
  /// The objects in the pictures of a video, a camera or a stream.
  ///
  ///     for try await result in request.results(in: try VideoSource(named: "rtsp://camera/live")) {
  ///       print(result.time, result.observations)
  ///     }
  ///
  /// A loop that ends early, and a task that is cancelled, end the source.
  ///
  /// - Parameters:
  ///   - source: Where the pictures come from.
  ///   - options: Which pictures are kept, the deadline, and how often a lost source is opened again.
  public func results(
    in source: VideoSource, options: SequenceOptions = SequenceOptions()
  ) -> VideoResults {
    VideoResults(request: self, source: source, options: options)
  }

  /// Calls `body` with the result of each picture, on the thread of the caller, until it returns
  /// `false` or the source ends.
  ///
  /// - Parameters:
  ///   - source: Where the pictures come from.
  ///   - options: Which pictures are kept, the deadline, and how often a lost source is opened again.
  ///   - body: Returns whether more results are wanted.
  /// - Returns: What became of all pictures.
  /// - Throws: `VideoResultError` where the source or the detector fails.
  @discardableResult
  public func forEachResult(
    in source: VideoSource, options: SequenceOptions = SequenceOptions(),
    _ body: (VideoResult) -> Bool
  ) throws(VideoResultError) -> SequenceCounts {
    let analysis = try VideoAnalysis(self, source, options)
    while let result = try analysis.next(), body(result) {}
    analysis.sequence.cancel()
    return analysis.sequence.counts
  }
}
