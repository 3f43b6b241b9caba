// Fovea - tests of decoding scores and boxes.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaRuntime
import FoveaVision
import Testing

@Suite struct ConfidenceCoordinatesDecoderTests {
  /// Four boxes apart from each other, three classes.
  static let boxes: [Float] = [
    0.2, 0.2, 0.2, 0.1, 0.8, 0.2, 0.2, 0.1, 0.2, 0.8, 0.2, 0.1, 0.8, 0.8, 0.2, 0.1,
  ]

  static func candidates(
    _ confidence: [Float], _ boxes: [Float] = boxes, classes: Int = 3, threshold: Double = 0.25,
    allowed: [Bool]? = nil, rule: CandidateRule = .bestClass
  ) throws -> DetectionCandidates {
    let settings = try DetectionSettings(
      minimumConfidence: threshold, iouThreshold: 0.45, allowedClasses: allowed,
      candidateRule: rule)
    let candidates = DetectionCandidates()
    try ConfidenceCoordinatesDecoder(classCount: classes, settings: settings)
      .find(candidates, confidence: confidence.span, coordinates: boxes.span)
    return candidates
  }

  @Test func scoreIsTheHighestClassAndTiesGoToTheLowerIndex() throws {
    let found = try Self.candidates([0.1, 0.7, 0.2, 0.5, 0.5, 0.4, 0.2, 0.2, 0.2, 0.3, 0.1, 0.9])
    #expect(found.map(\.row) == [0, 1, 3])
    #expect(found.map(\.classIndex) == [1, 0, 2])
    #expect(found.map(\.score) == [0.7, 0.5, 0.9])
  }

  @Test func scoreEqualToTheThresholdStays() throws {
    let (below, above) = (Float(0.3).nextDown, Float(0.3).nextUp)
    let confidence: [Float] = [0.1, 0.3, 0, 0, 0, below, 0, 0, 0, above, 0, 0]
    #expect(try Self.candidates(confidence, threshold: 0.3).map(\.row) == [0, 3])
  }

  @Test func multiLabelGivesOneCandidatePerClass() throws {
    let confidence: [Float] = [0.1, 0.7, 0.3, 0, 0, 0, 0, 0, 0, 0.25, 0, 0.9]
    let found = try Self.candidates(confidence, rule: .multiLabel)
    #expect(found.map(\.row) == [0, 0, 3, 3])
    #expect(found.map(\.classIndex) == [1, 2, 0, 2])
    #expect(found.map(\.score) == [0.7, 0.3, 0.25, 0.9])
  }

  @Test func boxOfAClassThatIsNotAllowedIsLeftOut() throws {
    let confidence: [Float] = [0.1, 0.7, 0.6, 0.5, 0, 0, 0, 0, 0, 0, 0, 0.9]
    let found = try Self.candidates(confidence, allowed: [true, false, true])
    #expect(found.map(\.row) == [1, 3])
  }

  @Test func boxBecomesItsEdges() throws {
    let found = try Self.candidates([0.5], [0.5, 0.25, 0.25, 0.125], classes: 1)
    #expect(found.map(\.box) == [CornerBox(minX: 0.375, minY: 0.1875, maxX: 0.625, maxY: 0.3125)])
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func scoreThatIsNoNumberIsAnError(_ value: Float) throws {
    for place in 0..<3 {
      var confidence = [Float](repeating: 0, count: 12)
      confidence[6 + place] = value
      let error = #expect(throws: DetectionError.self) { try Self.candidates(confidence) }
      #expect(error?.description.contains("box 2") == true)
    }
  }

  @Test(arguments: [Float.nan, .infinity])
  func boxThatIsNoNumberIsAnErrorOnlyWhereItCounts(_ value: Float) throws {
    var boxes = Self.boxes
    boxes[7] = value
    let quiet = [Float](repeating: 0.1, count: 12)
    #expect(try Self.candidates(quiet, boxes).isEmpty)
    let loud = [Float](repeating: 0.5, count: 12)
    #expect(throws: DetectionError.self) { try Self.candidates(loud, boxes) }
  }

  @Test func noBoxesGiveNoCandidates() throws {
    #expect(try Self.candidates([], []).isEmpty)
  }

  @Test func observationsAreBestFirstAndSeenFromTheLowerLeft() throws {
    let settings = try DetectionSettings(
      minimumConfidence: 0.25, iouThreshold: 0.45, maximumObservations: 2)
    let decoder = ConfidenceCoordinatesDecoder(classCount: 3, settings: settings)
    let confidence: [Float] = [0.1, 0.5, 0, 0.25, 0.25, 0, 0, 0, 0.75, 0.6, 0, 0]
    let found = try decoder.observations(
      confidence: confidence.span, coordinates: Self.boxes.span, classLabels: ["a", "b", "c"])
    #expect(found.map(\.bestLabel?.identifier) == ["c", "a"])
    let expected = NormalizedRect(x: 0.1, y: 0.15, width: 0.2, height: 0.1)
    #expect(found[0].boundingBox.intersectionOverUnion(with: expected) > 0.9999)
  }

  /// Two rows that show one object: (3/4)^2 to (1/4)^2 makes 9 : 1.
  @Test(arguments: [(1.0, 0.4), (0.6, 0.41)])
  func displacedBoxMovesTheObjectWhereItMayVote(_ threshold: Double, _ centerX: Double) throws {
    let settings = try DetectionSettings(
      minimumConfidence: 0.25, iouThreshold: 0.45, boxVotingThreshold: threshold)
    let decoder = ConfidenceCoordinatesDecoder(classCount: 1, settings: settings)
    let (confidence, boxes): ([Float], [Float]) = (
      [0.25, 0.75], [0.5, 0.5, 0.6, 0.6, 0.4, 0.5, 0.6, 0.6]
    )
    let found = try decoder.observations(
      confidence: confidence.span, coordinates: boxes.span, classLabels: ["a"])
    #expect(found.count == 1 && found[0].confidence == 0.75)
    let box = found[0].boundingBox
    #expect(abs(box.minX + box.width / 2 - centerX) < 1e-7 && abs(box.width - 0.6) < 1e-7)
  }

  /// Boxes of an overlap of 1/3: the second keeps two thirds of its 3/8.
  @Test(arguments: [(0.0, 0.24, 0.375), (1, 0.24, 0.25), (0.5, 0.24, 0.3125), (1, 0.26, nil)])
  func overlapLowersTheConfidenceOfTheLesser(
    _ strength: Double, _ threshold: Double, _ confidence: Double?
  ) throws {
    let settings = try DetectionSettings(
      minimumConfidence: threshold, iouThreshold: 0.45, softSuppression: strength)
    let decoder = ConfidenceCoordinatesDecoder(classCount: 2, settings: settings)
    let (scores, boxes): ([Float], [Float]) = (
      [0.375, 0.125, 0.75, 0], [0.5, 0.5, 0.4, 0.4, 0.3, 0.5, 0.4, 0.4]
    )
    let found = try decoder.observations(
      confidence: scores.span, coordinates: boxes.span, classLabels: ["a", "b"])
    try #require(found.count == (confidence == nil ? 1 : 2))
    #expect(found[0].confidence == 0.75)
    guard let confidence else { return }
    #expect(abs(Double(found[1].topConfidence) - confidence) < 1e-6)
    // Shares of the labels stay what they are.
    #expect(found[1].labels.map(\.confidence) == [0.75, 0.25])
  }

  /// What is lowered makes room: the greatest number counts what is left.
  @Test func greatestNumberCountsWhatIsLeft() throws {
    let settings = try DetectionSettings(
      minimumConfidence: 0.26, iouThreshold: 0.45, softSuppression: 1, maximumObservations: 2)
    let decoder = ConfidenceCoordinatesDecoder(classCount: 1, settings: settings)
    let boxes: [Float] = [0.5, 0.5, 0.4, 0.4, 0.3, 0.5, 0.4, 0.4, 0.9, 0.9, 0.1, 0.1]
    let found = try decoder.observations(
      confidence: ([0.375, 0.75, 0.3] as [Float]).span, coordinates: boxes.span,
      classLabels: ["a"])
    #expect(found.map(\.confidence) == [0.75, 0.3])
  }

  @Test func rowOfZerosNamesNoObject() throws {
    let settings = try DetectionSettings(minimumConfidence: 0, iouThreshold: 0.45)
    let decoder = ConfidenceCoordinatesDecoder(classCount: 3, settings: settings)
    let confidence: [Float] = [0, 0, 0, 0.25, 0, 0, 0, 0, 0, 0, 0, 0]
    let found = try decoder.observations(
      confidence: confidence.span, coordinates: Self.boxes.span, classLabels: ["a", "b", "c"])
    #expect(found.count == 1 && found[0].labels.count == 1)
  }

  @Test(arguments: [-0.1, 1.1, .nan, .infinity])
  func thresholdOutsideItsRangeIsRefused(_ value: Double) {
    #expect(throws: DetectionError.self) {
      try DetectionSettings(minimumConfidence: value, iouThreshold: 0.45)
    }
    #expect(throws: DetectionError.self) {
      try DetectionSettings(minimumConfidence: 0.25, iouThreshold: value)
    }
    #expect(throws: DetectionError.self) {
      try DetectionSettings(minimumConfidence: 0.25, iouThreshold: 0.45, boxVotingThreshold: value)
    }
    #expect(throws: DetectionError.self) {
      try DetectionSettings(minimumConfidence: 0.25, iouThreshold: 0.45, softSuppression: value)
    }
  }
}
