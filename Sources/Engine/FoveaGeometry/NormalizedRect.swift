// Fovea - a rectangle in fractions of an image, as Vision gives it.
// SPDX-License-Identifier: Apache-2.0

/// A rectangle in fractions of the upright image's sides, counted from the **lower left**.
///
/// The meaning is that of Vision's `NormalizedRect`: (`x`, `y`) is the lower left corner, and the
/// whole image is (0, 0, 1, 1). Values outside 0...1 lie outside the image; see `clamped`.
public struct NormalizedRect: Hashable, Codable, Sendable {
  /// Left edge as a fraction of the width.
  public var x: Double
  /// Lower edge as a fraction of the height, from the bottom.
  public var y: Double
  /// Width as a fraction of the image's width.
  public var width: Double
  /// Height as a fraction of the image's height.
  public var height: Double

  /// The whole image: (0, 0, 1, 1).
  public static let fullImage = NormalizedRect(x: 0, y: 0, width: 1, height: 1)

  /// Creates the rectangle whose lower left corner is (`x`, `y`), in fractions.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates the rectangle that covers `imageRect`, in pixels of an image of size `imageSize`.
  ///
  /// Vision's initializer has an argument for the origin; `ImageRect` has a property instead. Along
  /// a side of zero pixels, the fractions are 0.
  public init(imageRect: ImageRect, in imageSize: ImageSize) {
    let rect = imageRect.converted(to: .lowerLeft, in: imageSize)
    self.init(
      x: fraction(rect.x, of: imageSize.width), y: fraction(rect.y, of: imageSize.height),
      width: fraction(rect.width, of: imageSize.width),
      height: fraction(rect.height, of: imageSize.height))
  }

  /// The rectangle in pixels of an image of size `imageSize`, counted from `origin`.
  public func toImageCoordinates(
    _ imageSize: ImageSize, origin: CoordinateOrigin = .lowerLeft
  ) -> ImageRect {
    let (columns, rows) = (Double(imageSize.width), Double(imageSize.height))
    let bottom = origin == .lowerLeft ? y : verticallyFlipped().y
    return ImageRect(
      x: x * columns, y: bottom * rows, width: width * columns, height: height * rows,
      origin: origin)
  }

  /// The rectangle mirrored at the horizontal center line: y becomes 1 - y - height.
  ///
  /// This converts between counting from the lower left and from the upper left.
  public func verticallyFlipped() -> NormalizedRect {
    NormalizedRect(x: x, y: 1 - y - height, width: width, height: height)
  }

  /// Left edge.
  package var minX: Double { x }
  /// Lower edge.
  package var minY: Double { y }
  /// Right edge.
  package var maxX: Double { x + width }
  /// Upper edge.
  package var maxY: Double { y + height }
  /// x of the center.
  package var midX: Double { x + width / 2 }
  /// y of the center.
  package var midY: Double { y + height / 2 }
  /// Area as a fraction of the image's area.
  package var area: Double { width * height }

  /// The lower left corner.
  package var origin: NormalizedPoint { NormalizedPoint(x: x, y: y) }
  /// The center.
  public var center: NormalizedPoint { NormalizedPoint(x: midX, y: midY) }

  /// The part inside the image. A rectangle outside the image gives one without area at the nearest
  /// edge. A NaN edge becomes 0.
  public var clamped: NormalizedRect {
    let (left, right) = (clampedToUnit(minX), clampedToUnit(maxX))
    let (lower, upper) = (clampedToUnit(minY), clampedToUnit(maxY))
    return NormalizedRect(
      x: left, y: lower, width: max(0, right - left), height: max(0, upper - lower))
  }

  /// The area of the intersection divided by the area of the union, in 0...1.
  public func intersectionOverUnion(with other: NormalizedRect) -> Double {
    CornerBox(self, origin: .lowerLeft)
      .intersectionOverUnion(with: CornerBox(other, origin: .lowerLeft))
  }
}

extension NormalizedRect: CustomStringConvertible {
  /// For example `x 0.25, y 0.5, width 0.125, height 1.0`.
  public var description: String { "x \(x), y \(y), width \(width), height \(height)" }
}

/// `value` moved into 0...1; NaN becomes 0.
private func clampedToUnit(_ value: Double) -> Double {
  Double.minimum(Double.maximum(value, 0), 1)
}
