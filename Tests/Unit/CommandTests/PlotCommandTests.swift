// Fovea - tests of plots that commands draw.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaExampleModel
import Testing

@Suite struct PlotCommandTests {
  /// The lines of an evaluation, and their names with the areas below them.
  @Test func precisionIsDrawnOverRecall() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let plot = files.folder.path("precision.svg")
    let run = try CommandRun.fovea([
      "evaluate", files.model, "--annotations", EvaluateCommandTests.annotations(files),
      "--images", files.folder.url.path, "--confidence", "0.25", "--plot", plot,
      "--plot-classes", "red square,blue square", "--json",
    ])
    #expect(run.status == 0 && run.complaints == "")
    let text = try String(contentsOfFile: plot, encoding: .utf8)
    // All objects are found at an overlap of 0.50, and nothing else.
    #expect(text.contains(">1.000  all, IoU 0.50<"))
    #expect(text.contains(">1.000  red square<") && text.contains(">1.000  blue square<"))
    #expect(!text.contains("green square"))
    let metrics = try #require(try run.json()["metrics"] as? [String: Double])
    let precision = String(format: "%.3f", try #require(metrics["AP"]))
    #expect(text.contains(">\(precision)  all, IoU 0.50 ... 0.95<"))
  }

  @Test func allCategoriesCanBeDrawn() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let plot = files.folder.path("precision.svg")
    let run = try CommandRun.fovea([
      "evaluate", files.model, "--annotations", EvaluateCommandTests.annotations(files),
      "--images", files.folder.url.path, "--plot", plot, "--plot-classes", "all",
    ])
    #expect(run.status == 0)
    let text = try String(contentsOfFile: plot, encoding: .utf8)
    for label in ShapesDetector.labels { #expect(text.contains("  \(label)<")) }
  }

  @Test func wrongUsageIsToldApart() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let start = [
      "evaluate", files.model, "--annotations", try EvaluateCommandTests.annotations(files),
      "--images", files.folder.url.path,
    ]
    for more in [
      ["--plot", "precision.bmp"], ["--plot-classes", "all"],
      ["--plot", files.folder.path("a.svg"), "--plot-classes", "red square,cat"],
    ] {
      let run = try CommandRun.fovea(start + more)
      #expect(run.status == 2 && run.output == "" && run.errorLines.count >= 1, "\(more)")
    }
    let nowhere = try CommandRun.fovea(start + ["--plot", files.folder.path("none/a.svg")])
    #expect(nowhere.status == 1 && nowhere.errorLines.count == 1)
  }
}
