// Fovea - tests of fovea watch --follow.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct WatchFollowTests {
  private static func clip(_ name: String) -> String { SharedData.url("video/\(name)").path }

  /// Boxes and confidences of the lines that following writes.
  private func follow(
    _ clip: String, _ box: [Double], _ options: [String] = []
  ) throws -> [(box: [Double], confidence: Double)] {
    let text = box.map { "\($0)" }.joined(separator: ",")
    let run = try CommandRun.fovea(
      ["watch", Self.clip(clip), "--follow", text, "--jsonl", "-"] + options)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    return try run.output.split(separator: "\n").enumerated().map { index, line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let row = try #require(object as? [String: Any])
      #expect(Set(row.keys) == ["frame", "time", "bbox", "confidence"])
      #expect(row["frame"] as? Int == index)
      return (try #require(row["bbox"] as? [Double]), row["confidence"] as? Double ?? -1)
    }
  }

  private func overlap(_ a: [Double], _ b: [Double]) -> Double {
    let width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    let height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    let both = max(0, width) * max(0, height)
    return both / (a[2] * a[3] + b[2] * b[3] - both)
  }

  /// The area under the success curve, without the first picture.
  private func success(_ found: [[Double]], _ truth: [[Double]]) -> Double {
    let overlaps = zip(found, truth).dropFirst().map { overlap($0, $1) }
    let above = (0...20).map { step in overlaps.count { $0 > Double(step) * 0.05 } }
    return Double(above.reduce(0, +)) / Double(21 * overlaps.count)
  }

  @Test(arguments: ["fast", "accurate"]) func renderedSequences(level: String) throws {
    for name in ["translate", "scale"] {
      let document = try SharedData.json("video/sot/\(name).json") as? [String: Any]
      let truth = try #require(document?["boxes"] as? [[Double]])
      let found = try follow("sot/\(name).mp4", truth[0], ["--level", level])
      #expect(found.count == truth.count)
      #expect(zip(found[0].box, truth[0]).allSatisfy { abs($0 - $1) < 0.001 })
      #expect(found[0].confidence == 1)
      #expect(success(found.map(\.box), truth) > 0.8, "\(name)")
      #expect(found.allSatisfy { (0...1).contains($0.confidence) })
    }
  }

  /// Words of 10 bits are narrowed, and planes of colors are followed by green.
  @Test func otherPlanes() throws {
    let box = [130.0, 60, 60, 60]
    let plain = try follow("clips/base.mp4", box).map(\.box)
    #expect(plain.count == 24)
    for name in ["h264-10bit.mp4", "hevc-10bit.mp4", "h264-422.mp4", "rgb-ffv1.mkv"] {
      let other = try follow("clips/\(name)", box).map(\.box)
      let overlaps = zip(plain, other).map { overlap($0, $1) }
      #expect(overlaps.count == other.count, "\(name)")
      #expect(overlaps.allSatisfy { $0 > 0.7 }, "\(name) \(overlaps)")
    }
  }

  /// Every second row of a woven picture shows the same as all rows, as long as both see it.
  @Test func wovenPictures() throws {
    for name in ["interlaced-tff.mp4", "interlaced-bff-mpeg2.ts"] {
      let box = [130.0, 60, 60, 60]
      let split = try follow("clips/\(name)", box)
      let whole = try follow("clips/\(name)", box, ["--both-fields"])
      #expect(split.count == 24 && split.map(\.box) != whole.map(\.box))
      let seen = zip(split, whole).filter { $0.confidence >= 0.3 && $1.confidence >= 0.3 }
      #expect(seen.count >= 8, "\(name)")
      #expect(seen.allSatisfy { overlap($0.box, $1.box) > 0.7 }, "\(name)")
    }
  }

  /// The same stored pictures, said to be turned: the box turns with them.
  @Test func turnedPictures() throws {
    let stored = try follow("clips/orientation-1.mp4", [130, 40, 60, 50])
    let box = [180.0 - 90, 130, 50, 60]
    for (clip, options) in [
      ("clips/orientation-6.mp4", []), ("clips/orientation-1.mp4", ["--orientation", "6"]),
    ] {
      let turned = try follow(clip, box, options)
      #expect(turned.count == stored.count && stored.count == 10)
      for (found, expected) in zip(turned, stored) {
        let (x, y, width, height) = (
          expected.box[0], expected.box[1], expected.box[2], expected.box[3]
        )
        let upright = [180 - y - height, x, height, width]
        #expect(zip(found.box, upright).allSatisfy { abs($0 - $1) < 0.01 })
        #expect(found.confidence == expected.confidence)
      }
    }
  }

  @Test func whatMeansNothingIsRefused() throws {
    let clip = Self.clip("clips/base.mp4")
    for (arguments, words) in [
      (["--follow", "10,10,40,40", "--model", "a.mlmodel"], "--model says nothing to --follow"),
      (["--follow", "10,10,40,40", "--track"], "--track says nothing to --follow"),
      (["--follow", "10,10,40,40", "--confidence", "0.5"], "--confidence says nothing"),
      (["--follow", "10,10,40,40", "--deadline", "9"], "--deadline says nothing to --follow"),
      (["--follow", "10,10,40,40", "--frames-info"], "leave --follow out"),
      (["--follow", "10,10,40"], "expected left, top, width and height in pixels"),
      (["--follow", "10,10,-4,40"], "expected left, top, width and height in pixels"),
      (["--follow", "400,10,40,40"], "cannot be followed in a picture of 320 x 180 pixels"),
      (["--follow", "319,179,40,40"], "cannot be followed in a picture of 320 x 180 pixels"),
      (["--follow", "10,10,1,1"], "cannot be followed in a picture of 320 x 180 pixels"),
      (["--level", "fast"], "--level is for an object that is followed; add --follow"),
      (["--follow", "10,10,40,40", "--level", "good"], "expected one of"),
    ] {
      let run = try CommandRun.fovea(["watch"] + arguments + [clip])
      #expect(run.status == 2 && run.output == "")
      #expect(run.errorLines.first?.contains(words) == true, "\(run.errors)")
    }
  }
}
