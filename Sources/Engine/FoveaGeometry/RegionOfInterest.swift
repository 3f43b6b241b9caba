// Fovea - points and rectangles in fractions of a part of an image.
// SPDX-License-Identifier: Apache-2.0

extension NormalizedRect {
  /// Creates the rectangle that covers `imageRect`, in fractions of a region of interest.
  ///
  /// - Parameters:
  ///   - imageRect: A rectangle in pixels of the whole image, whatever its origin.
  ///   - imageSize: The size of the whole image.
  ///   - regionOfInterest: The region, in fractions of the whole image. Along a side of zero the
  ///     fractions are 0.
  public init(
    imageRect: ImageRect, in imageSize: ImageSize, normalizedTo regionOfInterest: NormalizedRect
  ) {
    let rect = NormalizedRect(imageRect: imageRect, in: imageSize)
    self.init(
      x: fraction(rect.x - regionOfInterest.x, of: regionOfInterest.width),
      y: fraction(rect.y - regionOfInterest.y, of: regionOfInterest.height),
      width: fraction(rect.width, of: regionOfInterest.width),
      height: fraction(rect.height, of: regionOfInterest.height))
  }

  /// The rectangle in pixels of the whole image, for a rectangle in fractions of a region of
  /// interest.
  ///
  /// - Parameters:
  ///   - regionOfInterest: The region, in fractions of the whole image.
  ///   - imageSize: The size of the whole image.
  ///   - origin: The corner from which the result counts.
  public func toImageCoordinates(
    from regionOfInterest: NormalizedRect, imageSize: ImageSize,
    origin: CoordinateOrigin = .lowerLeft
  ) -> ImageRect {
    NormalizedRect(
      x: x * regionOfInterest.width + regionOfInterest.x,
      y: y * regionOfInterest.height + regionOfInterest.y,
      width: width * regionOfInterest.width, height: height * regionOfInterest.height
    ).toImageCoordinates(imageSize, origin: origin)
  }
}

extension NormalizedPoint {
  /// Creates the point at `imagePoint`, in fractions of a region of interest.
  ///
  /// - Parameters:
  ///   - imagePoint: A point in pixels of the whole image, whatever its origin.
  ///   - imageSize: The size of the whole image.
  ///   - regionOfInterest: The region, in fractions of the whole image. Along a side of zero the
  ///     fraction is 0.
  public init(
    imagePoint: ImagePoint, in imageSize: ImageSize, normalizedTo regionOfInterest: NormalizedRect
  ) {
    let point = NormalizedPoint(imagePoint: imagePoint, in: imageSize)
    self.init(
      x: fraction(point.x - regionOfInterest.x, of: regionOfInterest.width),
      y: fraction(point.y - regionOfInterest.y, of: regionOfInterest.height))
  }

  /// The point in pixels of the whole image, for a point in fractions of a region of interest.
  ///
  /// - Parameters:
  ///   - regionOfInterest: The region, in fractions of the whole image.
  ///   - imageSize: The size of the whole image.
  ///   - origin: The corner from which the result counts.
  public func toImageCoordinates(
    from regionOfInterest: NormalizedRect, imageSize: ImageSize,
    origin: CoordinateOrigin = .lowerLeft
  ) -> ImagePoint {
    NormalizedPoint(
      x: x * regionOfInterest.width + regionOfInterest.x,
      y: y * regionOfInterest.height + regionOfInterest.y
    ).toImageCoordinates(imageSize, origin: origin)
  }
}

/// `length / side`, or 0 along a side of zero.
private func fraction(_ length: Double, of side: Double) -> Double {
  side == 0 ? 0 : length / side
}
