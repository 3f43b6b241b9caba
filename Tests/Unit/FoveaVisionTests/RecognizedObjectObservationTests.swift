// Fovea - tests of the rule for confidences.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaGeometry
import FoveaRuntime
import FoveaTestSupport
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
    let scores: [Float] = [0.4, 0.3, 0.01, 0.13]
    let object = try Self.observation(scores)
    #expect(abs(object.confidence - 0.84) < 1e-6)
    #expect(abs(object.labels.reduce(0) { $0 + $1.confidence } - 1) < 1e-6)
    for label in object.labels {
      #expect(abs(object.confidence * label.confidence - scores[label.classIndex]) < 1e-6)
    }
  }

  @Test func sumsAboveOneCountAsOne() throws {
    let scores: [Float] = [0.9, 0.8, 0.01, 0.33]
    let object = try Self.observation(scores)
    #expect(object.confidence == 1)
    #expect(object.labels.map(\.classIndex) == [0, 1, 3, 2])
    for label in object.labels { #expect(label.confidence == scores[label.classIndex]) }
    #expect(object.topConfidence == 0.9)
  }

  /// Scores are 0...1; a network that puts out more is believed no more than one that is certain.
  /// Such numbers are no scores, and no 100 % either.
  @Test func scoresAboveOneAreRefused() {
    let error = #expect(throws: DetectionError.self) { try Self.observation([0.5, 1.25, 3]) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("1.25"))
  }

  /// Where the sum is at least 1 the product is the score itself, below it within two roundings.
  @Test(arguments: CandidateRule.allCases)
  func noConfidenceIsAboveOneAndProductsAreTheScores(_ rule: CandidateRule) throws {
    var random = SplitMix(seed: 11)
    for round in 0..<60 {
      let (rows, classes) = (50, [1, 3, 80][round % 3])
      // Up to one class in all that is certain, so that sums lie on both sides of 1.
      let greatest = Float(1) / Float([1, 2, classes][round / 3 % 3])
      let confidence = (0..<rows * classes).map { _ in
        Float.random(in: 0...greatest, using: &random)
      }
      let coordinates = (0..<rows * 4).map { _ in Float.random(in: 0...1, using: &random) }
      let settings = try DetectionSettings(
        minimumConfidence: 0, iouThreshold: 1, candidateRule: rule)
      let decoder = ConfidenceCoordinatesDecoder(classCount: classes, settings: settings)
      let memory = PostprocessingMemory()
      let objects = try decoder.observations(
        confidence: confidence.span, coordinates: coordinates.span,
        classLabels: (0..<classes).map(String.init), memory: memory)
      #expect(objects.count == memory.candidates.survivors.count)
      for (object, survivor) in zip(objects, memory.candidates.survivors) {
        #expect((0...1).contains(object.confidence))
        for label in object.labels {
          #expect((0...1).contains(label.confidence))
          let row = memory.candidates[survivor.index].row
          let score = confidence[row * classes + label.classIndex]
          let product = object.confidence * label.confidence
          #expect(abs(product - score) <= (object.confidence == 1 ? 0 : score.ulp))
        }
      }
    }
  }

  @Test func equalScoresAreOrderedByIndex() throws {
    #expect(try Self.observation([0.2, 0.4, 0.4]).labels.map(\.classIndex) == [1, 2, 0])
  }

  /// The rule read aloud, in the same order of sums, so that the bits are the same.
  @Test(arguments: [1, 7, 80, 300])
  func manyScoresWithTiesGiveTheBitsOfTheRule(_ classes: Int) throws {
    var random = SplitMix(seed: 5)
    let tiny = Float.leastNonzeroMagnitude
    for round in 0..<40 {
      var scores = (0..<classes).map { _ in Float.random(in: 0..<1, using: &random) }
      for index in scores.indices where index % 3 == 1 {
        scores[index] = [0, -0.0, -0.0005, tiny, scores[index - 1]][round % 5]
      }
      scores[0] = 0.75
      let positive = scores.indices.filter { scores[$0] > 0 }.sorted {
        scores[$0] == scores[$1] ? $0 < $1 : scores[$0] > scores[$1]
      }
      let sum = min(1, positive.reduce(Float(0)) { $0 + scores[$1] })
      let object = try Self.observation(scores)
      #expect(object.confidence == sum)
      #expect(object.labels.map(\.classIndex) == positive)
      #expect(object.labels.map(\.confidence) == positive.map { scores[$0] / sum })
      #expect(object.labels.allSatisfy { $0.identifier == "class \($0.classIndex)" })
    }
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
