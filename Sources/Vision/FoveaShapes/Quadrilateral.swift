// Fovea - four corners on the upright image.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// Four corners on the upright image.
public struct Quadrilateral: Hashable, Codable, Sendable {
  /// The corner at the upper left of the thing.
  public var topLeft: NormalizedPoint
  /// The corner at its upper right.
  public var topRight: NormalizedPoint
  /// The corner at its lower right.
  public var bottomRight: NormalizedPoint
  /// The corner at its lower left.
  public var bottomLeft: NormalizedPoint

  /// Creates a quadrilateral from its corners, in fractions of the image from the lower left.
  public init(
    topLeft: NormalizedPoint, topRight: NormalizedPoint, bottomRight: NormalizedPoint,
    bottomLeft: NormalizedPoint
  ) {
    (self.topLeft, self.topRight) = (topLeft, topRight)
    (self.bottomRight, self.bottomLeft) = (bottomRight, bottomLeft)
  }

  /// The corners clockwise, from the upper left one of the thing.
  package var corners: [NormalizedPoint] { [topLeft, topRight, bottomRight, bottomLeft] }
}
