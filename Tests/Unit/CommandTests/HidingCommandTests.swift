// Fovea - tests of --blur and --crop.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import Foundation
import FoveaTestSupport
import Testing

@Suite struct HidingCommandTests {
  private let red: [UInt8] = [217, 33, 31]

  /// The color in the middle of an image.
  private func middle(_ path: String) throws -> [UInt8] {
    let image = try Image(contentsOf: path)
    let place = (image.height / 2 * image.width + image.width / 2) * 3
    return Array(image.rgb[place..<place + 3])
  }

  private func isNear(_ color: [UInt8], _ other: [UInt8]) -> Bool {
    zip(color, other).allSatisfy { abs(Int($0) - Int($1)) <= 3 }
  }

  @Test func partsOfImages() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let folder = files.folder.path("parts")
    let detect = ["detect", "--model", files.model, files.image, "--json"]
    let run = try CommandRun.fovea(detect + ["--crop", folder])
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    let images = try #require(try run.json()["images"] as? [[String: Any]])
    let objects = try #require(images.first?["objects"] as? [[String: Any]])
    #expect(!objects.isEmpty)
    for (index, object) in objects.enumerated() {
      let label = try #require(object["label"] as? String)
      let box = try #require(object["bbox"] as? [Double])
      let part = try Image(contentsOf: "\(folder)/\(label)/shapes-\(index + 1).jpg")
      #expect(abs(Double(part.width) - box[2]) < 2)
      #expect(abs(Double(part.height) - box[3]) < 2)
    }
  }

  /// No pixel of a red square is left in the drawing, which has no box there; others stay.
  @Test func hiddenInImages() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let drawing = files.folder.path("drawn.png")
    let detect = ["detect", "--model", files.model, files.image, "--draw", drawing]
    let run = try CommandRun.fovea(detect + ["--blur", "red square"])
    #expect(run.status == 0 && run.output.contains("red square"), "\(run.errors)")
    let image = try Image(contentsOf: drawing)
    let square = try #require(files.shapes.objects.first { $0.label == "red square" })
    for y in square.y..<square.y + square.side {
      for x in square.x..<square.x + square.side {
        let place = (y * image.width + x) * 3
        #expect(image.rgb[place..<place + 3].allSatisfy { $0 % 16 == 8 })
      }
    }
  }

  /// Tracks are hidden in parts of videos, too; parts are named by picture and identifier.
  @Test(arguments: [[], ["--track"]]) func hiddenInVideos(_ more: [String]) throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let squares = try MovingSquares(in: files.folder)
    let (plain, hidden) = (files.folder.path("plain"), files.folder.path("hidden"))
    let watch = ["watch", squares.pattern, "--model", files.model, "--frames", "3"] + more
    let video = ["--draw", files.folder.path("hidden.mkv"), "--blur", "red square"]
    for run in [
      try CommandRun.fovea(watch + ["--crop", plain]),
      try CommandRun.fovea(watch + ["--crop", hidden] + video),
    ] {
      #expect(run.status == 0 && run.errors == "" && run.output == "", "\(run.errors)")
    }
    for label in ["red square", "blue square"] {
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(plain)/\(label)").sorted()
      #expect(names.count == 3 && names[2].hasPrefix("000002-"))
      for name in names {
        let colors = try [plain, hidden].map { try middle("\($0)/\(label)/\(name)") }
        #expect(isNear(colors[1], label == "red square" ? [216, 40, 24] : colors[0]))
        #expect(label != "red square" || isNear(colors[0], red))
      }
    }
  }

  @Test(arguments: [
    (["--blur", "red square"], 2, "add --draw or --crop"),
    (["--blur", "red sqare", "--crop", "x"], 2, "did you mean 'red square'"),
    (["--blur", "red square", "--only", "blue square", "--crop", "x"], 2, "looked for"),
    (["--blur", ",", "--crop", "x"], 2, "needs at least one name"),
    (["--crop", "/dev/null"], 1, "/dev/null"),
  ])
  func whatMeansNothingIsRefused(_ more: [String], _ status: Int32, _ words: String) throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try CommandRun.fovea(["detect", "--model", files.model, files.image] + more)
    #expect(run.status == status && run.errors.contains(words), "\(run.errors)")
  }
}
