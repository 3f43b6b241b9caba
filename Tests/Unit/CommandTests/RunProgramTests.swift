// Fovea - tests of fovea run on stored ML Programs.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct RunProgramTests {
  /// Cases with several functions, sizes and stages, and what stands for the rest.
  static let names = [
    "multifunction", "flexible-range", "flexible-enumerated-image", "pipeline-yolo11-nms",
    "pipeline-yolov8-nms-agnostic", "ops-slices", "nanodet-fp32-ios17-array",
    "compiled-enc-int4-block-ios18", "compiled-enc-palette4-ios16",
  ]

  @Test(arguments: names)
  func outputsAreTheStoredOnes(_ name: String) throws {
    let stored = try StoredCase(name)
    for (index, example) in stored.examples.enumerated() {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let inputs = example.inputs.flatMap { ["--input", "\($0)=\($1)"] }
      let function = example.function.map { ["--function", $0] } ?? []
      let run = try CommandRun.fovea(
        ["run", stored.model, "--output-dir", folder.path("out")] + inputs + function)
      #expect(run.status == 0, "\(name) \(index): \(run.errors)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).count
          == example.outputs.count)
      for output in example.outputs {
        let found = try Tensor(contentsOf: folder.path("out/\(output.name).npy"))
        let expected = try Tensor(contentsOf: output.file)
        #expect(found.count == expected.count && !expected.shape.contains(0))
        let worst = zip(found.floats(), expected.floats()).reduce(0.0) {
          $1.0 == $1.1 ? $0 : max($0, abs(Double($1.0) - Double($1.1)))
        }
        #expect(worst <= output.tolerance, "\(name) \(index), \(output.name)")
      }
    }
  }

  @Test func thresholdsComeFromOptionsOrInputs() throws {
    let stored = try StoredCase("pipeline-yolo11-nms")
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (low, high) = (folder.path("low.npy"), folder.path("high.npy"))
    try Tensor(shape: [], floats: [0.1]).write(to: low)
    try Tensor(shape: [1], floats: [0.6]).write(to: high)
    let image = ["--input", "image=" + (stored.examples[0].inputs["image"] ?? "")]
    func rows(_ options: String...) throws -> Int? {
      let out = folder.path(UUID().uuidString)
      let run = try CommandRun.fovea(
        ["run", stored.model, "--output-dir", out] + image + options)
      guard run.status == 0 else { return nil }
      return try Tensor(contentsOf: out + "/confidence.npy").shape[0]
    }
    let (few, many) = (try rows("--confidence", "0.6"), try rows("--confidence", "0.1"))
    #expect(few.flatMap { few in many.map { few < $0 } } == true)
    #expect(try rows("--input", "confidenceThreshold=" + high) == few)
    #expect(try rows("--input", "confidenceThreshold=" + low) == many)
    #expect(try rows("--iou", "1", "--confidence", "0") == 252)
    #expect(try rows("--iou", "0.4", "--stage", "0") == nil, "there is no suppression to set")
  }

  @Test func picturesGiveTheirSize() throws {
    let stored = try StoredCase("flexible-enumerated-image")
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    func pixels(_ width: Int, _ height: Int) throws -> (picture: String, array: String) {
      let bytes = (0..<width * height * 3).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 5) }
      let image = try Image(width: width, height: height, rgb: bytes)
      let (picture, array) = (folder.path("\(width).png"), folder.path("\(width).npy"))
      try image.write(to: picture, as: .png)
      try Tensor(shape: [height, width, 3], uint8s: bytes).write(to: array)
      return (picture, array)
    }
    func output(_ file: String, _ options: String...) throws -> Tensor {
      let out = folder.path(UUID().uuidString)
      let run = try CommandRun.fovea(
        ["run", stored.model, "--output-dir", out, "--input", "image=" + file] + options)
      #expect(run.status == 0, "\(run.errors)")
      return try Tensor(contentsOf: out + "/var_1309.npy")
    }
    let files = try pixels(96, 128)
    #expect(try output(files.picture) == output(files.array))
    #expect(try output(files.picture, "--size", "64x64").shape == [1, 10, 84])
    for (file, options) in [(try pixels(32, 32).picture, []), (files.array, ["--size", "64x64"])] {
      let run = try CommandRun.fovea(
        ["run", stored.model, "--output-dir", folder.path("no"), "--input", "image=" + file]
          + options)
      #expect(run.status == 1)
      #expect(
        run.errors.contains(options.isEmpty ? "128x96, 64x64, 96x128" : "[64, 64, 3]"),
        "\(run.errors)")
    }
  }

  @Test func wrongShapesAndFunctionsNameTheRightOnes() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let array = folder.path("array.npy")
    try Tensor(shape: [1, 2, 64, 64], floats: [Float](repeating: 0, count: 8192)).write(to: array)
    for (name, options, words) in [
      ("flexible-range", [], "allowed is ["),
      ("nanodet-fp32-ios17-array", [], "only [1, 3, 96, 96]"),
      ("multifunction", ["--function", "tiny"], "\"small\", \"large\""),
      ("pipeline-yolo11-nms", ["--function", "main"], "stand alone"),
    ] {
      let run = try CommandRun.fovea(
        [
          "run", try StoredCase(name).model, "--input", "image=" + array, "--output-dir",
          folder.path("out"),
        ] + options)
      #expect(run.status == 1 && run.errors.contains(words), "\(name): \(run.errors)")
    }
  }
}
