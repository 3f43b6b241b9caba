// Fovea - tests of running whole models on arrays.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import Testing

@Suite struct ModelPredictionTests {
  static func model(lastStage: Int? = nil) throws -> Model {
    var options = Model.Options()
    options.lastStage = lastStage
    return try Model(bytes: ShapesDetector.modelBytes(), name: "shapes", options: options)
  }

  /// A red square of 32 pixels around (80, 48) on black.
  static func input() throws -> Tensor {
    let side = ShapesDetector.inputSide
    var pixels = [UInt8](repeating: 0, count: side * side * 3)
    for row in 32..<64 {
      for column in 64..<96 { pixels[(row * side + column) * 3] = 220 }
    }
    return try Tensor(shape: [side, side, 3], uint8s: pixels)
  }

  @Test func networkAloneGivesAllRows() throws {
    let outputs = try Self.model(lastStage: 0).prediction(from: ["image": try Self.input()])
    #expect(Set(outputs.keys) == ["raw_confidence", "raw_coordinates"])
    #expect(outputs["raw_confidence"]?.count == 1600 * 3)
    #expect(outputs["raw_coordinates"]?.count == 1600 * 4)
    // The cell corner in the middle of the square: row 12, column 20 of 40.
    let row = 12 * 40 + 20
    let scores = try #require(outputs["raw_confidence"]).floats()
    let boxes = try #require(outputs["raw_coordinates"]).floats()
    // 12 (mean of core 1) - 8, but for the sigmoid of the masks.
    #expect(abs(scores[row * 3] - 0.98) < 0.005)
    for (found, expected) in zip(boxes[row * 4..<row * 4 + 4], [0.5, 0.3, 0.2, 0.2]) {
      #expect(abs(Double(found) - expected) < 0.002)
    }
  }

  @Test func pipelineGivesTheSurvivors() throws {
    let outputs = try Self.model().prediction(from: ["image": try Self.input()])
    #expect(Set(outputs.keys) == ["confidence", "coordinates"])
    #expect(outputs["confidence"]?.shape == [1, 3])
    #expect(outputs["coordinates"]?.shape == [1, 4])
  }

  @Test func thresholdsAreInputs() throws {
    let model = try Self.model()
    #expect(Set(model.numberInputs) == ["iouThreshold", "confidenceThreshold"])
    let all = try model.prediction(
      from: ["image": try Self.input()], numbers: ["iouThreshold": 1, "confidenceThreshold": 0])
    #expect(all["confidence"]?.shape == [1600, 3])
  }

  @Test func wrongInputsAreRefused() throws {
    let model = try Self.model()
    let image = try Self.input()
    let small = try Tensor(shape: [8, 8, 3], uint8s: Array(repeating: 0, count: 192))
    let wrong: [([String: Tensor], [String: Double])] = [
      ([:], [:]), (["photo": image], [:]), (["image": image, "iouThreshold": image], [:]),
      (["image": image], ["threshold": 0.5]), ([:], ["image": 1]), (["image": small], [:]),
      (["image": image], ["iouThreshold": 2]),
    ]
    for (arrays, numbers) in wrong {
      #expect(throws: DetectionError.self) {
        try model.prediction(from: arrays, numbers: numbers)
      }
    }
  }
}
