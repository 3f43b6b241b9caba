// Fovea - points and rectangles in fractions of a picture, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaAppleVision
public import FoveaGeometry

/// A point in fractions of a picture, from the lower left.
public struct NormalizedPoint: Hashable, Codable, Sendable, CustomStringConvertible {
  public let x, y: CGFloat

  public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }

  init(_ point: FoveaGeometry.NormalizedPoint) { self.init(x: point.x, y: point.y) }

  public init(normalizedPoint: CGPoint) { self.init(x: normalizedPoint.x, y: normalizedPoint.y) }

  public init(imagePoint: CGPoint, in imageSize: CGSize) {
    self.init(x: imagePoint.x / imageSize.width, y: imagePoint.y / imageSize.height)
  }

  /// A point as fractions of a region of the picture.
  public init(
    imagePoint: CGPoint, in imageSize: CGSize, normalizedTo regionOfInterest: NormalizedRect
  ) {
    let point = NormalizedPoint(imagePoint: imagePoint, in: imageSize)
    let region = regionOfInterest.cgRect
    self.init(x: (point.x - region.minX) / region.width, y: (point.y - region.minY) / region.height)
  }

  public static let zero = NormalizedPoint(x: 0, y: 0)

  public var cgPoint: CGPoint { CGPoint(x: x, y: y) }

  public func toImageCoordinates(
    _ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
  ) -> CGPoint {
    CGPoint(
      x: x * imageSize.width, y: (origin == .lowerLeft ? y : 1 - y) * imageSize.height)
  }

  /// The place of a point that is given in fractions of a region.
  public func toImageCoordinates(
    from regionOfInterest: NormalizedRect, imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
  ) -> CGPoint {
    let region = regionOfInterest.cgRect
    return NormalizedPoint(x: region.minX + x * region.width, y: region.minY + y * region.height)
      .toImageCoordinates(imageSize, origin: origin)
  }

  public func verticallyFlipped() -> NormalizedPoint { NormalizedPoint(x: x, y: 1 - y) }

  public var description: String { "(\(x), \(y))" }
}

/// A rectangle in fractions of a picture, from the lower left.
public struct NormalizedRect: Hashable, Codable, Sendable, CustomStringConvertible {
  public let cgRect: CGRect

  public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {
    cgRect = CGRect(x: x, y: y, width: width, height: height)
  }

  init(_ rect: FoveaGeometry.NormalizedRect) { cgRect = CGRect(rect) }

  public init(normalizedRect: CGRect) { cgRect = normalizedRect }

  public init(imageRect: CGRect, in imageSize: CGSize) {
    self.init(
      x: imageRect.origin.x / imageSize.width, y: imageRect.origin.y / imageSize.height,
      width: imageRect.size.width / imageSize.width,
      height: imageRect.size.height / imageSize.height
    )
  }

  /// A rectangle as fractions of a region of the picture.
  public init(
    imageRect: CGRect, in imageSize: CGSize, normalizedTo regionOfInterest: NormalizedRect
  ) {
    let rect = NormalizedRect(imageRect: imageRect, in: imageSize).cgRect
    let region = regionOfInterest.cgRect
    self.init(
      x: (rect.minX - region.minX) / region.width, y: (rect.minY - region.minY) / region.height,
      width: rect.width / region.width, height: rect.height / region.height)
  }

  public static let fullImage = NormalizedRect(x: 0, y: 0, width: 1, height: 1)

  public var origin: CGPoint { cgRect.origin }
  public var width: CGFloat { cgRect.size.width }
  public var height: CGFloat { cgRect.size.height }

  public func toImageCoordinates(
    _ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
  ) -> CGRect {
    let rect = origin == .lowerLeft ? cgRect : verticallyFlipped().cgRect
    return CGRect(
      x: rect.origin.x * imageSize.width, y: rect.origin.y * imageSize.height,
      width: rect.size.width * imageSize.width, height: rect.size.height * imageSize.height)
  }

  /// The place of a rectangle that is given in fractions of a region.
  public func toImageCoordinates(
    from regionOfInterest: NormalizedRect, imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
  ) -> CGRect {
    let region = regionOfInterest.cgRect
    return NormalizedRect(
      x: region.minX + cgRect.origin.x * region.width,
      y: region.minY + cgRect.origin.y * region.height, width: width * region.width,
      height: height * region.height
    ).toImageCoordinates(imageSize, origin: origin)
  }

  public func verticallyFlipped() -> NormalizedRect {
    NormalizedRect(x: origin.x, y: 1 - origin.y - height, width: width, height: height)
  }

  public var description: String { "(\(origin.x), \(origin.y), \(width), \(height))" }
}
