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

  /// ML Programs are no neural networks; the remedy is said.
  @Test func packagesAreRefusedForWhatTheyAre() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let package = folder.path("a.mlpackage")
    try FileManager.default.createDirectory(atPath: package, withIntermediateDirectories: true)
    let run = try CommandRun.fovea(["quantize", package, "-o", folder.path("b.mlmodel")])
    #expect(run.status == 1)
    #expect(run.errors.contains("ML Programs cannot be read"))
    #expect(run.errorLines.count == 1, "\(run.errors)")
  }

  @Test(arguments: [
    ["--bits", "4"], ["--grouped-bits", "4"], ["--calibrate", "images"], ["--size", "1000"],
    ["--biases"], ["--keep-scales"],
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
