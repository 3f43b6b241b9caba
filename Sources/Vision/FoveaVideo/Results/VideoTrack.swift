// Fovea - an object that keeps its identifier from picture to picture.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaTracking
public import FoveaVision

/// An object of one picture, with the identifier that it has in every picture.
public struct VideoTrack: Hashable, Sendable {
  /// The same for the same object in every picture; counted from 1, never used for another object.
  public let identifier: Int
  /// The best class of its detections.
  public let label: String
  /// The score of that class in its last detection.
  public let confidence: Float
  /// The box in fractions of the full upright picture, counted from its lower left. It lies between
  /// what was detected and what the object's motion lets expect.
  public let boundingBox: NormalizedRect
  /// The detection that continued the track; `nil` where the object was not seen.
  public let observation: RecognizedObjectObservation?

  /// Whether the object was not seen in this picture, and the box is where it should be by now.
  public var isPredicted: Bool { observation == nil }

  /// The coarse category of the label, one of those of ML Kit; `nil` for what has none.
  public var category: CoarseCategory? { CoarseCategory(label: label) }
}

extension VideoTrack: CustomStringConvertible {
  /// For example `3: dog 95.9 % at (0.15, 0.07, 0.35, 0.6)`.
  public var description: String {
    let numbers = [boundingBox.x, boundingBox.y, boundingBox.width, boundingBox.height]
    let box = numbers.map { "\(($0 * 100).rounded() / 100)" }.joined(separator: ", ")
    let percent = (Double(confidence) * 1000).rounded() / 10
    return "\(identifier): \(label) \(percent) % at (\(box))\(isPredicted ? ", predicted" : "")"
  }
}
