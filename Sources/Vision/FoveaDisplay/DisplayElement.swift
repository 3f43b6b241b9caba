// Fovea - what a user interface draws over an image in a view.
// SPDX-License-Identifier: Apache-2.0
public import FoveaDrawing
internal import FoveaGeometry

/// A part of what is drawn over an image in a view. Positions and sizes are points of the view.
public enum DisplayElement: Hashable, Sendable {
  /// A rectangular line, half of its width on either side; corners are mitred. Lengths of dashes and
  /// gaps follow each other in turn; there are none in an unbroken line. `box` is the index of the
  /// box, and `nil` for a region.
  case outline(ViewRect, DrawingColor, width: Double, dashes: [Double], box: Int?)
  /// A straight line, from a box to a label that found no room beside it.
  case line(from: ViewPoint, to: ViewPoint, DrawingColor, width: Double)
  /// A filled rectangle: the plate of a label.
  case plate(ViewRect, DrawingColor, box: Int?)
  /// A line of text: bold, without serifs. It begins on the baseline at the point. Whoever draws with
  /// letters that need more than `room` makes them narrower.
  case text(String, at: ViewPoint, fontSize: Double, room: Double, DrawingColor)
}

extension ViewGeometry {
  /// What shows boxes and regions over the image in the view, the lowest first.
  ///
  /// A box is drawn where it can be seen: what leaves the image or the view is cut off, and the line
  /// is moved inwards until all of its width lies inside. The surest boxes lie on top. Labels lie
  /// above all boxes, inside the view and, where there is room, not on each other.
  ///
  /// - Parameters:
  ///   - boxes: The boxes, in any order.
  ///   - regions: Parts of the image to be outlined with dashes, below the boxes.
  ///   - style: Widths and sizes in points; `nil` for those that fit the view.
  ///   - measureText: The width of a line of bold text at a size of the font; `nil` for an estimate.
  public func elements(
    for boxes: [LabeledBox], regions: [LabeledRegion] = [], style: DrawingStyle? = nil,
    measureText: ((_ text: String, _ fontSize: Double) -> Double)? = nil
  ) -> [DisplayElement] {
    let frame = imageFrame
    let canvas = DrawingCanvas(
      width: viewSize.width, height: viewSize.height,
      image: ImageRect(
        x: frame.x, y: frame.y, width: frame.width, height: frame.height, origin: .upperLeft))
    let drawing = DrawingInstructions(
      boxes, regions: regions, on: canvas, style: style,
      measureText: measureText ?? DrawingInstructions.estimatedTextWidth)
    return drawing.elements.flatMap(DisplayElement.elements)
  }
}

extension DisplayElement {
  /// The parts of one element of a drawing.
  fileprivate static func elements(_ element: DrawingElement) -> [DisplayElement] {
    switch element {
    case .rectangle(let rectangle):
      return rectangle.strokes.map { outline($0, rectangle.rect, box: rectangle.boxIndex) }
    case .polygon(let polygon):
      return polygon.strokes.flatMap { stroke in
        polygon.corners.indices.map { index in
          let (start, end) = (
            polygon.corners[index], polygon.corners[(index + 1) % polygon.corners.count]
          )
          return .line(
            from: ViewPoint(x: start.x, y: start.y), to: ViewPoint(x: end.x, y: end.y),
            stroke.color, width: stroke.width)
        }
      }
    case .area(let area):
      return area.bars.map { .plate(ViewRect($0), area.fill, box: nil) }
    case .dot(let dot):
      return dot.strokes.map { stroke in
        let half = stroke.width / 2
        return .plate(
          ViewRect(
            x: dot.center.x - half, y: dot.center.y - half, width: stroke.width,
            height: stroke.width), stroke.color, box: nil)
      }
    case .line(let line):
      return line.strokes.map {
        .line(
          from: ViewPoint(x: line.start.x, y: line.start.y),
          to: ViewPoint(x: line.end.x, y: line.end.y), $0.color, width: $0.width)
      }
    case .plate(let plate):
      let ground = DisplayElement.plate(ViewRect(plate.rect), plate.fill, box: plate.boxIndex)
      let border = outline(plate.border, plate.borderRect, box: plate.boxIndex)
      return [ground] + (plate.border.width > 0 ? [border] : []) + [text(plate.text)]
    case .text(let text): return [DisplayElement.text(text)]
    }
  }

  private static func outline(
    _ stroke: DrawingStroke, _ rect: ImageRect, box: Int?
  ) -> DisplayElement {
    .outline(ViewRect(rect), stroke.color, width: stroke.width, dashes: stroke.dashes, box: box)
  }

  private static func text(_ text: TextElement) -> DisplayElement {
    .text(
      text.text, at: ViewPoint(x: text.anchor.x, y: text.anchor.y), fontSize: text.fontSize,
      room: text.width, text.color)
  }
}

extension ViewRect {
  /// A rectangle of a drawing, which counts from the upper left.
  fileprivate init(_ rect: ImageRect) {
    self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
  }
}
