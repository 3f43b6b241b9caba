// Fovea - an object found in an image.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// An object that was found in an image.
///
/// As in Vision, the confidence of the object is the sum of the scores of its classes, here at most
/// 1. A label's confidence is its score divided by it. The product `confidence * label.confidence`
/// is therefore the score that the detector gave to a class. `topConfidence` is the score of the
/// best class: thresholds are compared with it, and people expect to see it.
public struct RecognizedObjectObservation: Hashable, Codable, Sendable {
  /// The box in fractions of the full upright image, counted from its lower left.
  ///
  /// The box may reach beyond the image; see `NormalizedRect.clamped`.
  public var boundingBox: NormalizedRect
  /// The sum of the scores of all classes, 0...1. Detectors that score each class on its own can
  /// give more than 1 in sum; that counts as 1.
  public var confidence: Float
  /// All classes with a score above 0, best first, ties by class index.
  public var labels: [ClassificationObservation]

  /// Creates an observation from its parts.
  public init(boundingBox: NormalizedRect, confidence: Float, labels: [ClassificationObservation]) {
    self.boundingBox = boundingBox
    self.confidence = confidence
    self.labels = labels
  }

  /// The class of the highest score.
  public var bestLabel: ClassificationObservation? { labels.first }

  /// The score that the detector gave to the best class: `confidence * labels[0].confidence`,
  /// 0 without labels.
  package var topConfidence: Float { labels.first.map { confidence * $0.confidence } ?? 0 }
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
  /// The observation of a row of class scores. A score above 1 counts as 1.
  ///
  /// - Parameter order: Memory that is kept from one observation to the next.
  /// - Complexity: O(classes log classes).
  init(
    boundingBox: NormalizedRect, scores: Span<Float>, classLabels: [String],
    order: inout [UInt64]
  ) {
    order.removeAll(keepingCapacity: true)
    for index in scores.indices where scores[index] > 0 {
      // Bits of floats above 0 ascend as the floats do; below them the index, so no two are equal.
      order.append(UInt64(~scores[index].bitPattern) << 32 | UInt64(index))
    }
    order.sort()
    // Without a score above 0 there is no label, and nothing is divided by 0.
    let confidence = min(1, order.reduce(Float(0)) { $0 + Self.score($1) })
    self.init(
      boundingBox: boundingBox, confidence: confidence,
      labels: order.map { key in
        let index = Int(truncatingIfNeeded: key & 0xFFFF_FFFF)
        return ClassificationObservation(
          identifier: classLabels[index], classIndex: index,
          confidence: min(1, Self.score(key) / confidence))
      })
  }

  /// The observation of one class that counts by itself. A score above 1 counts as 1.
  init(boundingBox: NormalizedRect, score: Float, classIndex: Int, classLabels: [String]) {
    self.init(
      boundingBox: boundingBox, confidence: min(1, score),
      labels: [
        ClassificationObservation(
          identifier: classLabels[classIndex], classIndex: classIndex, confidence: 1)
      ])
  }

  private static func score(_ key: UInt64) -> Float {
    Float(bitPattern: ~UInt32(truncatingIfNeeded: key >> 32))
  }
}
