// Fovea - what is compared: objects that are there, and objects that were found.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
public import FoveaShapes

/// A box in pixels of the upright image, counted from its upper left: COCO's `[x, y, w, h]`.
///
/// Unlike `CornerBox`, it stores sizes as files state them. The rounding of `x + width - x` would
/// move some overlaps across a threshold.
public struct PixelBox: Hashable, Codable, Sendable {
  /// Left edge in pixels.
  public var x: Double
  /// Upper edge in pixels.
  public var y: Double
  /// Width in pixels.
  public var width: Double
  /// Height in pixels.
  public var height: Double

  /// Creates the box of `width` by `height` pixels whose upper left corner is (`x`, `y`).
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Width times height, in square pixels.
  public var area: Double { width * height }

  /// The area of the intersection divided by the area of the union, in 0...1.
  public func intersectionOverUnion(with other: PixelBox) -> Double {
    let shared = intersectionArea(with: other)
    return shared > 0 ? shared / (area + other.area - shared) : 0
  }

  /// The share of this box that lies in `region`; 0...1. What COCO compares with a crowd.
  package func shareInside(_ region: PixelBox) -> Double {
    let shared = intersectionArea(with: region)
    return shared > 0 ? shared / area : 0
  }

  private func intersectionArea(with other: PixelBox) -> Double {
    let width = min(self.width + x, other.width + other.x) - max(x, other.x)
    guard width > 0 else { return 0 }
    let height = min(self.height + y, other.height + other.y) - max(y, other.y)
    return height > 0 ? width * height : 0
  }

  var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }
}

/// A place in pixels of the upright image, counted from its upper left.
public struct PixelPoint: Hashable, Codable, Sendable {
  /// From the left edge, in pixels.
  public var x: Double
  /// From the upper edge, in pixels.
  public var y: Double

  /// Creates a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  var isFinite: Bool { x.isFinite && y.isFinite }
}

/// An annotated object of an image.
public struct GroundTruthObject: Hashable, Codable, Sendable {
  /// The id of the category in the data set.
  public var category: Int
  /// The box.
  public var box: PixelBox
  /// The area in square pixels, which decides whether the object is small, medium or large. COCO
  /// states the area of the mask, which is smaller than that of the box.
  public var area: Double
  /// Whether the box contains many objects. A crowd need not be found, and detections in it are
  /// neither right nor wrong.
  public var isCrowd: Bool
  /// The id of the annotation in its file, if it has one; see `AveragePrecisionEvaluator`.
  public var annotation: Int?
  /// The pixels of the object, for `ObjectOverlap.masks`.
  public var mask: MaskRunLengths?
  /// The key points, for `ObjectOverlap.keypoints`; `nil` for one that nobody labeled.
  public var keypoints: [PixelPoint?]?
  /// The four corners of a turned box, one after the other, for `ObjectOverlap.corners`.
  public var corners: [PixelPoint]?

  /// Creates an object without a mask, key points and corners.
  ///
  /// - Parameters:
  ///   - category: The id of the category.
  ///   - box: The box.
  ///   - area: The area in square pixels; `nil` for that of the box.
  ///   - isCrowd: Whether the box contains many objects.
  ///   - annotation: The id of the annotation.
  public init(
    category: Int, box: PixelBox, area: Double? = nil, isCrowd: Bool = false,
    annotation: Int? = nil
  ) {
    self.category = category
    self.box = box
    self.area = area ?? box.area
    self.isCrowd = isCrowd
    self.annotation = annotation
  }
}

/// A detection.
public struct DetectedObject: Hashable, Codable, Sendable {
  /// The id of the category in the data set.
  public var category: Int
  /// The box.
  public var box: PixelBox
  /// The score. Average precision depends only on the order of scores.
  public var score: Double
  /// The area in square pixels; `nil` for that of the box.
  public var area: Double?
  /// The pixels of the object, for `ObjectOverlap.masks`.
  public var mask: MaskRunLengths?
  /// The key points, for `ObjectOverlap.keypoints`.
  public var keypoints: [PixelPoint]?
  /// The four corners of a turned box, one after the other, for `ObjectOverlap.corners`.
  public var corners: [PixelPoint]?

  /// Creates an object without a mask, key points and corners.
  public init(category: Int, box: PixelBox, score: Double) {
    self.category = category
    self.box = box
    self.score = score
  }

  /// What a detector found in an image of `imageSize`, cut at its edges.
  ///
  /// - Parameter categories: Of the detector's classes, in its order.
  /// - Returns: `nil` for a class without a category.
  package init?(
    classIndex: Int?, categories: [Int?], boundingBox: NormalizedRect, imageSize: ImageSize,
    confidence: Float
  ) {
    guard let classIndex, let category = categories[classIndex] else { return nil }
    let box = boundingBox.clamped.toImageCoordinates(imageSize, origin: .upperLeft)
    self.init(
      category: category,
      box: PixelBox(x: box.x, y: box.y, width: box.width, height: box.height),
      score: Double(confidence))
  }
}
