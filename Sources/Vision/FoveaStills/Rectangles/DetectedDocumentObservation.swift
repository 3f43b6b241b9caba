// Fovea - a document found in an image.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// A page, card or receipt in an image: its four corners, in fractions of the upright image from its
/// lower left. `topLeft` is the corner that is upper left in the image.
public struct DetectedDocumentObservation: QuadrilateralProviding, Hashable, Codable, Sendable {
  /// The corner at the upper left.
  public var topLeft: NormalizedPoint
  /// The corner at the upper right.
  public var topRight: NormalizedPoint
  /// The corner at the lower right.
  public var bottomRight: NormalizedPoint
  /// The corner at the lower left.
  public var bottomLeft: NormalizedPoint
  /// How sure it is a document, 0...1. It is halved where no sides were found: the corners are then
  /// those of the detector's upright box.
  public var confidence: Float

  /// Creates a document from its corners.
  public init(
    topLeft: NormalizedPoint, topRight: NormalizedPoint, bottomRight: NormalizedPoint,
    bottomLeft: NormalizedPoint, confidence: Float = 1
  ) {
    (self.topLeft, self.topRight) = (topLeft, topRight)
    (self.bottomRight, self.bottomLeft) = (bottomRight, bottomLeft)
    self.confidence = confidence
  }

  /// Which pixels belong to the document: it is filled from the corners, and does not know what lies on
  /// the document and hides it.
  ///
  /// - Parameters:
  ///   - width: The number of columns that the upright image is divided into, at least 1.
  ///   - height: The number of rows, at least 1.
  /// - Returns: height x width shares, 0...1, rows from the top: how much of the pixel the document
  ///   covers, in sixteenths.
  /// - Complexity: O(width x height).
  public func segmentationMask(width: Int, height: Int) -> [Float] {
    precondition(width > 0 && height > 0, "a mask has at least one pixel")
    let size = SIMD2(Double(width), Double(height))
    let corners = corners.map { corner in
      SIMD2(corner.x, 1 - corner.y) * size
    }
    /// Whether a point lies at the inner side of all four sides.
    func isInside(_ point: SIMD2<Double>) -> Bool {
      (0..<4).allSatisfy { i in
        let side = corners[(i + 1) % 4] - corners[i]
        let from = point - corners[i]
        return side.x * from.y - side.y * from.x >= 0
      }
    }
    let offsets = (0..<16).map { i -> SIMD2<Double> in
      SIMD2(Double(i % 4) + 0.5, Double(i / 4) + 0.5) / 4
    }
    var mask: [Float] = []
    mask.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        let pixel = SIMD2(Double(x), Double(y))
        let inside = offsets.filter { isInside(pixel + $0) }.count
        mask.append(Float(inside) / 16)
      }
    }
    return mask
  }
}
