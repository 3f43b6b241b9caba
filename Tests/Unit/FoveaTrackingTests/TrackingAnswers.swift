// Fovea - sequences of the shared data, tracked and measured.
// SPDX-License-Identifier: Apache-2.0
import FoveaEvaluation
import FoveaGeometry
import FoveaTestSupport
import FoveaTracking

/// A sequence of the shared data with the detections of one detector.
struct TestSequence {
  var information: SequenceInformation
  var detections: MOTChallengeFile
  var truth: MOTChallengeFile
  var motions: [Int: AffineMap] = [:]

  init(_ name: String, detector: String) throws {
    let folder = SharedData.url("video/mot/\(name)").path
    information = try SequenceInformation(contentsOf: folder + "/seqinfo.ini")
    detections = try MOTChallengeFile(contentsOf: folder + "/det/\(detector).txt")
    truth = try MOTChallengeFile(contentsOf: folder + "/gt/gt.txt")
    if try SharedData.files(in: "video/mot/\(name)").contains("gmc.txt") {
      motions = try CameraMotionFile(contentsOf: folder + "/gmc.txt").motions
    }
  }

  /// What a tracker makes of it.
  func tracks(_ options: TrackingOptions = TrackingOptions()) -> [TrackedBox] {
    var tracker = ObjectTracker(options: options)
    var frames = [[TrackingDetection]](repeating: [], count: information.frameCount ?? 0)
    for box in detections.boxes {
      frames[box.frame - 1].append(
        TrackingDetection(
          box: TrackingBox(
            left: box.box.x, top: box.box.y, width: box.box.width, height: box.box.height),
          score: box.score))
    }
    var boxes: [TrackedBox] = []
    for (index, found) in frames.enumerated() {
      tracker.update(
        found, seconds: Double(index) / (information.frameRate ?? 30), motion: motions[index + 1])
      for object in tracker.objects {
        boxes.append(
          TrackedBox(
            frame: index + 1, identifier: object.identifier,
            box: PixelBox(
              x: object.box.left, y: object.box.top, width: object.box.width,
              height: object.box.height)))
      }
    }
    return boxes
  }

  /// How good that is.
  func metrics() throws -> TrackMetrics {
    try TrackMetrics(
      results: MOTChallengeFile(tracks()), truth: truth, frameCount: information.frameCount)
  }
}
