// Fovea - tests of fovea convert.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

@Suite struct ConvertCommandTests {
  private func convert(_ arguments: [String]) throws -> CommandRun {
    try CommandRun.fovea(["convert"] + arguments)
  }

  /// What a command prints of a model, but for lines that name it.
  private func output(_ arguments: [String]) throws -> String {
    let run = try CommandRun.fovea(arguments)
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  @Test(arguments: ["shapes.mlpackage", "copy.mlmodel"])
  func networksOfLayersStayWhatTheyAre(_ name: String) throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let path = files.folder.path(name)
    let run = try convert([
      files.model, "-o", path, "--metadata", "author=Somebody", "--metadata", "note=text",
    ])
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    #expect(run.output.contains("from a Core ML model"), "\(run.output)")
    let found = try output(["detect", "--model", path, files.image])
    #expect(try found == output(["detect", "--model", files.model, files.image]))
    #expect(found.contains("%"))
    let inspection = try CommandRun.fovea(["inspect", path, "--json"]).json()
    let metadata = try #require(inspection["metadata"] as? [String: String])
    #expect(metadata["author"] == "Somebody" && metadata["note"] == "text")
  }

  @Test func arraysBecomePictures() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let source = try folder.write("scores.mlmodel", PictureNetworks.scores(hasSoftmax: true))
    let path = folder.path("scores.mlpackage")
    let run = try convert([
      source, "-o", path, "--input", "pictures", "--scale", "0.01", "--bias", "-0.5", "--color",
      "bgr", "--json",
    ])
    #expect(run.status == 0, "\(run.errors)")
    let document = try run.json()
    #expect(document["file"] as? String == path && document["source"] as? String == source)
    #expect(document["operationSet"] as? String == "CoreML7")
    #expect(document["system"] as? String == "iOS 18 (macOS 15)")
    let input = try #require((document["inputs"] as? [[String: Any]])?.first)
    #expect(input["type"] as? String == "image bgr" && input["shape"] as? [Int] == [12, 16])
    let inspection = try CommandRun.fovea(["inspect", path, "--json"]).json()
    let programs = try #require(inspection["programs"] as? [[String: Any]])
    let kinds = try #require(programs[0]["operations"] as? [String: Int])
    #expect(kinds["mul"] == 1 && kinds["add"] == 1 && kinds["conv"] == 1, "\(kinds)")
  }

  @Test(.enabled(if: SharedData.isPresent))
  func weightsAreQuantized() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let source = SharedData.url("mlprogram/onnx-yolov8-opset18/model.onnx").path
    let names = ["plain.mlpackage", "half.mlpackage", "coded.mlpackage", "coded.mlmodel"]
    let paths = names.map(folder.path)
    // Tables of few numbers are found in a tenth of the time.
    let bits = TestTier.isThorough ? "6" : "2"
    let more = [[], ["--float16"], ["--bits", bits], ["--bits", bits]]
    var sizes: [Int] = []
    for (path, arguments) in zip(paths, more) {
      let run = try convert([source, "-o", path, "--json"] + arguments)
      #expect(run.status == 0, "\(run.errors)")
      sizes.append(try #require(try run.json()["byteCount"] as? Int))
      #expect(try output(["inspect", path]).contains("image rgb"))
    }
    #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2], "\(sizes)")
  }

  @Test(.enabled(if: SharedData.isPresent))
  func detectorsGetASuppressionStage() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let source = SharedData.url("mlprogram/onnx-yolov8-opset18/model.onnx").path
    let path = folder.path("detector.mlpackage")
    let run = try convert([source, "-o", path, "--nms", "--confidence", "0.01"])
    #expect(run.status == 0, "\(run.errors)")
    let inspection = try CommandRun.fovea(["inspect", path, "--json"]).json()
    let thresholds = try #require(inspection["thresholds"] as? [String: Any])
    #expect(thresholds["confidence"] as? Double == 0.01)
    let stages = try #require(inspection["stages"] as? [[String: Any]])
    #expect(stages.map { $0["type"] as? String } == ["mlProgram", "nonMaximumSuppression"])
  }

  @Test(.enabled(if: SharedData.isPresent))
  func detectorsAreCutDownToSomeClasses() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let source = SharedData.url("models/yolo-fastest-1.1.cfg").path
    let path = folder.path("two.mlmodel")
    let run = try convert([
      source, "-o", path, "--only", "person, car", "--iou", "0.6", "--metadata", "author=Me",
    ])
    #expect(run.status == 0, "\(run.errors)")
    let inspection = try CommandRun.fovea(["inspect", path, "--json"]).json()
    #expect(inspection["labels"] as? [String] == ["person", "car"])
    let thresholds = try #require(inspection["thresholds"] as? [String: Any])
    #expect(thresholds["iou"] as? Double == 0.6, "\(thresholds)")
    let wrong = try convert([source, "-o", path, "--only", "person,cat,bycicle"])
    #expect(wrong.status == 1 && wrong.errors.contains("did you mean 'bicycle'?"))
  }

  @Test func wrongUseIsNamed() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let cases: [([String], Int32, String)] = [
      ([files.model], 2, "name the package to write"),
      ([files.model, "-o", "x.onnx"], 2, "expected a name that ends in .mlpackage or .mlmodel"),
      ([files.model, "-o", "x.mlmodel", "--iou", "0.5"], 2, "the stage that --nms adds"),
      ([files.model, "-o", "x.mlmodel", "--only", ","], 2, "at least one name"),
      ([files.model, "-o", "x.mlmodel", "--only", "a", "--input", "arrays"], 2, "--input arrays"),
      ([files.model, "-o", "x.mlmodel", "--shape", "a"], 2, "expected NAME=SIZES"),
      ([files.model, "-o", "x.mlmodel", "--metadata", "=b"], 2, "expected KEY=TEXT"),
      ([files.model, "-o", "x.mlmodel", "--bits", "4", "--float16"], 2, "leave --bits out"),
      ([files.image, "-o", files.folder.path("x.mlmodel")], 1, "shapes.png"),
      ([files.model, "-o", files.folder.path("no/x.mlmodel")], 1, "check that the folder exists"),
    ]
    for (arguments, status, words) in cases {
      let run = try convert(arguments)
      #expect(run.status == status && run.errors.contains(words), "\(arguments): \(run.errors)")
    }
    let compiled = files.folder.path("shapes.fovea")
    #expect(try CommandRun.fovea(["compile", files.model, "-o", compiled]).status == 0)
    let run = try convert([compiled, "-o", files.folder.path("x.mlpackage")])
    #expect(run.status == 1 && run.errors.contains("convert the model it was made from"))
  }
}
