// Fovea - what a drawing is made of.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// The style of a line. Half of its width lies on each side; corners are mitered.
package struct DrawingStroke: Hashable, Sendable {
  /// The color.
  package var color: DrawingColor
  /// The width, in the units of the canvas.
  package var width: Double
  /// The lengths of dashes and gaps, in turn; empty for a solid line.
  package var dashes: [Double]

  /// Creates a stroke.
  package init(color: DrawingColor, width: Double, dashes: [Double] = []) {
    self.color = color
    self.width = width
    self.dashes = dashes
  }
}

/// The outline of a box or a region.
package struct RectangleElement: Hashable, Sendable {
  /// The path of the middle of the line.
  package var rect: ImageRect
  /// The strokes along the path, in drawing order: a dark casing, then the color.
  package var strokes: [DrawingStroke]
  /// The index of the box in the list that was given; `nil` for a region.
  package var boxIndex: Int?
}

/// The outline of a thing with corners. The last corner is joined to the first one.
package struct PolygonElement: Hashable, Sendable {
  /// The path of the middle of the line. Corners may lie outside the canvas.
  package var corners: [ImagePoint]
  /// The strokes along the path, in drawing order: a dark casing, then the color.
  package var strokes: [DrawingStroke]
  /// The index of the box in the list that was given.
  package var boxIndex: Int?
}

/// Pixels of an image that are filled, such as those of a mask.
package struct AreaElement: Hashable, Sendable {
  /// Rectangles that do not overlap.
  package var bars: [ImageRect]
  /// The color that is mixed in.
  package var fill: DrawingColor
}

/// A filled disc.
package struct DotElement: Hashable, Sendable {
  /// The center.
  package var center: ImagePoint
  /// The diameters and colors, in drawing order: a dark casing, then the color.
  package var strokes: [DrawingStroke]
}

/// A straight line.
package struct LineElement: Hashable, Sendable {
  /// The start.
  package var start: ImagePoint
  /// The end.
  package var end: ImagePoint
  /// The strokes along the line, in drawing order.
  package var strokes: [DrawingStroke]

  /// Creates a line.
  package init(start: ImagePoint, end: ImagePoint, strokes: [DrawingStroke]) {
    (self.start, self.end, self.strokes) = (start, end, strokes)
  }
}

/// A line of text in bold letters without serifs.
package struct TextElement: Hashable, Sendable {
  /// The text.
  package var text: String
  /// The left end of the baseline.
  package var anchor: ImagePoint
  /// The size of the font, in the units of the canvas.
  package var fontSize: Double
  /// The width available for the text. If your font needs more, draw its letters narrower.
  package var width: Double
  /// The color.
  package var color: DrawingColor

  package init(
    text: String, anchor: ImagePoint, fontSize: Double, width: Double, color: DrawingColor
  ) {
    self.text = text
    self.anchor = anchor
    self.fontSize = fontSize
    self.width = width
    self.color = color
  }
}

/// A filled rectangle with a line of text: the label of a box.
package struct PlateElement: Hashable, Sendable {
  /// The plate, with its border inside.
  package var rect: ImageRect
  /// The color of the plate.
  package var fill: DrawingColor
  /// The border. The middle of its line is half its width inside `rect`.
  package var border: DrawingStroke
  /// The text on the plate.
  package var text: TextElement
  /// The index of the box in the list that was given; `nil` for a region.
  package var boxIndex: Int?

  /// The path of the middle of the border.
  package var borderRect: ImageRect { rect.expanded(by: -border.width / 2) }
}

/// A part of a drawing.
package enum DrawingElement: Hashable, Sendable {
  /// The outline of a box or a region.
  case rectangle(RectangleElement)
  /// The outline of a thing with corners.
  case polygon(PolygonElement)
  /// Filled pixels.
  case area(AreaElement)
  /// A filled disc, such as a key point.
  case dot(DotElement)
  /// A straight line: a limb, or one from a box to its plate, if there is no room beside the box.
  case line(LineElement)
  /// The label of a box or a region.
  case plate(PlateElement)
  /// A line of text.
  case text(TextElement)
}
