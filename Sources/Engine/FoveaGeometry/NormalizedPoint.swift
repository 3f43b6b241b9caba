// Fovea - a point in fractions of an image, as Vision gives it.
// SPDX-License-Identifier: Apache-2.0

/// A point in fractions of the upright image's sides, counted from the **lower left**.
///
/// (0, 0) is the lower left corner and (1, 1) the upper right one. Other values lie outside the
/// image.
public struct NormalizedPoint: Hashable, Codable, Sendable {
  /// Fraction of the width, from the left.
  public var x: Double
  /// Fraction of the height, from the bottom.
  public var y: Double

  /// The lower left corner of the image: (0, 0).
  package static let zero = NormalizedPoint(x: 0, y: 0)

  /// Creates the point at (`x`, `y`), in fractions, counted from the lower left.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Creates the point of an image of size `imageSize` at `imagePoint`, whatever its origin.
  ///
  /// Along a side of zero pixels the fraction is 0.
  public init(imagePoint: ImagePoint, in imageSize: ImageSize) {
    let point = imagePoint.converted(to: .lowerLeft, in: imageSize)
    self.init(
      x: fraction(point.x, of: imageSize.width), y: fraction(point.y, of: imageSize.height))
  }

  /// The point mirrored at the horizontal center line: y becomes 1 - y.
  package func verticallyFlipped() -> NormalizedPoint { NormalizedPoint(x: x, y: 1 - y) }

  /// The point in pixels of an image of size `imageSize`, counted from `origin`.
  public func toImageCoordinates(
    _ imageSize: ImageSize, origin: CoordinateOrigin = .lowerLeft
  ) -> ImagePoint {
    ImagePoint(
      x: x * Double(imageSize.width), y: y * Double(imageSize.height), origin: .lowerLeft
    ).converted(to: origin, in: imageSize)
  }
}

extension NormalizedPoint: CustomStringConvertible {
  /// For example `x 0.25, y 0.5`.
  public var description: String { "x \(x), y \(y)" }
}

/// `pixels / side`, or 0 where the side has no pixel.
func fraction(_ pixels: Double, of side: Int) -> Double {
  side == 0 ? 0 : pixels / Double(side)
}
