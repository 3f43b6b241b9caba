// Fovea - where a followed object is in a picture.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaVision

/// Where a followed object is in a picture, and how sure that is.
public struct TrackedObjectObservation: Hashable, Codable, Sendable {
  /// The box in fractions of the full upright picture, counted from its lower left.
  ///
  /// It is the upright frame of the object, which may have turned, and may reach beyond the picture;
  /// see `NormalizedRect.clamped`.
  public var boundingBox: NormalizedRect
  /// How sure it is that the box shows the object, 0...1. Below 0.3 the object was not seen. It does
  /// not tell an object from another one that looks the same.
  public var confidence: Float
  /// Whether the object is seen, hidden for a moment, or lost.
  public var state: TrackingState
  /// The class of the object; `nil` if its request has none.
  public var label: String?
  /// The detection in the same picture that the box was corrected by; `nil` if none was.
  public var detection: RecognizedObjectObservation?

  /// Creates an observation from its parts.
  public init(
    boundingBox: NormalizedRect, confidence: Float, state: TrackingState, label: String? = nil,
    detection: RecognizedObjectObservation? = nil
  ) {
    self.boundingBox = boundingBox
    self.confidence = confidence
    self.state = state
    self.label = label
    self.detection = detection
  }
}

extension TrackedObjectObservation: CustomStringConvertible {
  /// For example `dog 97.1 % at (0.15, 0.07, 0.35, 0.6), following`.
  public var description: String {
    let numbers = [boundingBox.x, boundingBox.y, boundingBox.width, boundingBox.height]
    let box = numbers.map { "\(($0 * 100).rounded() / 100)" }.joined(separator: ", ")
    let percent = (Double(confidence) * 1000).rounded() / 10
    return "\(label ?? "object") \(percent) % at (\(box)), \(state.rawValue)"
  }
}
