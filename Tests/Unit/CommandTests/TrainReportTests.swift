// Fovea - the report of fovea train: its numbers are those of fovea evaluate.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite("The report of fovea train")
struct TrainReportTests {
  /// A run of the small detector.
  private struct Run {
    let detector: SmallDetector
    let document: [String: Any]
    let errors: String

    init(_ options: [String]) throws {
      detector = try SmallDetector()
      let pictures = try detector.pictures(count: 24)
      let list = "[" + pictures.map(\.annotation).joined(separator: ",\n") + "]"
      let annotations = try detector.folder.write("labels.json", Array(list.utf8))
      let run = try CommandRun.fovea(
        [
          "train", detector.folder.url.path, "--annotations", annotations, "--start-from",
          detector.path, "-o", detector.folder.path("mine.mlmodel"), "--rate", "0.01", "--batch",
          "4", "--threads", "1", "--seed", "7", "--json",
        ] + options)
      try #require(run.status == 0, "\(run.errors)")
      document = try Self.object(run.output)
      errors = run.errors
    }

    static func object(_ text: String) throws -> [String: Any] {
      try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    func path(_ key: String) throws -> String { try #require(document[key] as? String) }

    /// What `fovea evaluate` says of a file.
    func evaluated(_ name: String) throws -> [String: Any] {
      let run = try CommandRun.fovea([
        "evaluate", detector.folder.path(name), "--annotations", try path("validation"),
        "--images", detector.folder.url.path, "--json",
      ])
      try #require(run.status == 0, "\(run.errors)")
      return try Self.object(run.output)
    }
  }

  @Test("Numbers equal those of fovea evaluate, and the page needs nothing else")
  func numbers() throws {
    let run = try Run(["--steps", "200", "--half"])
    defer { run.detector.folder.remove() }
    #expect(
      try #require(run.document["stoppedEarly"] as? Bool)
        == run.errors.contains("stopped early at step"))
    let page = try String(contentsOfFile: run.path("report"), encoding: .utf8)
    #expect(try run.path("report").hasSuffix("/mine-report.html"))
    for foreign in ["<script", "src=", "href=\"http", "url(", "@import"] {
      #expect(!page.contains(foreign))
    }
    for (name, word) in [("mine.mlmodel", "float"), ("mine-half.mlmodel", "half")] {
      let document = try run.evaluated(name)
      let metrics = try #require(document["metrics"] as? [String: Double])
      let cells = ["AP", "AP50", "AP75"].map {
        "<td class=\"number\">\(String(format: "%.4f", metrics[$0] ?? -1))</td>"
      }.joined()
      #expect(page.contains("<td>\(word)</td><td>\(name)</td>" + cells))
      guard word == "float" else { continue }
      // The run has learned something, else the numbers would be equal for a poor reason.
      #expect((metrics["AP50"] ?? 0) > 0.01)
      let score = try #require(run.document["score"] as? [String: Double])
      #expect(score["averagePrecision50"] == metrics["AP50"])
      for category in try #require(document["categories"] as? [[String: Any]]) {
        let name = try #require(category["name"] as? String)
        let objects = try #require(category["objects"] as? Int)
        let precision = try #require(category["metrics"] as? [String: Double])
        let learned = 12 - objects
        #expect(
          page.contains(
            "<td>\(name)</td><td class=\"number\">\(learned)</td><td class=\"number\">\(objects)"
              + "</td><td class=\"number\">\(String(format: "%.4f", precision["AP"] ?? -1))"))
      }
    }
    try suspects(run)
  }

  /// Programs that label pictures open the list of suspicious labels.
  private func suspects(_ run: Run) throws {
    let paths = try #require(run.document["suspects"] as? [String])
    #expect(paths.count == 1)
    let sheet = try CommandRun.fovea([
      "annotations", "check", run.detector.folder.url.path, "--annotations", paths[0], "--json",
    ])
    #expect(sheet.status == 0 || sheet.status == 1, "\(sheet.errors)")
    #expect(!sheet.errors.contains("suspects.json:"), "\(sheet.errors)")
  }

  @Test("A run says why it ended, and its table has the columns of other trainers")
  func end() throws {
    let run = try Run(["--steps", "1"])
    defer { run.detector.folder.remove() }
    #expect(run.document["stoppedEarly"] as? Bool == false)
    let results = try String(
      contentsOfFile: run.detector.folder.path("mine-run/results.csv"), encoding: .utf8)
    #expect(
      results.hasPrefix(
        "epoch,time,train/box_loss,train/obj_loss,train/cls_loss,metrics/precision(B),"
          + "metrics/recall(B),metrics/mAP50(B),metrics/mAP50-95(B),lr/pg0\n"))
    let again = try CommandRun.fovea([
      "train", "--resume", run.detector.folder.path("mine-run"), "--steps", "2",
    ])
    #expect(again.output.contains("2 steps, AP50 "), "\(again.errors)")
    #expect(again.output.contains("confidence threshold "))
    #expect(again.output.contains("report: \(try run.path("report"))\n"))
  }
}
