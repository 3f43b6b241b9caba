// Fovea - all that a network said about an image, for thresholds that change.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// All scores and boxes of a network's output for an image, to apply other thresholds without
/// another inference.
///
///     request.retainsScores = true
///     let result = try request.result(on: photo)
///     request.minimumConfidence = 0.6
///     let fewer = try request.observations(in: result.scores!)
///     for candidate in try request.explanations(in: result.scores!) { print(candidate) }
///
/// They take boxes x (classes + 4) floats: 0.8 MiB for YOLOv3-tiny with 80 classes. Masks, key points
/// and turned boxes take their outputs besides.
public struct DetectionScores: Hashable, Sendable {
  /// The names of the classes, in the order of the scores.
  public let classLabels: [String]
  /// The geometry of the image.
  public let geometry: ImageGeometry
  /// Scores, boxes x classes.
  let confidence: [Float]
  /// Boxes x 4, in fractions of the network's input, as `ConfidenceCoordinatesDecoder` reads them.
  let coordinates: [Float]

  /// The outputs about masks, key points and turned boxes.
  let numbers: KeptNumbers
  let parts: ObjectPartsLayout

  init(
    confidence: [Float], coordinates: [Float], classLabels: [String], geometry: ImageGeometry,
    numbers: KeptNumbers, parts: ObjectPartsLayout
  ) {
    (self.numbers, self.parts) = (numbers, parts)
    self.confidence = confidence
    self.coordinates = coordinates
    self.classLabels = classLabels
    self.geometry = geometry
  }

  /// The number of boxes before any threshold.
  public var boxCount: Int { coordinates.count / 4 }

  /// The score of every class for one box, in the order of `classLabels`.
  ///
  /// - Precondition: `box` is in 0..<boxCount.
  public func classScores(ofBox box: Int) -> [Float] {
    precondition((0..<boxCount).contains(box), "box \(box) of \(boxCount)")
    return Array(confidence[box * classLabels.count..<(box + 1) * classLabels.count])
  }
}

extension DetectObjectsRequest {
  /// The objects of an earlier output of the network, best first, as `perform` would find them now.
  ///
  /// - Complexity: O(boxes x classes).
  ///
  /// - Throws: `.invalidRequest` for a property outside its range, or scores of other classes.
  public func observations(
    in scores: DetectionScores
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    try reader(of: scores).observations(
      confidence: scores.confidence.span, coordinates: scores.coordinates.span, scores.numbers)
  }

  /// The outcome of each box whose best score is at least `least`, best first, and its reason.
  ///
  /// - Parameters:
  ///   - scores: The scores of an earlier result.
  ///   - least: The least score to explain, above 0.
  /// - Throws: As `observations(in:)`.
  /// - Complexity: O(b c + n k) for b boxes, c classes, n candidates and k objects.
  public func explanations(
    in scores: DetectionScores, scoringAtLeast least: Float = 0.01
  ) throws(DetectionError) -> [CandidateExplanation] {
    guard least > 0, least <= 1 else {
      throw .invalidRequest("the least score to explain is \(least); it must be above 0, at most 1")
    }
    return try CandidateExplanation.all(reader(of: scores), scores, least: least)
  }

  private func reader(of scores: DetectionScores) throws(DetectionError) -> ObservationReader {
    guard scores.classLabels == classLabels else {
      throw .invalidRequest(
        "these scores are of a model with other classes; give them to a request of that model")
    }
    return ObservationReader(
      settings: try resolvedSettings(), geometry: scores.geometry, classLabels: classLabels,
      parts: scores.parts)
  }
}
