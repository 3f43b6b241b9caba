// Fovea - a box by its edges, and how much two of them overlap.
// SPDX-License-Identifier: Apache-2.0

/// A box given by its four edges: the form in which overlaps are computed.
///
/// y may point up or down, but alike in both boxes of an overlap. A box whose maximum is less than
/// its minimum overlaps nothing.
package struct CornerBox: Hashable, Codable, Sendable {
  /// Smallest x.
  package var minX: Double
  /// Smallest y.
  package var minY: Double
  /// Largest x.
  package var maxX: Double
  /// Largest y.
  package var maxY: Double

  /// Creates the box between (`minX`, `minY`) and (`maxX`, `maxY`).
  package init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  /// Creates a box from a center and a size.
  package init(_ box: CenterBox) {
    self.init(
      minX: box.centerX - box.width / 2, minY: box.centerY - box.height / 2,
      maxX: box.centerX + box.width / 2, maxY: box.centerY + box.height / 2)
  }

  /// Creates the box of a normalized rectangle, with y counted from `origin`.
  package init(_ rect: NormalizedRect, origin: CoordinateOrigin) {
    let rect = origin == .lowerLeft ? rect : rect.verticallyFlipped()
    self.init(minX: rect.minX, minY: rect.minY, maxX: rect.maxX, maxY: rect.maxY)
  }

  /// `maxX - minX`.
  package var width: Double { maxX - minX }
  /// `maxY - minY`.
  package var height: Double { maxY - minY }
  /// Width times height.
  package var area: Double { width * height }

  /// The area of the intersection divided by the area of the union, in 0...1.
  ///
  /// Boxes that only touch give 0. So do two boxes without area, boxes with a NaN coordinate, and
  /// boxes of infinite area: a box that cannot be compared must not remove another.
  package func intersectionOverUnion(with other: CornerBox) -> Double {
    let sharedWidth = min(maxX, other.maxX) - max(minX, other.minX)
    let sharedHeight = min(maxY, other.maxY) - max(minY, other.minY)
    let intersection = max(0, sharedWidth) * max(0, sharedHeight)
    let union = area + other.area - intersection
    guard union > 0 else { return 0 }
    let ratio = intersection / union
    return ratio.isNaN ? 0 : ratio
  }
}

extension NormalizedRect {
  /// Creates the rectangle of a box in fractions of the image, with y counted from `origin`.
  ///
  /// Detectors count from the top: use `NormalizedRect(box, origin: .upperLeft)` for their boxes.
  package init(_ box: CornerBox, origin: CoordinateOrigin) {
    let rect = NormalizedRect(x: box.minX, y: box.minY, width: box.width, height: box.height)
    self = origin == .lowerLeft ? rect : rect.verticallyFlipped()
  }
}
