// Fovea - what has four corners on the upright image.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaShapes

/// What has a box on the upright image.
public protocol BoundingBoxProviding {
  /// The least upright box around it, in fractions of the full upright image from the lower left.
  var boundingBox: NormalizedRect { get }
}

/// What has four corners on the upright image, in fractions from the lower left.
///
/// The names of the corners are those of the thing itself: the upper left corner of a sheet that was
/// photographed upside down lies at the lower right of the image.
public protocol QuadrilateralProviding: BoundingBoxProviding {
  /// The corner at the upper left of the thing.
  var topLeft: NormalizedPoint { get }
  /// The corner at its upper right.
  var topRight: NormalizedPoint { get }
  /// The corner at its lower right.
  var bottomRight: NormalizedPoint { get }
  /// The corner at its lower left.
  var bottomLeft: NormalizedPoint { get }
}

extension QuadrilateralProviding {
  /// The corners clockwise, from the upper left one of the thing.
  package var corners: [NormalizedPoint] { [topLeft, topRight, bottomRight, bottomLeft] }

  /// The least upright box around the corners.
  public var boundingBox: NormalizedRect {
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    let (left, lower) = (xs.min() ?? 0, ys.min() ?? 0)
    return NormalizedRect(
      x: left, y: lower, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - lower)
  }
}

extension Quadrilateral: QuadrilateralProviding {
  /// The corners of anything that has some.
  public init(_ other: some QuadrilateralProviding) {
    self.init(
      topLeft: other.topLeft, topRight: other.topRight, bottomRight: other.bottomRight,
      bottomLeft: other.bottomLeft)
  }
}
