// Fovea - fuzzing: files of tracks, camera motion and sequences; counting at lines and in zones.
// SPDX-License-Identifier: Apache-2.0
import FoveaEvaluation
import FoveaGeometry
import FoveaTracking

enum TrackFuzzing {
  /// What is read can be tracked and measured, within the bounds of each number; or the text is
  /// refused with words. The first byte chooses the file, the second one cuts it in two.
  static func read(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return }
    let rest = Array(bytes.dropFirst(2))
    do throws(EvaluationError) {
      switch bytes[0] % 4 {
      case 0:
        let cut = rest.count * Int(bytes[1]) / 255
        try compare(Array(rest[..<cut]), Array(rest[cut...]))
      case 1:
        let file = try CameraMotionFile(text: rest)
        for map in file.motions.values {
          promise(map.inverse != nil, "a map without an inverse")
        }
        track(frames: [], motions: file.motions)
      case 2:
        try count(rest)
      default:
        let information = try SequenceInformation(text: rest)
        promise(information.frameCount ?? 1 >= 1, "a sequence of no frames")
        promise((information.frameRate ?? 1).isFinite, "an endless frame rate")
      }
    } catch {
      promise(!error.description.isEmpty, "an error without words")
    }
  }

  /// Lines of a text are a line, a zone, and boxes that are counted there.
  private static func count(_ bytes: [UInt8]) throws(EvaluationError) {
    let parts = bytes.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return }
    var options = CountingOptions()
    options.countsReturns = true
    do throws(CountingText.Invalid) {
      let counter = ObjectCounter(
        lines: [
          try CountingText(String(decoding: parts[0], as: UTF8.self)).line(
            ordinal: 1, width: 640, height: 480)
        ],
        zones: [
          try CountingText(String(decoding: parts[1], as: UTF8.self)).zone(
            ordinal: 1, width: 640, height: 480)
        ], options: options)
      count(try? MOTChallengeFile(text: Array(parts[2])).frames, counter)
    } catch {
      promise(!error.description.isEmpty, "an error without words")
    }
  }

  private static func count(_ frames: [[TrackedBox]]?, _ empty: ObjectCounter) {
    var counter = empty
    for boxes in frames ?? [] {
      var found: [Int: TrackedObject] = [:]
      for line in boxes where found[line.identifier] == nil {
        found[line.identifier] = TrackedObject(
          identifier: line.identifier,
          box: TrackingBox(
            left: line.box.x, top: line.box.y, width: line.box.width, height: line.box.height),
          score: line.score, label: line.category ?? 0, detection: 0)
      }
      let objects = found.values.sorted { $0.identifier < $1.identifier }
      counter.update(objects, seconds: Double(boxes[0].frame) / 25)
      let zone = counter.zoneTallies[0].total
      let balance = zone.entered + zone.appeared - zone.left - zone.vanished
      promise(zone.present == balance && balance >= 0, "\(zone) is no balance")
      let line = counter.lineTallies[0].total
      promise(line.toLeft >= 0 && line.toRight >= 0, "\(line) is below zero")
      for event in counter.events where event.isOfLine {
        promise(event.point.x.isFinite && event.point.y.isFinite, "a crossing nowhere")
      }
    }
    counter.reset()
    promise(counter.zoneTallies[0].total.present == 0, "somebody is left")
  }

  private static func compare(
    _ results: [UInt8], _ truth: [UInt8]
  ) throws(EvaluationError) {
    let file = try MOTChallengeFile(text: results)
    track(frames: file.frames, motions: [:])
    let metrics = try TrackMetrics(results: file, truth: MOTChallengeFile(text: truth))
    for level in metrics.hota.levels {
      promise((0...1.000001).contains(level.accuracy), "HOTA of \(level.accuracy)")
    }
    promise(metrics.clear.accuracy <= 1, "MOTA of \(metrics.clear.accuracy)")
    promise((0...1).contains(metrics.identity.score), "IDF1 of \(metrics.identity.score)")
  }

  /// Identifiers are different in a frame, and boxes can be compared.
  private static func track(frames: [[TrackedBox]], motions: [Int: AffineMap]) {
    var tracker = ObjectTracker()
    var greatest = 0
    for (index, boxes) in frames.enumerated() {
      let found = boxes.map { line in
        TrackingDetection(
          box: TrackingBox(
            left: line.box.x, top: line.box.y, width: line.box.width, height: line.box.height),
          score: line.score)
      }
      tracker.update(found, seconds: Double(index) / 25, motion: motions[index + 1])
      check(tracker.objects, &greatest)
    }
    for (frame, motion) in motions.sorted(by: { $0.key < $1.key }) {
      let box = TrackingBox(x: 100, y: 100, width: 50, height: 80)
      tracker.update(
        [TrackingDetection(box: box, score: 0.9)], seconds: Double(frame), motion: motion)
      check(tracker.objects, &greatest)
    }
  }

  private static func check(_ objects: [TrackedObject], _ greatest: inout Int) {
    let identifiers = objects.map(\.identifier)
    promise(Set(identifiers).count == identifiers.count, "an identifier twice in a frame")
    promise(identifiers.allSatisfy { $0 >= 1 }, "an identifier below 1")
    for object in objects {
      promise(object.box.width > 0 && object.box.height > 0, "a box without area: \(object.box)")
      promise(object.box.x.isFinite && object.box.y.isFinite, "a box nowhere: \(object.box)")
    }
    greatest = max(greatest, identifiers.max() ?? 0)
  }
}
