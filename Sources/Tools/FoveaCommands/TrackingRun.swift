// Fovea - a file of detections, followed frame by frame.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaGeometry
internal import FoveaTracking

/// A sequence of detections that is followed frame by frame.
struct TrackingRun {
  var options: TrackingOptions
  /// Frames a second.
  var frameRate: Double
  /// How the picture moves to each frame; frames count from 1.
  var motions: [Int: AffineMap] = [:]
  /// Counts the objects, if there is something to count at.
  var counter: ObjectCounter?
  /// What was counted.
  private(set) var events: [CountingDocument.Event] = []

  init(options: TrackingOptions, frameRate: Double) {
    self.options = options
    self.frameRate = frameRate
  }

  /// The tracks in MOTChallenge's text.
  ///
  /// - Parameter frameCount: The number of frames; `nil` for the last that has a detection.
  mutating func follow(_ file: MOTChallengeFile, frameCount: Int?) -> String {
    let frames = file.frames
    var tracker = ObjectTracker(options: options)
    var detections: [TrackingDetection] = []
    var text = ""
    var next = 0
    var frame = 1
    let last = max(frameCount ?? 0, file.lastFrame)
    while frame <= last {
      detections.removeAll(keepingCapacity: true)
      if next < frames.count, frames[next][0].frame == frame {
        for box in frames[next] { detections.append(TrackingDetection(box)) }
        next += 1
      }
      tracker.update(
        detections, seconds: Double(frame - 1) / frameRate, motion: motions[frame])
      append(tracker.objects, frame: frame, to: &text)
      count(tracker.objects, frame: frame)
      frame += 1
      // Where nobody is remembered, frames without detections change nothing. The counter remembers
      // up to a frame longer.
      if tracker.isEmpty {
        let following = next < frames.count ? max(frame, frames[next][0].frame) : last + 1
        if frame < following, frame <= last { count([], frame: frame) }
        frame = following
      }
    }
    return text
  }

  private mutating func count(_ objects: [TrackedObject], frame: Int) {
    counter?.update(objects, seconds: Double(frame - 1) / frameRate)
    guard let counter else { return }
    for event in counter.events {
      events.append(CountingDocument.Event(event, of: counter, frame: frame))
    }
  }

  private func append(_ objects: [TrackedObject], frame: Int, to text: inout String) {
    for object in objects.sorted(by: { $0.identifier < $1.identifier }) {
      let box = object.box
      let numbers = [box.left, box.top, box.width, box.height]
        .map { NumberText.fixed($0, digits: 2) }.joined(separator: ",")
      let score = object.isPredicted ? "0" : NumberText.fixed(object.score, digits: 4)
      text += "\(frame),\(object.identifier),\(numbers),\(score),-1,-1,-1\n"
    }
  }
}

extension TrackingDetection {
  fileprivate init(_ box: TrackedBox) {
    self.init(
      box: TrackingBox(
        left: box.box.x, top: box.box.y, width: box.box.width, height: box.box.height),
      score: box.score)
  }
}
