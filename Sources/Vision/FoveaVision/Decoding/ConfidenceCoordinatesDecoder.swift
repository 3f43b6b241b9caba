// Fovea - from scores and boxes to candidates, and to those that survive suppression.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
package import FoveaRuntime

/// Memory that decoding and suppression keep from one image to the next. One user at a time.
package final class PostprocessingMemory {
  /// The candidates of the last image, and which of them survived.
  package let candidates = DetectionCandidates()
  /// The rows of the network's output that the last observations came from.
  fileprivate(set) var rows: [Int] = []
  /// For sorting the labels of an object.
  fileprivate var labelOrder: [UInt64] = []

  /// Creates memory that has not grown yet.
  package init() {}
}

/// Reads the two arrays that Core ML detectors put out, by the functions of the core.
///
/// `confidence` is boxes x classes; `coordinates` is boxes x 4: center x, center y, width and
/// height in fractions of the image, y counted from the top.
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

  /// Leaves the rows whose score reaches the threshold in `candidates`.
  ///
  /// The score of a row is its highest class score, at equal scores that of the lower index; or
  /// each class counts by itself when the settings say so. A class that is not allowed gives no
  /// candidate, and neither does the box whose best class it is. O(boxes x classes).
  ///
  /// - Throws: `.invalidOutput` for a score, or a box of a candidate, that is not a finite number.
  package func find(
    _ candidates: DetectionCandidates, confidence: Span<Float>, coordinates: Span<Float>
  ) throws(DetectionError) {
    let rule = DetectionCandidates.Rule(
      threshold: Float(settings.minimumConfidence),
      countsEveryClass: settings.candidateRule == .multiLabel,
      allowedClasses: settings.allowedClasses)
    do throws(DetectionCandidates.InvalidOutput) {
      try candidates.find(
        scores: confidence, boxes: coordinates, classCount: classCount, rule)
    } catch {
      throw .invalidOutput(error.message)
    }
  }

  /// Leaves the candidates and the survivors of suppression in `candidates`. Once their memory has
  /// grown to what the images need, nothing is allocated.
  ///
  /// - Parameter turned: Boxes x 5, where boxes are turned (`ObjectOutput.turnedBoxes`).
  /// - Throws: As `find`.
  package func findSurvivors(
    in candidates: DetectionCandidates, confidence: Span<Float>, coordinates: Span<Float>,
    turned: Span<Float>? = nil
  ) throws(DetectionError) {
    try find(candidates, confidence: confidence, coordinates: coordinates)
    candidates.suppress(settings.suppression, turned: turned)
  }

  /// The observations of the candidates that survive suppression, greedy and soft, best first.
  ///
  /// - Throws: As `find`.
  package func observations(
    confidence: Span<Float>, coordinates: Span<Float>, turned: Span<Float>? = nil,
    classLabels: [String], memory: PostprocessingMemory = PostprocessingMemory()
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    let (candidates, suppression) = (memory.candidates, settings.suppression)
    try findSurvivors(
      in: candidates, confidence: confidence, coordinates: coordinates, turned: turned)
    memory.rows.removeAll(keepingCapacity: true)
    var observations: [RecognizedObjectObservation] = []
    observations.reserveCapacity(candidates.survivors.count)
    for survivor in candidates.survivors {
      let candidate = candidates[survivor.index]
      // With a threshold of 0 a row of zeros passes, but it names no class and so no object.
      guard candidate.score > 0 else { continue }
      // Turned boxes vote for no other.
      let voted =
        turned == nil ? candidates.votedBox(of: survivor.index, suppression) : candidate.box
      let box = NormalizedRect(voted, origin: .upperLeft)
      let start = candidate.row * classCount
      var observation =
        switch settings.candidateRule {
        case .bestClass:
          RecognizedObjectObservation(
            boundingBox: box, scores: confidence.extracting(start..<start + classCount),
            classLabels: classLabels, order: &memory.labelOrder)
        case .multiLabel:
          RecognizedObjectObservation(
            boundingBox: box, score: candidate.score, classIndex: candidate.classIndex,
            classLabels: classLabels)
        }
      // The labels are shares of it, and stay what they are.
      observation.confidence *= survivor.share
      observations.append(observation)
      memory.rows.append(candidate.row)
    }
    return observations
  }
}
