// Fovea - a face found in an image.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// A face that was found in an image.
///
/// Left and right are those of the image: the left eye is the one at the left of the upright face.
public struct FaceObservation: BoundingBoxProviding, Hashable, Codable, Sendable {
  /// A point of a face that detectors place.
  public enum Point: String, CaseIterable, Hashable, Codable, Sendable {
    case leftEye, rightEye, noseTip, mouthCenter, leftMouthCorner, rightMouthCorner
    case leftEar, rightEar
  }

  /// The box in fractions of the full upright image, from its lower left.
  public var boundingBox: NormalizedRect
  /// How sure the detector is, 0...1.
  public var confidence: Float
  /// How far the face is turned around the axis of view, in radians, counterclockwise; from the line
  /// of its eyes. `nil` where the detector places no eyes.
  public var roll: Double?
  /// How far the face is turned around its vertical axis, in radians; positive towards the right of
  /// the image. Only with landmarks that have a depth.
  public var yaw: Double?
  /// How far the face is turned around the line of its ears, in radians; positive downwards. Only
  /// with landmarks that have a depth.
  public var pitch: Double?
  /// The points that the detector places, in fractions of the full upright image from its lower left.
  public var points: [Point: NormalizedPoint]
  /// The landmarks, once a request has found them.
  public var landmarks: FaceLandmarks?

  /// A face in a given box, as input for a request for landmarks.
  public init(boundingBox: NormalizedRect) {
    self.init(boundingBox: boundingBox, confidence: 1, roll: nil, points: [:])
  }

  init(
    boundingBox: NormalizedRect, confidence: Float, roll: Double?,
    points: [Point: NormalizedPoint]
  ) {
    self.boundingBox = boundingBox
    self.confidence = confidence
    self.roll = roll
    self.points = points
  }
}

extension FaceObservation: CustomStringConvertible {
  /// For example `face 93.1 % at (0.35, 0.65, 0.17, 0.2)`.
  public var description: String {
    let numbers = [boundingBox.x, boundingBox.y, boundingBox.width, boundingBox.height]
    let box = numbers.map { "\(($0 * 100).rounded() / 100)" }.joined(separator: ", ")
    return "face \((Double(confidence) * 1000).rounded() / 10) % at (\(box))"
  }
}
