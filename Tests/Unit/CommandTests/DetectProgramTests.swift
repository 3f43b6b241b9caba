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

  /// What stands for the rest while you work.
  static let few = ["yolo11-fp16-ios18", "rtdetr-fp32", "pipeline-yolo11-nms", "enc-w8a8-ios18"]

  /// All that find objects in one image.
  static let all = [
    "compiled-enc-int4-block-ios18", "compiled-enc-palette4-ios16", "dfine-fp32",
    "efficientdet-palette2", "enc-fp16-ios16", "enc-int4-block-ios18", "enc-int8-block-ios18",
    "enc-int8-ios18", "enc-palette-vector2-ios18", "enc-palette-vector4-grouped-ios18",
    "enc-palette1-ios16", "enc-palette2-ios16", "enc-palette3-grouped-ios18",
    "enc-palette4-grouped-ios18", "enc-palette4-int8-tables-ios18", "enc-palette4-ios16",
    "enc-palette4-scaled-ios18", "enc-palette6-ios16", "enc-palette8-ios16",
    "enc-sparse-int8-ios18",
    "enc-sparse-ios16", "enc-sparse-palette4-ios18", "enc-uint4-block-ios18",
    "enc-w8-asymmetric-ios16", "enc-w8-symmetric-ios16", "enc-w8a8-ios17",
    "flexible-enumerated-image", "multifunction", "nanodet-fp16", "pipeline-yolov8-nms-agnostic",
    "rtdetr-fp16-ios18", "ssdlite-mobilenetv2-int8", "ssdlite-mobilenetv3-palette6",
    "yolo11-seg-fp16", "yolo11n-full-palette8", "yolo26-end2end-fp16", "yolo26-one2many-fp16",
    "yolov5-anchors-fp16", "yolov8-fp32", "yolox-nano-fp16",
  ]

  @Test(arguments: TestTier.isThorough ? few + all : few)
  func detectorsRunInEveryCommand(_ name: String) throws {
    let stored = try StoredCase(name)
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (images, annotations) = try Self.photographs(in: folder)
    let compiled = folder.path("int8.fovea")
    let compile = try CommandRun.fovea(
      ["compile", stored.model, "-o", compiled, "--backend", "int8", "--calibrate", images])
    try #require(compile.status == 0, "\(compile.errors)")
    for model in [stored.model, compiled] {
      let found = try Self.objects(["--model", model, "--confidence", "0.02"])
      #expect(!found.isEmpty, "\(model)")
      let evaluation = try CommandRun.fovea([
        "evaluate", model, "--annotations", annotations, "--images", images,
      ])
      #expect(evaluation.status == 0, "\(evaluation.errors)")
    }
    let comparison = try CommandRun.fovea([
      "compare", stored.model, "--backends", "float,int8", "--images", images, "--calibrate",
      images, "--confidence", "0.02", "--json",
    ])
    try #require(comparison.status == 0, "\(comparison.errors)")
    let total = try #require(try comparison.json()["total"] as? [String: Any])
    #expect(try #require(total["matched"] as? Int) > 0)
  }

  /// A folder of four photographs, and their annotations.
  static func photographs(
    in folder: TemporaryFolder
  ) throws -> (images: String, annotations: String) {
    var instances = try #require(
      try SharedData.json("coco128-train/instances.json") as? [String: Any])
    let photographs = try #require(instances["images"] as? [[String: Any]]).prefix(4)
    let objects = try #require(instances["annotations"] as? [[String: Any]])
    let numbers = photographs.compactMap { $0["id"] as? Int }
    instances["images"] = Array(photographs)
    instances["annotations"] = objects.filter { numbers.contains($0["image_id"] as? Int ?? -1) }
    let images = folder.path("images")
    try FileManager.default.createDirectory(atPath: images, withIntermediateDirectories: true)
    for name in photographs.compactMap({ $0["file_name"] as? String }) {
      try FileManager.default.copyItem(
        atPath: SharedData.url("coco128-train/images/\(name)").path, toPath: "\(images)/\(name)")
    }
    let annotations = folder.path("instances.json")
    try JSONSerialization.data(withJSONObject: instances)
      .write(to: URL(fileURLWithPath: annotations))
    return (images, annotations)
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
