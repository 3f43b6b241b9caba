// Fovea - tests of fovea detect on stored ML Programs.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct DetectProgramTests {
  static func model(_ name: String) -> String {
    SharedData.url("mlprogram/\(name)/model.mlpackage").path
  }

  /// The objects that a run found in the example's image.
  static func objects(_ arguments: [String]) throws -> [NSDictionary] {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try CommandRun.fovea(["detect", "--json"] + arguments + [files.image])
    try #require(run.status == 0, "\(run.errors)")
    let images = try #require(try run.json()["images"] as? [[String: Any]])
    return try #require(images[0]["objects"] as? [NSDictionary])
  }

  @Test func headsCanBeForced() throws {
    let model = Self.model("yolov8-fp32")
    let threshold = ["--confidence", "0.3"]
    let expected = try Self.objects(["--model", model] + threshold)
    #expect(!expected.isEmpty)
    #expect(try Self.objects(["--model", model, "--head", "yolo"] + threshold) == expected)
    let files = try ExampleFiles()
    defer { files.remove() }
    let wrong = try CommandRun.fovea(["detect", "--model", model, "--head", "detr", files.image])
    #expect(wrong.status == 1 && wrong.errorLines.count == 1, "\(wrong.errors)")
    #expect(wrong.errors.contains("detr"))
    let unknown = try CommandRun.fovea(["detect", "--model", model, "--head", "no", files.image])
    #expect(unknown.status == 2 && unknown.errors.contains("efficientdet"), "\(unknown.errors)")
  }

  /// The example's image has 480 x 360 pixels: the aspect of the default size.
  @Test func sizesCanFollowTheImage() throws {
    let arguments = ["--model", Self.model("flexible-enumerated-image"), "--confidence", "0.3"]
    let wide = try Self.objects(arguments + ["--match-aspect"])
    #expect(try wide == Self.objects(arguments))
    let half = ["--roi", "0,0,0.5,1"]
    let tall = try Self.objects(arguments + half + ["--match-aspect"])
    #expect(try tall == Self.objects(arguments + half + ["--size", "96x128"]))
    #expect(try tall != Self.objects(arguments + half))
    let both = try CommandRun.fovea(
      ["detect", "--match-aspect", "--size", "64x64", "image.png"] + arguments)
    #expect(both.status == 2 && both.errors.contains("leave --size out"), "\(both.errors)")
  }
}
