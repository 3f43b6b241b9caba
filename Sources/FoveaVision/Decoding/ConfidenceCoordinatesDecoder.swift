// Fovea - from scores and boxes to candidates, and to those that survive suppression.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// Boxes that may be objects, before suppression.
package struct DetectionCandidates: Sendable {
  /// The row of the network's output that each candidate comes from.
  package var rows: [Int] = []
  /// The class of each candidate.
  package var classes: [Int] = []
  /// The score of that class.
  package var scores: [Float] = []
  /// The box in fractions of the picture, y counted from the top.
  package var boxes: [CornerBox] = []
}

/// Reads the two arrays that Core ML detectors put out.
///
/// `confidence` is boxes x classes; `coordinates` is boxes x 4: centre x, centre y, width and
/// height in fractions of the picture, y counted from the top.
package struct ConfidenceCoordinatesDecoder: Sendable {
  /// The number of classes, at least 1.
  package var classCount: Int
  /// The settings of the detection.
  package var settings: DetectionSettings

  /// Creates a decoder.
  package init(classCount: Int, settings: DetectionSettings) {
    self.classCount = classCount
    self.settings = settings
  }

  /// The rows whose score reaches the threshold.
  ///
  /// The score of a row is its highest class score, at equal scores that of the lower index; or
  /// each class counts by itself when the settings say so. A class that is not allowed gives no
  /// candidate, and neither does the box whose best class it is. O(boxes x classes).
  ///
  /// - Throws: `.invalidOutput` for a score, or a box of a candidate, that is not a finite number.
  package func candidates(
    confidence: Span<Float>, coordinates: Span<Float>
  ) throws(DetectionError) -> DetectionCandidates {
    let rowCount = confidence.count / classCount
    precondition(coordinates.count == rowCount * 4 && confidence.count == rowCount * classCount)
    let threshold = Float(settings.minimumConfidence)
    var found = DetectionCandidates()
    for row in 0..<rowCount {
      let best = try bestClass(of: row, in: confidence)
      guard best.score >= threshold else { continue }
      switch settings.candidateRule {
      case .bestClass:
        try append(best.index, best.score, row: row, coordinates, to: &found)
      case .multiLabel:
        for index in 0..<classCount where confidence[row * classCount + index] >= threshold {
          let score = confidence[row * classCount + index]
          try append(index, score, row: row, coordinates, to: &found)
        }
      }
    }
    return found
  }

  /// Indices into `candidates` of those that survive suppression, best first.
  package func survivors(of candidates: DetectionCandidates) -> [Int] {
    nonMaximumSuppression(
      boxes: candidates.boxes, scores: candidates.scores, labels: candidates.classes,
      confidenceThreshold: settings.minimumConfidence, iouThreshold: settings.iouThreshold,
      classAgnostic: settings.isClassAgnostic, maximumCount: settings.maximumObservations)
  }

  /// The observations of the candidates that survive suppression, best first.
  ///
  /// - Throws: As `candidates(confidence:coordinates:)`.
  package func observations(
    confidence: Span<Float>, coordinates: Span<Float>, classLabels: [String]
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    let candidates = try candidates(confidence: confidence, coordinates: coordinates)
    var observations: [RecognizedObjectObservation] = []
    // With a threshold of 0 a row of zeros passes, but it names no class and so no object.
    for index in survivors(of: candidates) where candidates.scores[index] > 0 {
      let start = candidates.rows[index] * classCount
      let scores: [(classIndex: Int, score: Float)] =
        settings.candidateRule == .multiLabel
        ? [(candidates.classes[index], candidates.scores[index])]
        : (0..<classCount).map { ($0, confidence[start + $0]) }
      observations.append(
        RecognizedObjectObservation(
          boundingBox: NormalizedRect(candidates.boxes[index], origin: .upperLeft),
          scores: scores, classLabels: classLabels))
    }
    return observations
  }

  private func bestClass(
    of row: Int, in confidence: Span<Float>
  ) throws(DetectionError) -> (index: Int, score: Float) {
    let start = row * classCount
    var best = (index: 0, score: confidence[start])
    // Becomes NaN as soon as one score is NaN or infinite, and stays so.
    var finite: Float = 0
    for index in 0..<classCount {
      let score = confidence[start + index]
      finite += score * 0
      if score > best.score { best = (index, score) }
    }
    guard finite == 0 else {
      throw .invalidOutput(
        "the network's scores of box \(row) are not finite numbers; "
          + "the model's weights are damaged or its input is scaled wrongly")
    }
    return best
  }

  private func append(
    _ index: Int, _ score: Float, row: Int, _ coordinates: Span<Float>,
    to found: inout DetectionCandidates
  ) throws(DetectionError) {
    if let allowed = settings.allowedClasses, !allowed[index] { return }
    let start = row * 4
    let box = CenterBox(
      centerX: Double(coordinates[start]), centerY: Double(coordinates[start + 1]),
      width: Double(coordinates[start + 2]), height: Double(coordinates[start + 3]))
    guard box.centerX.isFinite, box.centerY.isFinite, box.width.isFinite, box.height.isFinite
    else {
      throw .invalidOutput(
        "the network's coordinates of box \(row) are not finite numbers; "
          + "the model's weights are damaged or its input is scaled wrongly")
    }
    found.rows.append(row)
    found.classes.append(index)
    found.scores.append(score)
    found.boxes.append(CornerBox(box))
  }
}
