// Fovea - a video that a C program looks through.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.Detect
internal import FoveaLibc
internal import FoveaTracking
internal import FoveaVideo
internal import FoveaVision

/// A video that a C program looks through.
final class OpenVideo: Sendable {
  /// Seconds that a program may wait in one call: a day.
  static let longestWait = 86_400.0

  private let analysis: VideoAnalysis
  /// `nil` inside where objects are not tracked. The lock keeps pictures in their order.
  private let tracking: Locked<VideoTracking?>
  /// Holds the names of the labels.
  private let description: LentModelInfo
  private let fork = HandleTable.shared.currentFork

  /// Opens a source, and waits until it is open.
  init(
    _ source: VideoSource, _ request: DetectObjectsRequest, _ options: VideoOpening,
    _ description: LentModelInfo
  ) throws(CallFailure) {
    self.description = description
    var request = request
    var tracking: VideoTracking?
    if options.tracks {
      let usual = TrackingOptions()
      // Weak detections continue tracks.
      request.minimumConfidence = request.minimumConfidence ?? Float(usual.lowScore)
      tracking = VideoTracking(options: usual, cameraMoves: options.cameraMoves)
    }
    self.tracking = Locked(tracking)
    do throws(VideoResultError) {
      analysis = try VideoAnalysis(request, source, options.sequence)
    } catch {
      throw CallFailure(error)
    }
    do throws(VideoError) {
      try analysis.sequence.waitUntilOpen()
    } catch {
      throw CallFailure(error)
    }
  }

  private func requireThisProcess() throws(CallFailure) {
    guard fork == HandleTable.shared.currentFork else {
      throw CallFailure(
        fovea_status_closed, "the video was opened before fork(); open it again in the child")
    }
  }

  /// Waits until `next()` need not wait for a picture, for so many seconds at most.
  ///
  /// - Returns: Whether it need not wait.
  func waitUntilReady(seconds: Double) throws(CallFailure) -> Bool {
    try requireThisProcess()
    return analysis.sequence.waitUntilReady(seconds: seconds)
  }

  /// What is found in the next picture; `nil` at the end.
  func next() throws(CallFailure) -> FoundResult? {
    try requireThisProcess()
    return try tracking.withLock { tracking throws(CallFailure) in
      do throws(VideoResultError) {
        guard let result = try analysis.next() else { return nil }
        tracking?.update(result)
        return FoundResult(result, tracking, description)
      } catch {
        throw CallFailure(error)
      }
    }
  }

  /// Ends the source, and everybody who waits for a picture of it.
  func close() {
    guard fork == HandleTable.shared.currentFork else {
      // A thread that this process does not have may hold the locks: the video is left as it is.
      _ = Unmanaged.passRetained(self)
      return
    }
    analysis.sequence.cancel()
  }
}
