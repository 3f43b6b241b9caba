// Fovea - ML Programs in integers of 8 bits.
// SPDX-License-Identifier: Apache-2.0
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct Int8ProgramTests {
  /// Programs whose activations are quantized in the file.
  static let quantized = ProgramCase.all(extension: "mlpackage").filter {
    $0.name.contains("w8a8") || $0.name == "ops-quantized"
  }

  @Test(arguments: quantized)
  func quantizedProgramGivesTheStoredOutputs(_ stored: ProgramCase) throws {
    for example in stored.examples {
      let results = try example.run(SharedData.url(stored.model).path, backend: .int8)
      for output in example.outputs {
        let expected = try Tensor(contentsOf: SharedData.url(output.path).path).floats()
        let found = try #require(results[output.name]).floats()
        let difference = Difference(found, expected)
        let error = difference.meanSquare.squareRoot()
        if ProcessInfo.processInfo.environment["FOVEA_PRINT_ERRORS"] != nil {
          print("ERROR", stored.name, output.name, "int8", error, difference.largest)
        }
        #expect(error <= output.meanSquareTolerance ?? 0, "\(output.name)")
        // Scales are powers of two there.
        if stored.name == "ops-quantized" { #expect(difference.largest == 0, "\(output.name)") }
      }
    }
  }

  @Test(arguments: quantized)
  func compiledProgramGivesTheSameBytes(_ stored: ProgramCase) throws {
    let path = SharedData.url(stored.model).path
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("fovea-\(UUID().uuidString).fovea").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let example = try #require(stored.examples.first)
    let expected = try example.run(path, backend: .int8)
    _ = try Model.compile(contentsOf: path, to: file, options: Model.Options(backend: .int8))
    let found = try example.run(file, options: Model.Options())
    for (name, tensor) in expected {
      let bits = tensor.floats().map(\.bitPattern)
      #expect(found[name]?.floats().map(\.bitPattern) == bits, "\(name)")
    }
  }

  /// A convolutional detector, a transformer with top-k and sampling, and one with scales of the file.
  @Test(arguments: ["yolo11-fp16-ios18", "rtdetr-fp16-ios18", "enc-w8a8-ios17"])
  func everyInstructionSetGivesTheSameBytes(_ name: String) throws {
    let stored = try #require(
      ProgramCase.all(extension: "mlpackage").first { $0.name == name })
    let example = try #require(stored.examples.first)
    var first: [String: Tensor]?
    for set in InstructionSet.allCases where set.isAvailable {
      let options = Model.Options(backend: .int8, instructionSet: set)
      let results = try example.run(SharedData.url(stored.model).path, options: options)
      for (output, tensor) in results {
        let expected = (first ?? results)[output]?.floats().map(\.bitPattern)
        #expect(tensor.floats().map(\.bitPattern) == expected, "\(set) \(output)")
      }
      first = first ?? results
    }
    #expect(first != nil)
  }
}
