// Fovea - tests of fovea run.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite struct RunCommandTests {
  @Test func exampleWritesOneFilePerOutput() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let side = ShapesDetector.inputSide
    let image = files.folder.path("image.npy")
    try Tensor.zeros(shape: [side, side, 3], type: .uint8).write(to: image)
    func shapes(_ options: String...) throws -> [String: [Int]] {
      let folder = files.folder.path(UUID().uuidString)
      let run = try CommandRun.fovea(
        ["run", files.model, "--input", "image=" + image, "--output-dir", folder] + options)
      #expect(run.status == 0, "\(run.errors)")
      return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: [:]) {
        $0[$1] = try Tensor(contentsOf: folder + "/" + $1).shape
      }
    }
    #expect(try shapes() == ["confidence.npy": [0, 3], "coordinates.npy": [0, 4]])
    #expect(
      try shapes("--input", "confidenceThreshold=0", "--input", "iouThreshold=1")
        == ["confidence.npy": [1600, 3], "coordinates.npy": [1600, 4]])
    #expect(
      try Set(shapes("--stage", "0").keys) == ["raw_confidence.npy", "raw_coordinates.npy"])
  }

  @Test func wrongInputsAreExplained() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let small = files.folder.path("small.npy")
    try Tensor.zeros(shape: [8, 8, 3], type: .uint8).write(to: small)
    let text = try files.folder.write("text.npy", Array("not numpy".utf8))
    let folder = files.folder.path("out")
    for (input, status): (String, Int32) in [
      ("image=\(small)", 1), ("image=\(text)", 1), ("photo=\(small)", 2),
      ("iouThreshold=0.5", 2),
    ] {
      let run = try CommandRun.fovea(
        ["run", files.model, "--input", input, "--output-dir", folder])
      #expect(run.status == status, "\(input): \(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder))
    }
  }

  /// Model file, folder of answers, image, side, and names of the raw outputs.
  struct Case: Sendable, CustomTestStringConvertible {
    var model: String
    var folder: String
    var image: String
    var side: Int
    var outputs: [String]
    var testDescription: String { "\(model) on \(image)" }
  }

  static let raw = ["raw_confidence", "raw_coordinates"]
  static let cases: [Case] =
    ["dog", "person", "horses", "eagle", "giraffe"].map {
      Case(
        model: "yolo-fastest-1.1-xl", folder: "yolo-fastest-1.1-xl", image: $0, side: 320,
        outputs: raw)
    } + [
      Case(
        model: "yolo-fastest-1.1-raw", folder: "yolo-fastest-1.1", image: "dog", side: 320,
        outputs: ["confidence", "coordinates"]),
      Case(
        model: "yolov3-tiny-random-Int8LUT", folder: "yolov3-tiny-random-Int8LUT", image: "dog",
        side: 416, outputs: raw),
    ]

  /// The scalar backend takes ten seconds for an image when it is not optimized, so that only
  /// release builds run it on everything.
  static let runs: [(Case, String)] = cases.flatMap { reference in
    #if DEBUG
      let backends =
        reference.image == "dog" && reference.side == 320 ? ["blas", "reference"] : ["blas"]
    #else
      let backends = ["blas", "reference"]
    #endif
    return backends.map { (reference, $0) }
  }

  @Test(.enabled(if: SharedData.isPresent), arguments: runs)
  func rawOutputsAreTheStoredOnes(_ reference: Case, _ backend: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (image, side) = (reference.image, reference.side)
    let run = try CommandRun.fovea([
      "run", SharedData.url("models/\(reference.model).mlmodel").path, "--stage", "0",
      "--backend", backend, "--output-dir", folder.path("out"), "--input",
      "image=" + SharedData.url("references/inputs/\(image)-\(side)x\(side).npy").path,
    ])
    #expect(run.status == 0, "\(run.errors)")
    for (output, name) in zip(reference.outputs, ["confidence", "coordinates"]) {
      let found = try Tensor(contentsOf: folder.path("out/\(output).npy"))
      let expected = try Tensor(
        contentsOf: SharedData.url("references/\(reference.folder)/\(image)-\(name).npy").path)
      #expect(found.count == expected.count)
      let worst = zip(found.floats(), expected.floats()).reduce(Float(0)) { worst, pair in
        let difference = abs(pair.0 - pair.1)
        // At most 1e-4 absolutely or 1e-3 relatively, whichever is kinder.
        return max(worst, min(difference / 1e-4, difference / (1e-3 * abs(pair.1))))
      }
      #expect(worst <= 1, "\(name): \(worst) times the tolerance")
    }
  }

  /// What a head decodes is for `detect`: `run` writes the outputs of the file, and no others.
  @Test(.enabled(if: SharedData.isPresent)) func headsAddNoArrays() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let stored = SharedData.url("mlprogram/yolov8-fp32")
    let run = try CommandRun.fovea([
      "run", stored.appendingPathComponent("model.mlpackage").path, "--input",
      "image=\(stored.appendingPathComponent("input-image-0.npy").path)", "--output-dir",
      folder.path("out"),
    ])
    #expect(run.status == 0, "\(run.errors)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
    #expect(files == ["var_998.npy"])
  }
}
