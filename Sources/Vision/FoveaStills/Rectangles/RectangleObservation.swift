// Fovea - a rectangle found in an image.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// A rectangle as a camera saw it: four corners in fractions of the upright image, from its lower left.
///
/// Which side of a plain rectangle is its upper one cannot be seen: `topLeft` is the corner that is
/// upper left in the image, and the others follow clockwise.
public struct RectangleObservation: QuadrilateralProviding, Hashable, Codable, Sendable {
  /// The corner at the upper left.
  public var topLeft: NormalizedPoint
  /// The corner at the upper right.
  public var topRight: NormalizedPoint
  /// The corner at the lower right.
  public var bottomRight: NormalizedPoint
  /// The corner at the lower left.
  public var bottomLeft: NormalizedPoint
  /// How likely it is a thing of its own and no part of a pattern, 0...1.
  public var confidence: Float

  /// Creates a rectangle from its corners.
  public init(
    topLeft: NormalizedPoint, topRight: NormalizedPoint, bottomRight: NormalizedPoint,
    bottomLeft: NormalizedPoint, confidence: Float = 1
  ) {
    (self.topLeft, self.topRight) = (topLeft, topRight)
    (self.bottomRight, self.bottomLeft) = (bottomRight, bottomLeft)
    self.confidence = confidence
  }

  init(_ found: QuadFinder.Found, in picture: StillPicture) {
    let quad = picture.quadrilateral(found.quad)
    self.init(
      topLeft: quad.topLeft, topRight: quad.topRight, bottomRight: quad.bottomRight,
      bottomLeft: quad.bottomLeft, confidence: found.confidence)
  }
}

extension RectangleObservation: CustomStringConvertible {
  /// For example `rectangle 98.3 % (x 0.1, y 0.9; x 0.8, y 0.88; x 0.82, y 0.2; x 0.12, y 0.22)`.
  public var description: String {
    let corners = corners.map { point in
      "x \((point.x * 1000).rounded() / 1000), y \((point.y * 1000).rounded() / 1000)"
    }
    let percent = (Double(confidence) * 1000).rounded() / 10
    return "rectangle \(percent) % (\(corners.joined(separator: "; ")))"
  }
}
