// Fovea - what is drawn on, and where the image lies on it.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// The area that is drawn on: an image in pixels, or a view in points that shows one.
///
/// Positions count from the upper left corner.
package struct DrawingCanvas: Hashable, Sendable {
  /// Width in pixels or points.
  package var width: Double
  /// Height in pixels or points.
  package var height: Double
  /// The rectangle of the whole upright image. It may leave margins (aspect fit), or reach beyond
  /// the canvas (aspect fill).
  package var image: ImageRect

  /// Creates a canvas that the image covers exactly.
  package init(_ size: ImageSize) {
    self.init(
      width: Double(size.width), height: Double(size.height),
      image: ImageRect(
        x: 0, y: 0, width: Double(size.width), height: Double(size.height), origin: .upperLeft))
  }

  /// Creates a canvas, such as a view, with the image in the rectangle `image`.
  package init(width: Double, height: Double, image: ImageRect) {
    self.width = width
    self.height = height
    self.image =
      image.origin == .upperLeft
      ? image
      : ImageRect(
        x: image.x, y: height - image.maxY, width: image.width, height: image.height,
        origin: .upperLeft)
  }

  /// The whole canvas.
  var bounds: ImageRect {
    ImageRect(x: 0, y: 0, width: width, height: height, origin: .upperLeft)
  }

  /// The part of the image that can be seen, `nil` if there is none.
  var visibleImage: ImageRect? {
    guard width.isFinite, height.isFinite, image.isFinite else { return nil }
    return image.intersection(bounds)
  }

  /// Where a rectangle of the image lies on the canvas.
  func rect(of rect: NormalizedRect) -> ImageRect {
    ImageRect(
      x: image.x + rect.x * image.width,
      y: image.y + (1 - rect.y - rect.height) * image.height,
      width: rect.width * image.width, height: rect.height * image.height, origin: .upperLeft)
  }

  /// Where a point of the image lies on the canvas.
  func point(at point: NormalizedPoint) -> ImagePoint {
    ImagePoint(
      x: image.x + point.x * image.width, y: image.y + (1 - point.y) * image.height,
      origin: .upperLeft)
  }
}

extension ImageRect {
  /// Whether all numbers are finite.
  package var isFinite: Bool { [x, y, width, height].allSatisfy(\.isFinite) }

  /// The common part, `nil` if the rectangles do not even touch or one is inside out.
  package func intersection(_ other: ImageRect) -> ImageRect? {
    let (left, right) = (max(minX, other.minX), min(maxX, other.maxX))
    let (top, bottom) = (max(minY, other.minY), min(maxY, other.maxY))
    guard left <= right, top <= bottom else { return nil }
    return ImageRect(x: left, y: top, width: right - left, height: bottom - top, origin: origin)
  }

  /// The area of the common part.
  package func commonArea(with other: ImageRect) -> Double {
    let common = (
      width: min(maxX, other.maxX) - max(minX, other.minX),
      height: min(maxY, other.maxY) - max(minY, other.minY)
    )
    return common.width > 0 && common.height > 0 ? common.width * common.height : 0
  }

  /// The rectangle with every edge moved outwards by `distance`.
  package func expanded(by distance: Double) -> ImageRect {
    ImageRect(
      x: x - distance, y: y - distance, width: width + 2 * distance,
      height: height + 2 * distance, origin: origin)
  }

  /// The rectangle moved so that it lies in `bounds`; at its upper left where it is too large.
  package func moved(into bounds: ImageRect) -> ImageRect {
    var moved = self
    moved.x = max(bounds.minX, min(x, bounds.maxX - width))
    moved.y = max(bounds.minY, min(y, bounds.maxY - height))
    return moved
  }

  /// The rectangle with each edge moved into `bounds`.
  package func clamped(to bounds: ImageRect) -> ImageRect {
    func inside(_ value: Double, _ low: Double, _ high: Double) -> Double {
      max(low, min(value, high))
    }
    let left = inside(minX, bounds.minX, bounds.maxX)
    let top = inside(minY, bounds.minY, bounds.maxY)
    return ImageRect(
      x: left, y: top, width: inside(maxX, bounds.minX, bounds.maxX) - left,
      height: inside(maxY, bounds.minY, bounds.maxY) - top, origin: origin)
  }
}
