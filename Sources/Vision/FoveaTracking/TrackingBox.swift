// Fovea - a box to track, and how much two of them overlap.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// A box by its center and size, in pixels or in any other unit that does not stretch the picture.
/// y may point up or down.
package struct TrackingBox: Hashable, Sendable {
  /// x of the center.
  package var x: Double
  /// y of the center.
  package var y: Double
  /// The width.
  package var width: Double
  /// The height.
  package var height: Double

  /// Creates a box around the center (`x`, `y`).
  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates a box from its upper left corner and its size.
  package init(left: Double, top: Double, width: Double, height: Double) {
    self.init(x: left + width / 2, y: top + height / 2, width: width, height: height)
  }

  /// Creates the box of `rect` in a picture of `size`, in pixels from the upper left.
  package init(_ rect: NormalizedRect, in size: ImageSize) {
    let box = rect.toImageCoordinates(size, origin: .upperLeft)
    self.init(left: box.x, top: box.y, width: box.width, height: box.height)
  }

  /// The left edge.
  package var left: Double { x - width / 2 }
  /// The upper edge.
  package var top: Double { y - height / 2 }

  /// The part `share` of the way from this box to `other`.
  func mixed(with other: TrackingBox, share: Double) -> TrackingBox {
    TrackingBox(
      x: x + (other.x - x) * share, y: y + (other.y - y) * share,
      width: width + (other.width - width) * share,
      height: height + (other.height - height) * share)
  }

  /// The box after a motion of the picture.
  func moved(_ motion: AffineMap) -> TrackingBox {
    let (x, y) = motion(x: x, y: y)
    let scale = motion.lengthFactor
    return TrackingBox(x: x, y: y, width: width * scale, height: height * scale)
  }

  /// Whether the box can be tracked: it has an area, and its numbers are no nonsense.
  var isUsable: Bool {
    width > 1e-9 && height > 1e-9 && x.magnitude + y.magnitude + width + height < 1e12
  }

  /// Intersection over union times the same of the heights alone, in 0...1.
  ///
  /// People who cover each other stand at different distances, so their heights differ (Yang et al.,
  /// Hybrid-SORT, 2024). Both boxes are enlarged by the margins on each side first.
  @inline(__always)
  func similarity(_ other: TrackingBox, marginX: Double, marginY: Double) -> Double {
    let (w, otherW) = (width + 2 * marginX, other.width + 2 * marginX)
    let across = Self.shared(x - other.x, w, otherW)
    guard across > 0 else { return 0 }
    let (h, otherH) = (height + 2 * marginY, other.height + 2 * marginY)
    let along = Self.shared(y - other.y, h, otherH)
    guard along > 0 else { return 0 }
    let intersection = across * along
    return intersection * along / ((w * h + otherW * otherH - intersection) * (h + otherH - along))
  }

  /// How much of two lengths is common to both, where their centers are `distance` apart.
  @inline(__always)
  private static func shared(_ distance: Double, _ first: Double, _ second: Double) -> Double {
    let apart = (first + second) / 2 - distance.magnitude
    let shorter = first < second ? first : second
    return apart < shorter ? apart : shorter
  }
}
