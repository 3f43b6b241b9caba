// Fovea - points and rectangles in pixels of an image.
// SPDX-License-Identifier: Apache-2.0

/// A point in pixels of an image, together with the corner from which it counts.
///
/// Centers of pixels lie at halves: the first pixel covers 0 to 1.
public struct ImagePoint: Hashable, Codable, Sendable {
  /// Distance from the left edge in pixels.
  public var x: Double
  /// Distance in pixels from the bottom for `.lowerLeft`, from the top for `.upperLeft`.
  public var y: Double
  /// The corner of the image that is (0, 0).
  public var origin: CoordinateOrigin

  /// Creates the point (`x`, `y`) in pixels, counted from `origin`.
  public init(x: Double, y: Double, origin: CoordinateOrigin) {
    self.x = x
    self.y = y
    self.origin = origin
  }

  /// The same point of an image of size `imageSize`, counted from another corner.
  public func converted(to origin: CoordinateOrigin, in imageSize: ImageSize) -> ImagePoint {
    guard origin != self.origin else { return self }
    return ImagePoint(x: x, y: Double(imageSize.height) - y, origin: origin)
  }
}

/// A rectangle in pixels of an image, together with the corner from which it counts.
///
/// It takes the place of Vision's `CGRect`, whose meaning depends on another argument.
public struct ImageRect: Hashable, Codable, Sendable {
  /// Left edge in pixels.
  public var x: Double
  /// The edge nearest to `origin` in pixels: the lower one for `.lowerLeft`, the upper one for
  /// `.upperLeft`.
  public var y: Double
  /// Width in pixels.
  public var width: Double
  /// Height in pixels.
  public var height: Double
  /// The corner of the image that is (0, 0).
  public var origin: CoordinateOrigin

  /// Creates the rectangle of `width` by `height` pixels at (`x`, `y`), counted from `origin`.
  public init(x: Double, y: Double, width: Double, height: Double, origin: CoordinateOrigin) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.origin = origin
  }

  /// Smallest x in pixels.
  package var minX: Double { x }
  /// Smallest y in pixels.
  package var minY: Double { y }
  /// Largest x in pixels.
  package var maxX: Double { x + width }
  /// Largest y in pixels.
  package var maxY: Double { y + height }
  /// x of the center in pixels.
  package var midX: Double { x + width / 2 }
  /// y of the center in pixels.
  package var midY: Double { y + height / 2 }

  /// The same rectangle of an image of size `imageSize`, counted from another corner.
  public func converted(to origin: CoordinateOrigin, in imageSize: ImageSize) -> ImageRect {
    guard origin != self.origin else { return self }
    let flippedY = Double(imageSize.height) - y - height
    return ImageRect(x: x, y: flippedY, width: width, height: height, origin: origin)
  }
}
