// Fovea - a key point of an object.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// A key point of an object, such as a wrist.
public struct RecognizedPoint: Hashable, Codable, Sendable {
  /// What the point is: `left_wrist`; `point 3` where neither the file nor its shape tells.
  public var name: String
  /// Where it lies, in fractions of the full upright image from the lower left. It may lie outside.
  public var location: NormalizedPoint
  /// How sure the network is that it is there, 0...1; 1 for networks that do not say.
  public var confidence: Float

  /// Creates a point.
  public init(name: String, location: NormalizedPoint, confidence: Float) {
    self.name = name
    self.location = location
    self.confidence = confidence
  }
}

/// The points that networks find in people, and the lines between them.
package enum BodyPoints {
  /// Points of which a network is less sure count as not seen.
  package static let leastConfidence: Float = 0.5

  /// The names of COCO's 17 points, in their order.
  package static let names = [
    "nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder",
    "left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip", "left_knee",
    "right_knee", "left_ankle", "right_ankle",
  ]

  /// Which of them limbs join.
  package static let limbs: [(Int, Int)] = [
    (15, 13), (13, 11), (16, 14), (14, 12), (11, 12), (5, 11), (6, 12), (5, 6), (5, 7), (6, 8),
    (7, 9), (8, 10), (1, 2), (0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 6),
  ]
}
