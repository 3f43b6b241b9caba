// Fovea - tests of the suppression stage on arrays.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaVision
import Testing

@Suite struct SuppressionStageTests {
  static func stage(perClass: Bool, labels: Int = 2) -> NonMaximumSuppression {
    NonMaximumSuppression(
      perClass: perClass, classLabels: .strings((0..<labels).map { "label \($0)" }),
      iouThreshold: 0.5, confidenceThreshold: 0.2, confidenceInputName: "rc",
      coordinatesInputName: "rb", confidenceOutputName: "c", coordinatesOutputName: "b")
  }

  /// Two boxes with an overlap of 1/3, one of them twice (overlap 1), and one apart.
  static func arrays() throws -> (confidence: Tensor, coordinates: Tensor) {
    (
      try Tensor(shape: [4, 2], floats: [0.5, 0.1, 0, 0.75, 0.25, 0, 0.125, 0.1875]),
      try Tensor(
        shape: [4, 4],
        floats: [
          0.25, 0.5, 0.25, 0.5, 0.375, 0.5, 0.25, 0.5, 0.25, 0.5, 0.25, 0.5, 0.75, 0.5, 0.1, 0.1,
        ])
    )
  }

  @Test func keptRowsAreBestFirst() throws {
    let (confidence, coordinates) = try Self.arrays()
    let kept = try Self.stage(perClass: true).apply(
      confidence: confidence, coordinates: coordinates)
    #expect(kept.confidence.shape == [2, 2])
    #expect(kept.confidence.floats() == [0, 0.75, 0.5, 0.1])
    #expect(kept.coordinates.shape == [2, 4])
    #expect(kept.coordinates.floats() == [0.375, 0.5, 0.25, 0.5, 0.25, 0.5, 0.25, 0.5])
  }

  @Test func callersThresholdsWin() throws {
    let (confidence, coordinates) = try Self.arrays()
    let all = try Self.stage(perClass: true).apply(
      confidence: confidence, coordinates: coordinates, iouThreshold: 1, confidenceThreshold: 0.1)
    #expect(all.confidence.shape == [4, 2])
    let agnostic = try Self.stage(perClass: false).apply(
      confidence: confidence, coordinates: coordinates, iouThreshold: 0.25)
    #expect(agnostic.confidence.floats() == [0, 0.75])
  }

  @Test func nothingKeptIsNoError() throws {
    let (confidence, coordinates) = try Self.arrays()
    let none = try Self.stage(perClass: true).apply(
      confidence: confidence, coordinates: coordinates, confidenceThreshold: 0.9)
    #expect(none.confidence.shape == [0, 2])
    #expect(none.coordinates.shape == [0, 4])
  }

  @Test func missingRowsAreZeros() throws {
    let (confidence, coordinates) = try Self.arrays()
    let kept = try Self.stage(perClass: true).apply(
      confidence: confidence, coordinates: coordinates, confidenceThreshold: 0.6,
      minimumRowCount: 2)
    #expect(kept.confidence.floats() == [0, 0.75, 0, 0])
    #expect(kept.coordinates.shape == [2, 4])
  }

  @Test func wrongShapesAreRefused() throws {
    let (confidence, coordinates) = try Self.arrays()
    let three = try Tensor(shape: [3, 4], floats: Array(repeating: 0, count: 12))
    let stage = Self.stage(perClass: true)
    #expect(throws: DetectionError.self) {
      try stage.apply(confidence: confidence, coordinates: three)
    }
    #expect(throws: DetectionError.self) {
      try stage.apply(confidence: coordinates, coordinates: confidence)
    }
    #expect(throws: DetectionError.self) {
      try Self.stage(perClass: true, labels: 1)
        .apply(confidence: confidence, coordinates: coordinates)
    }
    #expect(throws: DetectionError.self) {
      try stage.apply(confidence: confidence, coordinates: coordinates, iouThreshold: .nan)
    }
  }
}
