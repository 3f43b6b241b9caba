// Fovea - a detector that looks at the pictures of a source.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaLibc
package import FoveaMedia
package import FoveaVision

/// A detector that looks at the pictures of a source, which another thread decodes.
package final class VideoAnalysis: Sendable {
  private let request: DetectObjectsRequest
  private let options: SequenceOptions
  /// The pictures.
  package let sequence: VideoSequence
  private let choice: Locked<InputSizeChoice>

  /// Starts to open the source; errors of opening are thrown by `next()`.
  ///
  /// - Throws: `.source(.outOfMemory)` where the system gives no thread.
  package init(
    _ request: DetectObjectsRequest, _ source: VideoSource, _ options: SequenceOptions
  ) throws(VideoResultError) {
    self.request = request
    self.options = options
    choice = Locked(InputSizeChoice(deadline: options.deadline))
    do throws(VideoError) {
      sequence = try VideoSequence(source, options)
    } catch {
      throw .source(error)
    }
  }

  /// Waits for a picture and looks at it; `nil` at the end.
  package func next() throws(VideoResultError) -> VideoResult? {
    let taken: (frame: VideoFrame, counts: SequenceCounts)?
    do throws(VideoError) {
      taken = try sequence.next()
    } catch {
      throw .source(error)
    }
    guard let taken else { return nil }
    return try result(of: taken.frame, taken.counts)
  }

  /// The same for a task, without keeping its thread.
  package func nextAsync() async throws(VideoResultError) -> VideoResult? {
    let taken: (frame: VideoFrame, counts: SequenceCounts)?
    do throws(VideoError) {
      taken = try await sequence.take()
    } catch {
      throw .source(error)
    }
    guard let taken else { return nil }
    do throws(VideoResultError) {
      return try await InferenceThreads.shared.run { () throws(VideoResultError) in
        try result(of: taken.frame, taken.counts)
      }
    } catch {
      // A task that is cancelled has no next result.
      if case .detection(.cancelled) = error { return nil }
      throw error
    }
  }

  private func result(
    of frame: VideoFrame, _ counts: SequenceCounts
  ) throws(VideoResultError) -> VideoResult {
    let start = MonotonicClock.nanoseconds()
    let found: DetectObjectsResult
    do throws(DetectionError) {
      found = try look(at: frame)
    } catch {
      throw .detection(error)
    }
    let end = MonotonicClock.nanoseconds()
    let latency = Double(end - frame.arrival) / 1e9
    choice.withLock { $0.note(latency: latency, work: Double(end - start) / 1e9) }
    let isLate = !sequence.finish(frame)
    var counts = counts
    if isLate { counts.late += 1 }
    return VideoResult(
      observations: found.observations,
      imageSize: (options.orientation ?? frame.orientation).uprightSize(of: frame.size),
      inputSize: found.geometry.modelSize, index: frame.index, time: frame.time,
      isTimeEstimated: frame.isTimeEstimated, statedTime: frame.statedTime,
      arrival: frame.arrival, age: Double(start - frame.arrival) / 1e9, latency: latency,
      isLate: isLate, isDamaged: frame.isDamaged, counts: counts, picture: frame,
      planesOrientation: planesOrientation(of: frame), geometry: found.geometry,
      timings: found.timings)
  }

  private func look(at frame: VideoFrame) throws(DetectionError) -> DetectObjectsResult {
    // A woven picture shows what moves twice; a field of it does not.
    let topField = options.splitsFields ? frame.interlacing.map { $0 == .topFirst } : nil
    return try frame.withPlanes { planes throws(DetectionError) in
      let view = PlanesView(
        orientation: planesOrientation(of: frame),
        topField: topField.map { frame.isBottomUp ? !$0 : $0 }, pixelAspect: frame.pixelAspect)
      let wanted = request.inputSize(forPlanes: planes, view)
      let size = choice.withLock { choice in
        choice.size(wanted: wanted) { request.inputSizes(below: wanted) }
      }
      return try request.result(onPlanes: planes, view, inputSize: size)
    }
  }

  /// How what a frame lends must be turned to stand upright.
  private func planesOrientation(of frame: VideoFrame) -> ImageOrientation {
    guard let orientation = options.orientation else { return frame.planesOrientation }
    return frame.isBottomUp ? orientation.afterFlippingRows : orientation
  }
}
