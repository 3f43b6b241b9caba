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
}
