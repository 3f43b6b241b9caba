// Fovea - fractions of pictures and their pixels. Nothing is turned upside down.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple

public typealias VNConfidence = Float
public typealias VNAspectRatio = Float
public typealias VNDegrees = Float

public let VNNormalizedIdentityRect = CGRect(x: 0, y: 0, width: 1, height: 1)

public func VNNormalizedRectIsIdentityRect(_ normalizedRect: CGRect) -> Bool {
  normalizedRect == VNNormalizedIdentityRect
}

public func VNImagePointForNormalizedPoint(
  _ normalizedPoint: CGPoint, _ imageWidth: Int, _ imageHeight: Int
) -> CGPoint {
  CGPoint(x: normalizedPoint.x * CGFloat(imageWidth), y: normalizedPoint.y * CGFloat(imageHeight))
}

public func VNNormalizedPointForImagePoint(
  _ imagePoint: CGPoint, _ imageWidth: Int, _ imageHeight: Int
) -> CGPoint {
  CGPoint(x: imagePoint.x / CGFloat(imageWidth), y: imagePoint.y / CGFloat(imageHeight))
}

public func VNImageRectForNormalizedRect(
  _ normalizedRect: CGRect, _ imageWidth: Int, _ imageHeight: Int
) -> CGRect {
  CGRect(
    x: normalizedRect.origin.x * CGFloat(imageWidth),
    y: normalizedRect.origin.y * CGFloat(imageHeight),
    width: normalizedRect.size.width * CGFloat(imageWidth),
    height: normalizedRect.size.height * CGFloat(imageHeight))
}

public func VNNormalizedRectForImageRect(
  _ imageRect: CGRect, _ imageWidth: Int, _ imageHeight: Int
) -> CGRect {
  CGRect(
    x: imageRect.origin.x / CGFloat(imageWidth), y: imageRect.origin.y / CGFloat(imageHeight),
    width: imageRect.size.width / CGFloat(imageWidth),
    height: imageRect.size.height / CGFloat(imageHeight))
}

// MARK: Fractions of a region

public func VNImagePointForNormalizedPointUsingRegionOfInterest(
  _ normalizedPoint: CGPoint, _ imageWidth: Int, _ imageHeight: Int, _ roi: CGRect
) -> CGPoint {
  VNImagePointForNormalizedPoint(
    CGPoint(
      x: roi.minX + normalizedPoint.x * roi.width, y: roi.minY + normalizedPoint.y * roi.height),
    imageWidth, imageHeight)
}

public func VNNormalizedPointForImagePointUsingRegionOfInterest(
  _ imagePoint: CGPoint, _ imageWidth: Int, _ imageHeight: Int, _ roi: CGRect
) -> CGPoint {
  let point = VNNormalizedPointForImagePoint(imagePoint, imageWidth, imageHeight)
  return CGPoint(x: (point.x - roi.minX) / roi.width, y: (point.y - roi.minY) / roi.height)
}

public func VNImageRectForNormalizedRectUsingRegionOfInterest(
  _ normalizedRect: CGRect, _ imageWidth: Int, _ imageHeight: Int, _ roi: CGRect
) -> CGRect {
  VNImageRectForNormalizedRect(normalizedRect.placed(in: roi), imageWidth, imageHeight)
}

public func VNNormalizedRectForImageRectUsingRegionOfInterest(
  _ imageRect: CGRect, _ imageWidth: Int, _ imageHeight: Int, _ roi: CGRect
) -> CGRect {
  let rect = VNNormalizedRectForImageRect(imageRect, imageWidth, imageHeight)
  return CGRect(
    x: (rect.minX - roi.minX) / roi.width, y: (rect.minY - roi.minY) / roi.height,
    width: rect.width / roi.width, height: rect.height / roi.height)
}

extension CGRect {
  /// Fractions of a region as fractions of the whole.
  package func placed(in region: CGRect) -> CGRect {
    CGRect(
      x: region.minX + origin.x * region.width, y: region.minY + origin.y * region.height,
      width: size.width * region.width, height: size.height * region.height)
  }
}
