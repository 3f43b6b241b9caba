// Fovea - ML Programs in integers of 8 bits.
// SPDX-License-Identifier: Apache-2.0
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct Int8ProgramTests {
  /// Programs whose activations are quantized in the file.
  static let quantized = ProgramCase.all(extension: "mlpackage").filter {
    $0.name.contains("w8a8")
  }

  @Test(arguments: quantized)
  func quantizedProgramGivesTheStoredOutputs(_ stored: ProgramCase) throws {
    for example in stored.examples {
      let results = try example.run(SharedData.url(stored.model).path, backend: .int8)
      for output in example.outputs {
        let expected = try Tensor(contentsOf: SharedData.url(output.path).path).floats()
        let found = try #require(results[output.name]).floats()
        let difference = Difference(found, expected)
        let limit = output.meanSquareTolerance ?? 0
        #expect(difference.meanSquare.squareRoot() <= limit, "\(output.name)")
      }
    }
  }

  /// A convolutional detector, and a transformer with top-k and sampling.
  @Test(arguments: ["yolo11-fp16-ios18", "rtdetr-fp16-ios18"])
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
