// Fovea - fovea train --starters: its arguments, its folder and its report.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite("fovea train --starters")
struct TrainStartersTests {
  @Test("Wrong arguments are named")
  func usage() throws {
    let own = ["train", "--start-from", "m.onnx", "-o", "m.mlmodel"]
    for (arguments, word) in [
      (["--starters", "cards", "--annotations", "a.json"], "--annotations exclude each other"),
      (["pictures", "--starters", "cards"], "--backgrounds names"),
      (["pictures", "--backgrounds", "table"], "--backgrounds is for --starters"),
    ] {
      let run = try CommandRun.fovea(own + arguments)
      #expect(run.status == 2)
      #expect(run.errors.contains(word), "\(run.errors)")
    }
    let missing = try CommandRun.fovea(own + ["--starters", "no-cards"])
    #expect(missing.status == 1)
    #expect(missing.errors.contains("no-cards"), "\(missing.errors)")
  }

  @Test("A run composes, reports what fovea evaluate says, and goes on")
  func run() throws {
    let detector = try SmallDetector()
    let folder = detector.folder
    defer { folder.remove() }
    for (name, color) in [("square", [230, 60, 60]), ("wide", [230, 220, 60])] {
      let pixels = (0..<32 * 32).flatMap { _ in color.map(UInt8.init) }
      _ = try folder.write(
        "cards/\(name).png", UncompressedPNG.encode(width: 32, height: 32, pixels: pixels))
    }
    let model = folder.path("cards.mlmodel")
    let run = try CommandRun.fovea([
      "train", "--starters", folder.path("cards"), "--start-from", detector.path, "-o", model,
      "--steps", "1", "--batch", "4", "--threads", "1", "--size", "64", "--json",
    ])
    try #require(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("2 starters of 2 classes (square, wide)"))
    #expect(run.errors.contains("backgrounds are drawn") && run.errors.contains("--backgrounds"))
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect((document["suspects"] as? [String])?.isEmpty == true)
    let page = try String(contentsOfFile: folder.path("cards-report.html"), encoding: .utf8)
    for word in [
      "60 composed pictures that were not learned from", "What the network sees first",
      "2 starters on drawn backgrounds", "These numbers are of composed pictures.",
    ] {
      #expect(page.contains(word))
    }
    #expect(!page.contains("Labels to look at"))
    let evaluation = try CommandRun.fovea([
      "evaluate", model, "--annotations", try #require(document["validation"] as? String),
      "--images", folder.path("cards-run/composed"), "--json",
    ])
    let measured = try #require(
      JSONSerialization.jsonObject(with: Data(evaluation.output.utf8)) as? [String: Any])
    let metrics = try #require(measured["metrics"] as? [String: Double])
    let score = try #require(document["score"] as? [String: Double])
    #expect(score["averagePrecision50"] == metrics["AP50"])
    #expect(score["averagePrecision"] == metrics["AP"] && (metrics["AP50"] ?? 0) > 0)
    let again = try CommandRun.fovea([
      "train", "--resume", folder.path("cards-run"), "--steps", "2",
    ])
    #expect(again.output.contains("2 steps, AP50 "), "\(again.errors)")
  }
}
