// Fovea - an object found in an image.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaShapes

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
  /// The pixels of the full upright image that belong to the object; `nil` where the network finds
  /// no masks.
  public var mask: InstanceMask?
  /// The key points of the object, in the network's order; empty where it finds none.
  public var keypoints: [RecognizedPoint]
  /// The corners of the object's turned box on the full upright image; `nil` where boxes are not
  /// turned. `boundingBox` is the upright box around them.
  public var corners: Quadrilateral?
  /// By how much the box is turned, in radians, clockwise on the screen. `nil` where boxes are not
  /// turned, and where x and y were scaled differently, so that its corners form no rectangle.
  public var rotation: Double?

  /// Creates an observation from its parts.
  public init(
    boundingBox: NormalizedRect, confidence: Float, labels: [ClassificationObservation],
    mask: InstanceMask? = nil, keypoints: [RecognizedPoint] = [], corners: Quadrilateral? = nil,
    rotation: Double? = nil
  ) {
    (self.boundingBox, self.confidence, self.labels) = (boundingBox, confidence, labels)
    (self.mask, self.keypoints) = (mask, keypoints)
    (self.corners, self.rotation) = (corners, rotation)
  }

  /// The class of the highest score.
  public var bestLabel: ClassificationObservation? { labels.first }

  /// The score that the detector gave to the best class: `confidence * labels[0].confidence`,
  /// 0 without labels.
  package var topConfidence: Float { labels.first.map { confidence * $0.confidence } ?? 0 }
}

extension RecognizedObjectObservation {
  /// Reads an observation. Observations of versions before 0.3 have neither masks nor points.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      boundingBox: try container.decode(NormalizedRect.self, forKey: .boundingBox),
      confidence: try container.decode(Float.self, forKey: .confidence),
      labels: try container.decode([ClassificationObservation].self, forKey: .labels),
      mask: try container.decodeIfPresent(InstanceMask.self, forKey: .mask),
      keypoints: try container.decodeIfPresent([RecognizedPoint].self, forKey: .keypoints) ?? [],
      corners: try container.decodeIfPresent(Quadrilateral.self, forKey: .corners),
      rotation: try container.decodeIfPresent(Double.self, forKey: .rotation))
  }
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
