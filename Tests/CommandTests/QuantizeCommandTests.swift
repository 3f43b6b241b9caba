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
    // The same program as a file: a model of specification 6 with a function that gives its input.
    let program = try folder.write("a.mlmodel", ProgramFile.bytes)
    for path in [package, program] {
      let run = try CommandRun.fovea(["quantize", path, "-o", folder.path("b.mlmodel")])
      #expect(run.status == 1)
      #expect(run.errors.contains("is an ML Program"), "\(run.errors)")
      #expect(run.errorLines.count == 1, "\(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder.path("b.mlmodel")))
    }
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

/// A program that gives its input, field by field.
private enum ProgramFile {
  static let bytes = ModelBuilder.model(
    version: 6, inputs: [ModelBuilder.array("x", [2])], outputs: [ModelBuilder.array("y", [2])],
    type: 502
  ) { program in
    program.integer(1, 1)
    program.message(2) { entry in
      entry.string(1, "main")
      entry.message(2) { function in
        function.message(1) { value(&$0, "x") }
        function.string(2, "CoreML5")
        function.message(3) { block in
          block.string(1, "CoreML5")
          block.message(2) { body in
            body.string(2, "y")
            body.message(3) { operation in
              operation.string(1, "relu")
              operation.message(2) { argument in
                argument.string(1, "x")
                argument.message(2) { $0.message(1) { $0.string(1, "x") } }
              }
              operation.message(3) { value(&$0, "y") }
            }
          }
        }
      }
    }
  }

  /// A value of two floats.
  private static func value(_ writer: inout ProtobufWriter, _ name: String) {
    writer.string(1, name)
    writer.message(2) { type in
      type.message(1) { tensor in
        tensor.integer(1, 11)
        tensor.integer(2, 1)
        tensor.message(3) { $0.message(1) { $0.integer(1, 2) } }
      }
    }
  }
}
