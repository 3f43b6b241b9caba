// Fovea - what a drawing is made of.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// The style of a line. Half of its width lies on each side; corners are mitered.
public struct DrawingStroke: Hashable, Sendable {
  /// The color.
  public var color: DrawingColor
  /// The width, in the units of the canvas.
  public var width: Double
  /// The lengths of dashes and gaps, in turn; empty for a solid line.
  public var dashes: [Double]

  /// Creates a stroke.
  public init(color: DrawingColor, width: Double, dashes: [Double] = []) {
    self.color = color
    self.width = width
    self.dashes = dashes
  }
}

/// The outline of a box or a region.
public struct RectangleElement: Hashable, Sendable {
  /// The path of the middle of the line.
  public var rect: ImageRect
  /// The strokes along the path, in drawing order: a dark casing, then the color.
  public var strokes: [DrawingStroke]
  /// The index of the box in the list that was given; `nil` for a region.
  public var boxIndex: Int?
}

/// A straight line.
public struct LineElement: Hashable, Sendable {
  /// The start.
  public var start: ImagePoint
  /// The end.
  public var end: ImagePoint
  /// The strokes along the line, in drawing order.
  public var strokes: [DrawingStroke]
}

/// A line of text in bold letters without serifs.
public struct TextElement: Hashable, Sendable {
  /// The text.
  public var text: String
  /// The left end of the baseline.
  public var anchor: ImagePoint
  /// The size of the font, in the units of the canvas.
  public var fontSize: Double
  /// The width available for the text. If your font needs more, draw its letters narrower.
  public var width: Double
  /// The color.
  public var color: DrawingColor

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
public struct PlateElement: Hashable, Sendable {
  /// The plate, with its border inside.
  public var rect: ImageRect
  /// The color of the plate.
  public var fill: DrawingColor
  /// The border. The middle of its line is half its width inside `rect`.
  public var border: DrawingStroke
  /// The text on the plate.
  public var text: TextElement
  /// The index of the box in the list that was given; `nil` for a region.
  public var boxIndex: Int?

  /// The path of the middle of the border.
  public var borderRect: ImageRect { rect.expanded(by: -border.width / 2) }
}

/// A part of a drawing.
public enum DrawingElement: Hashable, Sendable {
  /// The outline of a box or a region.
  case rectangle(RectangleElement)
  /// A straight line from a box to its plate, if there is no room beside the box.
  case line(LineElement)
  /// The label of a box or a region.
  case plate(PlateElement)
  /// A line of text.
  case text(TextElement)
}
