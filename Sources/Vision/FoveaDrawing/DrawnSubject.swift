// Fovea - outlines of boxes and regions, and their plates.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// The dark casing around lines and plates.
let casingColor = DrawingColor(red: 0, green: 0, blue: 0, opacity: 0.75)

extension DrawingStyle {
  /// The strokes of a line: a dark casing, then the color.
  package func strokes(_ color: DrawingColor, width: Double) -> [DrawingStroke] {
    let stroke = DrawingStroke(color: color, width: width)
    guard casingWidth > 0 else { return [stroke] }
    return [DrawingStroke(color: casingColor, width: width + 2 * casingWidth), stroke]
  }
}

extension PlateElement {
  /// A plate of its own, inside the canvas as near as can be to having its middle at `center`; `nil`
  /// for an empty text, and where it could not be read.
  package init?(
    _ text: String, centeredAt center: ImagePoint, color: DrawingColor,
    on canvas: DrawingCanvas, style: DrawingStyle, measureText: (String, Double) -> Double
  ) {
    let text = singleLine(text)
    let bounds = canvas.bounds
    guard !text.isEmpty, let size = PlateSize(text, in: bounds, style, measureText) else {
      return nil
    }
    let rect = ImageRect(
      x: center.x - size.width / 2, y: center.y - size.height / 2, width: size.width,
      height: size.height, origin: .upperLeft)
    let outline = RectangleElement(rect: rect, strokes: [], boxIndex: nil)
    self = size.plate(
      at: rect.moved(into: bounds),
      DrawnSubject(outline: outline, caption: text, color: color), style)
  }
}

/// A box or a region that can be seen.
struct DrawnSubject {
  /// Its line, or the box around the corners in its place.
  var outline: RectangleElement
  /// The corners that are joined in the place of the outline; empty for none.
  var corners: [ImagePoint] = []
  /// What its plate says; empty for no plate.
  var caption: String
  /// What fills its plate.
  var color: DrawingColor
  /// Its mask, below its line, and its limbs and points above.
  var (below, above): ([DrawingElement], [DrawingElement]) = ([], [])

  /// What is drawn.
  var elements: [DrawingElement] {
    let line: DrawingElement =
      corners.isEmpty
      ? .rectangle(outline)
      : .polygon(
        PolygonElement(corners: corners, strokes: outline.strokes, boxIndex: outline.boxIndex))
    return below + [line] + above
  }

  init(
    outline: RectangleElement, caption: String, color: DrawingColor, corners: [ImagePoint] = []
  ) {
    (self.outline, self.caption, self.color) = (outline, caption, color)
    self.corners = corners
  }

  /// The outline with all of its width.
  var outerRect: ImageRect {
    outline.rect.expanded(by: (outline.strokes.map(\.width).max() ?? 0) / 2)
  }

  /// Regions, and above them boxes, the surest last; equals keep their order, the first on top.
  static func inDrawingOrder(
    _ boxes: [LabeledBox], _ regions: [LabeledRegion], on canvas: DrawingCanvas,
    visible: ImageRect, style: DrawingStyle
  ) -> [DrawnSubject] {
    func sureness(_ box: LabeledBox) -> Float {
      guard let confidence = box.confidence, !confidence.isNaN else { return 0 }
      return confidence
    }
    let order = boxes.indices.sorted { (sureness(boxes[$0]), $1) < (sureness(boxes[$1]), $0) }
    let drawnRegions = regions.compactMap { region -> DrawnSubject? in
      let dashes = [5 * style.lineWidth, 3.5 * style.lineWidth]
      return DrawnSubject(
        canvas.rect(of: region.rect), visible, style, index: nil, dashes: dashes,
        caption: singleLine(region.label), color: .white)
    }
    return drawnRegions
      + order.compactMap { index -> DrawnSubject? in
        var style = style
        if boxes[index].liesAround {
          style.lineWidth /= 2
          style.casingWidth /= 2
        }
        var subject = DrawnSubject(
          canvas.rect(of: boxes[index].boundingBox), visible, style, index: index, dashes: [],
          caption: boxes[index].caption(withConfidence: style.showsConfidence),
          color: boxes[index].color)
        var corners = boxes[index].corners.map { canvas.point(at: $0) }
        if boxes[index].liesAround {
          corners = moved(corners, outwardsBy: style.lineWidth / 2 + 2 * style.casingWidth)
        }
        guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        subject?.corners = corners
        subject?.below = boxes[index].maskElements(on: canvas, style)
        subject?.above = boxes[index].pointElements(on: canvas, style)
        return subject
      }
  }

  /// Corners of which each has moved away from both of its neighbors: around something with right
  /// angles, every side is `distance` farther out.
  private static func moved(
    _ corners: [ImagePoint], outwardsBy distance: Double
  ) -> [ImagePoint] {
    corners.indices.map { index in
      var corner = corners[index]
      for step in [1, corners.count - 1] {
        let neighbor = corners[(index + step) % corners.count]
        let (x, y) = (corners[index].x - neighbor.x, corners[index].y - neighbor.y)
        let length = (x * x + y * y).squareRoot()
        guard length > 0 else { continue }
        corner.x += x / length * distance
        corner.y += y / length * distance
      }
      return corner
    }
  }

  /// The outline of `rect` inside `visible`, or `nil` where nothing of it lies there.
  private init?(
    _ rect: ImageRect, _ visible: ImageRect, _ style: DrawingStyle, index: Int?,
    dashes: [Double], caption: String, color: DrawingColor
  ) {
    guard rect.isFinite, rect.intersection(visible) != nil else { return nil }
    let width = style.lineWidth + 2 * style.casingWidth
    let inset = min(width, visible.width, visible.height) / 2
    var strokes = [DrawingStroke(color: color, width: style.lineWidth, dashes: dashes)]
    if style.casingWidth > 0 {
      strokes.insert(DrawingStroke(color: casingColor, width: width), at: 0)
    }
    outline = RectangleElement(
      rect: rect.clamped(to: visible.expanded(by: -inset)), strokes: strokes, boxIndex: index)
    self.caption = caption
    self.color = color
  }
}

/// Smaller letters cannot be read: the plate is left out.
private let smallestFontSize = 5.0

/// Letters of a plate that is wider than its box become smaller, but not less than these: a part of
/// their size, and a size. The plates of small objects cover less of what is around them.
private let (smallestPart, smallestOfBox) = (0.65, 8.5)

/// The plates of all subjects in drawing order, and lines to those that lie apart from their boxes.
///
/// The surest box is served first.
func drawnPlates(
  _ subjects: [DrawnSubject], in bounds: ImageRect, _ style: DrawingStyle,
  _ measureText: (String, Double) -> Double
) -> (plates: [PlateElement], leaders: [LineElement]) {
  var arrangement = PlateArrangement(bounds: bounds, boxes: subjects.map(\.outerRect))
  var plates: [PlateElement] = []
  var leaders: [LineElement] = []
  for (index, subject) in subjects.enumerated().reversed() where !subject.caption.isEmpty {
    guard
      let size = PlateSize(
        subject.caption, in: bounds, style, boxWidth: subject.outerRect.width, measureText)
    else { continue }
    let rect = arrangement.place(
      width: size.width, height: size.height, overlap: style.casingWidth, beside: index)
    plates.append(size.plate(at: rect, subject, style))
    if rect.distance(to: subject.outerRect) > 0.5 * size.height {
      leaders.append(leader(from: rect, to: subject.outline.rect, subject.color, style))
    }
  }
  return (plates.reversed(), leaders.reversed())
}

/// The line between the nearest points of a plate and its box.
private func leader(
  from plate: ImageRect, to box: ImageRect, _ color: DrawingColor, _ style: DrawingStyle
) -> LineElement {
  /// The nearest points of two stretches; the middle of the common part where there is one.
  func nearest(
    _ low: Double, _ high: Double, _ otherLow: Double, _ otherHigh: Double
  ) -> (Double, Double) {
    if high < otherLow { return (high, otherLow) }
    if low > otherHigh { return (low, otherHigh) }
    let middle = (max(low, otherLow) + min(high, otherHigh)) / 2
    return (middle, middle)
  }
  let x = nearest(plate.minX, plate.maxX, box.minX, box.maxX)
  let y = nearest(plate.minY, plate.maxY, box.minY, box.maxY)
  var strokes = [DrawingStroke(color: color, width: style.lineWidth / 2)]
  if style.casingWidth > 0 {
    let width = style.lineWidth / 2 + 2 * style.casingWidth
    strokes.insert(DrawingStroke(color: casingColor, width: width), at: 0)
  }
  return LineElement(
    start: ImagePoint(x: x.0, y: y.0, origin: .upperLeft),
    end: ImagePoint(x: x.1, y: y.1, origin: .upperLeft), strokes: strokes)
}

/// The measures of a plate around its text.
private struct PlateSize {
  let text: String
  let fontSize: Double
  let textWidth: Double
  let border: Double

  /// Parts of the font's size: room left and right, above and below, and the heights of letters
  /// above and below the baseline, as most fonts have them.
  private static let (sides, ends, ascent, descent) = (0.36, 0.13, 0.82, 0.2)

  var width: Double { textWidth + 2 * (Self.sides * fontSize + border) }
  var height: Double {
    (Self.ascent + Self.descent + 2 * Self.ends) * fontSize + 2 * border
  }

  /// Letters are made smaller until the plate fits into `bounds`; `nil` if they cannot be read then.
  /// They are made a little smaller for a box that is narrower than the plate.
  init?(
    _ text: String, in bounds: ImageRect, _ style: DrawingStyle, boxWidth: Double = .infinity,
    _ measureText: (String, Double) -> Double
  ) {
    self.text = text
    border = style.casingWidth
    let room = (width: bounds.width - 2 * border, height: bounds.height - 2 * border)
    let wanted = style.fontSize
    let measured = measureText(text, wanted)
    guard measured.isFinite, measured >= 0, wanted > 0 else { return nil }
    let wholeWidth = measured + 2 * Self.sides * wanted
    let wholeHeight = (Self.ascent + Self.descent + 2 * Self.ends) * wanted
    let wish = max(smallestPart, smallestOfBox / wanted, (boxWidth - 2 * border) / wholeWidth)
    let scale = min(1, wish, room.width / wholeWidth, room.height / wholeHeight)
    fontSize = wanted * scale
    guard fontSize >= smallestFontSize || scale == 1 else { return nil }
    textWidth = measured * scale
  }

  /// The plate at its place.
  func plate(at rect: ImageRect, _ subject: DrawnSubject, _ style: DrawingStyle) -> PlateElement {
    let anchor = ImagePoint(
      x: rect.x + border + Self.sides * fontSize,
      y: rect.y + border + (Self.ends + Self.ascent) * fontSize, origin: .upperLeft)
    return PlateElement(
      rect: rect, fill: subject.color, border: DrawingStroke(color: casingColor, width: border),
      text: TextElement(
        text: text, anchor: anchor, fontSize: fontSize, width: textWidth,
        color: subject.color.readableTextColor),
      boxIndex: subject.outline.boxIndex)
  }
}
