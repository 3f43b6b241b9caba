// Fovea - masks, key points and limbs of objects.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaShapes

/// How much of a mask's color is mixed in.
private let maskOpacity = 0.4

extension LabeledBox {
  /// The tint of the object's pixels, and a solid edge around its parts.
  func maskElements(on canvas: DrawingCanvas, _ style: DrawingStyle) -> [DrawingElement] {
    guard let mask, mask.imageSize.width > 0, mask.imageSize.height > 0 else { return [] }
    let across = canvas.image.width / Double(mask.imageSize.width)
    let down = canvas.image.height / Double(mask.imageSize.height)
    let bars = mask.bars.map { columns, rows in
      ImageRect(
        x: canvas.image.x + Double(columns.lowerBound) * across,
        y: canvas.image.y + Double(rows.lowerBound) * down,
        width: Double(columns.count) * across, height: Double(rows.count) * down,
        origin: .upperLeft)
    }
    var tint = color
    tint.opacity *= maskOpacity
    let edge = DrawingStroke(color: color, width: style.lineWidth / 2)
    return [.area(AreaElement(bars: bars, fill: tint))]
      + mask.polygons.filter { $0.count > 1 }.map { ring in
        let corners = ring.map { corner in
          ImagePoint(
            x: canvas.image.x + corner.x * across, y: canvas.image.y + corner.y * down,
            origin: .upperLeft)
        }
        return .polygon(PolygonElement(corners: corners, strokes: [edge], boxIndex: nil))
      }
  }

  /// The limbs between points of a body, and the points.
  func pointElements(on canvas: DrawingCanvas, _ style: DrawingStyle) -> [DrawingElement] {
    func place(_ point: RecognizedPoint) -> ImagePoint? {
      let place = canvas.point(at: point.location)
      return point.confidence >= BodyPoints.leastConfidence && place.x.isFinite && place.y.isFinite
        ? place : nil
    }
    let places = keypoints.map(place)
    let isBody = keypoints.map(\.name) == BodyPoints.names
    let limbs = isBody ? BodyPoints.limbs : []
    let lines = limbs.compactMap { first, second -> DrawingElement? in
      guard let start = places[first], let end = places[second] else { return nil }
      return .line(
        LineElement(start: start, end: end, strokes: style.strokes(color, width: style.lineWidth)))
    }
    let dots = places.compactMap { place -> DrawingElement? in
      place.map {
        .dot(DotElement(center: $0, strokes: style.strokes(color, width: 2 * style.lineWidth)))
      }
    }
    return lines + dots
  }
}
