// Fovea - stored ML Programs give the outputs that an independent evaluator computed.
// SPDX-License-Identifier: Apache-2.0
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite struct SharedProgramTests {
  static let backends: [BackendOptions] = [.reference, .float, .blas]

  @Test(.enabled(if: SharedData.isPresent), arguments: ProgramCase.all(extension: "mlpackage"))
  func packageGivesTheStoredOutputs(_ stored: ProgramCase) throws {
    for backend in Self.backends { try stored.check(backend) }
  }

  @Test(.enabled(if: SharedData.isPresent), arguments: ProgramCase.all(extension: "mlmodelc"))
  func compiledFolderGivesTheStoredOutputs(_ stored: ProgramCase) throws {
    for backend in Self.backends { try stored.check(backend) }
  }

  @Test(.enabled(if: SharedData.isPresent))
  func classifierGivesTheStoredProbabilities() throws {
    let stored = try #require(
      ProgramCase.all(extension: "mlpackage").first { $0.name == "mobilenetv2-classifier-int8" })
    let path = SharedData.url(stored.model).path
    let labels = try #require(try Model(contentsOf: path).classLabels)
    for backend in Self.backends {
      for example in stored.examples {
        let result = try #require(
          try example.run(path, backend: backend)["classLabel_probs"]
        ).floats()
        #expect(result.count == labels.count && labels.count == example.probabilities.count)
        for (label, probability) in zip(labels, result) {
          let expected = try #require(example.probabilities[label])
          #expect(abs(Double(probability) - expected) < 2e-5, "\(label)")
        }
      }
    }
  }

  @Test(.enabled(if: SharedData.isPresent), arguments: ProgramCase.refused.sorted())
  func whatCannotBeRunIsNamed(_ name: String) throws {
    let path = SharedData.url("mlprogram/\(name)/model.mlpackage").path
    let error = #expect(throws: FoveaError.self) { try Model(contentsOf: path) }
    let message = try #require(error).message
    #expect(error?.code == .unsupported, "\(message)")
    #expect(message.contains("state"), "\(message)")
  }
}

/// How far two arrays are from each other.
struct Difference {
  var largest = 0.0
  var meanSquare = 0.0

  init(_ first: [Float], _ second: [Float]) {
    guard first.count == second.count else {
      (largest, meanSquare) = (.infinity, .infinity)
      return
    }
    for (a, b) in zip(first, second) where a != b {
      let difference = abs(Double(a) - Double(b))
      largest = difference.isNaN ? .infinity : max(largest, difference)
      meanSquare += difference * difference / Double(first.count)
    }
  }
}
