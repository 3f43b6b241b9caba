// Fovea - an object found in a picture.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// An object found in a picture: where it is, and what it may be.
///
/// Vision's rule for confidences: the confidence of the object is the **sum** of the scores of its
/// classes, and each label's confidence is its share of that sum. The score that the detector gave
/// to a class is therefore `confidence * label.confidence`; `topConfidence` is that of the best
/// class, which is what thresholds are compared with and what people expect to see.
public struct RecognizedObjectObservation: Hashable, Codable, Sendable {
  /// Where the object is, in fractions of the upright, full picture counted from its lower left.
  ///
  /// Not clipped: a box may reach beyond the picture. See `NormalizedRect.clamped`.
  public var boundingBox: NormalizedRect
  /// The sum of the scores of all classes. Detectors that score each class on its own can give
  /// more than 1.
  public var confidence: Float
  /// All classes with a score above 0, best first, ties by class index. Never empty.
  public var labels: [ClassificationObservation]

  /// Creates an observation from its parts.
  public init(boundingBox: NormalizedRect, confidence: Float, labels: [ClassificationObservation]) {
    self.boundingBox = boundingBox
    self.confidence = confidence
    self.labels = labels
  }

  /// The class of the highest score.
  public var bestLabel: ClassificationObservation? { labels.first }

  /// The score that the detector gave to the best class: `confidence * labels[0].confidence`.
  public var topConfidence: Float { labels.first.map { confidence * $0.confidence } ?? 0 }
}

extension RecognizedObjectObservation: CustomStringConvertible {
  /// For example `dog 95.9 % at (0.15, 0.07, 0.35, 0.60)`.
  public var description: String {
    let numbers = [boundingBox.x, boundingBox.y, boundingBox.width, boundingBox.height]
    let box = numbers.map { "\(($0 * 100).rounded() / 100)" }.joined(separator: ", ")
    let percent = (Double(topConfidence) * 1000).rounded() / 10
    return "\(bestLabel?.identifier ?? "object") \(percent) % at (\(box))"
  }
}

extension RecognizedObjectObservation {
  /// The observation that a row of class scores gives by Vision's rule.
  ///
  /// Complexity: O(classes log classes).
  init(
    boundingBox: NormalizedRect, scores: [(classIndex: Int, score: Float)], classLabels: [String]
  ) {
    let positive = scores.filter { $0.score > 0 }.sorted {
      $0.score != $1.score ? $0.score > $1.score : $0.classIndex < $1.classIndex
    }
    let sum = positive.reduce(Float(0)) { $0 + $1.score }
    self.init(
      boundingBox: boundingBox, confidence: sum,
      labels: positive.map {
        ClassificationObservation(
          identifier: classLabels[$0.classIndex], classIndex: $0.classIndex,
          confidence: $0.score / sum)
      })
  }
}
