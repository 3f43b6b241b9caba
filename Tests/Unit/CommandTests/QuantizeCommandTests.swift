// Fovea - tests of fovea quantize.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

@Suite struct QuantizeCommandTests {
  /// The example's weights are codes already, and codes of codes lose twice.
  @Test func quantizedModelsAreRefused() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let output = files.folder.path("small.mlmodel")
    let run = try CommandRun.fovea(["quantize", files.model, "-o", output])
    #expect(run.status == 1)
    #expect(run.errors.contains("has codes for weights already"))
    #expect(run.errorLines.count == 1, "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test func threadsAreCheckedBeforeTheModel() throws {
    let run = try CommandRun.fovea([
      "quantize", "no.mlmodel", "-o", "b.mlmodel", "--calibrate", "p", "--threads", "0",
    ])
    #expect(run.status == 2)
    #expect(run.errors.contains("--threads"))
  }

  @Test func foldersThatAreNoPackagesAreRefused() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let package = folder.path("a.mlpackage")
    try FileManager.default.createDirectory(atPath: package, withIntermediateDirectories: true)
    let run = try CommandRun.fovea(["quantize", package, "-o", folder.path("b.mlmodel")])
    #expect(run.status == 1)
    #expect(run.errors.contains("Manifest.json"))
    #expect(run.errorLines.count == 1, "\(run.errors)")
  }

  @Test(arguments: [
    ["--bits", "4"], ["--grouped-bits", "4"], ["--calibrate", "images"], ["--size", "1000"],
    ["--per-tensor"], ["--biases"], ["--keep-scales"],
  ])
  func halvesTakeNoOptionsOfCodes(option: [String]) throws {
    let run = try CommandRun.fovea(
      ["quantize", "a.mlmodel", "-o", "b.mlmodel", "--kind", "float16"] + option)
    #expect(run.status == 2)
    #expect(run.errors.contains("leave \(option[0]) out"), "\(run.errors)")
  }

  /// All variants of one detector, each smaller than the one before, and each a model that loads.
  @Test(.enabled(if: SharedData.isPresent)) func variantsOfADetectorAreWritten() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let model = SharedData.url("models/yolo-fastest-1.1-raw.mlmodel").path
    var last = try Data(contentsOf: URL(fileURLWithPath: model)).count
    for words in [
      ["--kind", "float16"], ["--kind", "linear"], ["--bits", "6"], ["--bits", "4"],
    ] {
      let output = folder.path(words.joined() + ".mlmodel")
      let run = try CommandRun.fovea(["quantize", model, "-o", output, "--json"] + words)
      #expect(run.status == 0, "\(run.errors)")
      let count = try #require(try run.json()["byteCount"] as? Int)
      #expect(count < last, "\(words)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: output)).count == count)
      #expect(try Model(contentsOf: output).outputs.count == 2)
      last = count
    }
  }

  @Test func tablesHaveNoScaleToShare() throws {
    let run = try CommandRun.fovea(["quantize", "a.mlmodel", "-o", "b.mlmodel", "--per-tensor"])
    #expect(run.status == 2)
    #expect(run.errors.contains("--per-tensor is for --kind linear"), "\(run.errors)")
  }

  /// A package is replaced by a whole new one; what is no package is left alone.
  @Test(.enabled(if: SharedData.isPresent)) func programsAreWrittenAsPackages() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let model = SharedData.url("mlprogram/enc-fp16-ios16/model.mlpackage").path
    let output = folder.path("small.mlpackage")
    for words in [["--kind", "linear"], ["--bits", "4"]] {
      let run = try CommandRun.fovea(["quantize", model, "-o", output, "--json"] + words)
      #expect(run.status == 0, "\(run.errors)")
      let count = try #require(try run.json()["byteCount"] as? Int)
      let files = try FileManager.default.subpathsOfDirectory(atPath: output).sorted()
      #expect(files.contains("Data/com.apple.CoreML/weights/weight.bin"), "\(files)")
      let sizes = try files.map { file -> Int in
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(output)/\(file)")
        let isFile = attributes[.type] as? FileAttributeType == .typeRegular
        return isFile ? attributes[.size] as? Int ?? 0 : 0
      }
      #expect(sizes.reduce(0, +) == count)
      #expect(!(try Model(contentsOf: output).outputs.isEmpty))
    }
    let run = try CommandRun.fovea([
      "quantize", model, "-o", folder.path("b.mlpackage"), "--bits", "3",
    ])
    #expect(run.status == 1 && run.errors.contains("export it for iOS 18"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("b.mlpackage")))
  }

  @Test func whatCannotBeDoneIsSaidInOneLine() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let output = files.folder.path("small.mlmodel")
    let failures = [
      ["quantize", files.image, "-o", output], ["quantize", "/no/such/model", "-o", output],
      ["quantize", files.folder.url.path, "-o", output],
    ]
    for arguments in failures {
      let run = try CommandRun.fovea(arguments)
      #expect(run.status == 1, "\(arguments)")
      #expect(run.errorLines.count == 1, "\(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: output))
    }
  }
}
