// Fovea - tests of Vision's rule for confidences.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaGeometry
import FoveaVision
import Testing

@Suite struct RecognizedObjectObservationTests {
  /// One box with the given class scores.
  static func observation(_ scores: [Float]) throws -> RecognizedObjectObservation {
    let settings = try DetectionSettings(minimumConfidence: 0.1, iouThreshold: 0.45)
    let boxes: [Float] = [0.5, 0.5, 0.5, 0.5]
    let found = try ConfidenceCoordinatesDecoder(classCount: scores.count, settings: settings)
      .observations(
        confidence: scores.span, coordinates: boxes.span,
        classLabels: scores.indices.map { "class \($0)" })
    return try #require(found.first)
  }

  @Test func confidenceIsTheSumAndLabelsAreShares() throws {
    let object = try Self.observation([0.125, 0, 0.5, 0.375])
    #expect(object.confidence == 1)
    #expect(object.labels.map(\.classIndex) == [2, 3, 0])
    #expect(object.labels.map(\.identifier) == ["class 2", "class 3", "class 0"])
    #expect(object.labels.map(\.confidence) == [0.5, 0.375, 0.125])
    #expect(object.topConfidence == 0.5)
  }

  @Test func sharesSumToOneAndGiveTheScoresBack() throws {
    let scores: [Float] = [0.9, 0.8, 0.01, 0.33]
    let object = try Self.observation(scores)
    #expect(abs(object.confidence - 2.04) < 1e-6)
    #expect(abs(object.labels.reduce(0) { $0 + $1.confidence } - 1) < 1e-6)
    for label in object.labels {
      #expect(abs(object.confidence * label.confidence - scores[label.classIndex]) < 1e-6)
    }
  }

  @Test func equalScoresAreOrderedByIndex() throws {
    #expect(try Self.observation([0.2, 0.4, 0.4]).labels.map(\.classIndex) == [1, 2, 0])
  }

  @Test func observationSurvivesCoding() throws {
    let object = try Self.observation([0.3, 0.6])
    let data = try JSONEncoder().encode([object])
    let decoded = try JSONDecoder().decode([RecognizedObjectObservation].self, from: data)
    #expect(decoded == [object])
    #expect(Set(decoded + [object]).count == 1)
  }

  @Test func descriptionNamesTheObject() throws {
    #expect(try Self.observation([0.3, 0.6]).description.hasPrefix("class 1 60.0 % at (0.25, "))
  }
}
