// Fovea - what a drawing is made of.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// How a line is drawn. Its width lies half on either side; corners are mitred.
public struct DrawingStroke: Hashable, Sendable {
  /// The color.
  public var color: DrawingColor
  /// The width, in the units of the canvas.
  public var width: Double
  /// Lengths of dashes and gaps, in turn; empty for an unbroken line.
  public var dashes: [Double]

  /// A stroke of its parts.
  public init(color: DrawingColor, width: Double, dashes: [Double] = []) {
    self.color = color
    self.width = width
    self.dashes = dashes
  }
}

/// The outline of a box or a region.
public struct RectangleElement: Hashable, Sendable {
  /// Where the middle of the line runs.
  public var rect: ImageRect
  /// What is drawn along it, in this order: a dark casing, then the color upon it.
  public var strokes: [DrawingStroke]
  /// The index of the box among those that were given; `nil` for a region.
  public var boxIndex: Int?
}

/// A straight line.
public struct LineElement: Hashable, Sendable {
  /// Where it begins.
  public var start: ImagePoint
  /// Where it ends.
  public var end: ImagePoint
  /// What is drawn along it, in this order.
  public var strokes: [DrawingStroke]
}

/// A line of text: bold, without serifs.
public struct TextElement: Hashable, Sendable {
  /// The text.
  public var text: String
  /// The left end of the baseline.
  public var anchor: ImagePoint
  /// The size of the font, in the units of the canvas.
  public var fontSize: Double
  /// The room for the text along the line. Whoever draws with letters that need more makes them
  /// narrower.
  public var width: Double
  /// The color.
  public var color: DrawingColor
}

/// A filled rectangle with a line of text: the label of a box.
public struct PlateElement: Hashable, Sendable {
  /// The plate with its border, which lies inside.
  public var rect: ImageRect
  /// What fills the plate.
  public var fill: DrawingColor
  /// The border; the middle of its line runs half its width inside `rect`.
  public var border: DrawingStroke
  /// The text upon it.
  public var text: TextElement
  /// The index of the box among those that were given; `nil` for a region.
  public var boxIndex: Int?

  /// Where the middle of the border's line runs.
  public var borderRect: ImageRect { rect.expanded(by: -border.width / 2) }
}

/// A part of a drawing.
public enum DrawingElement: Hashable, Sendable {
  /// The outline of a box or a region.
  case rectangle(RectangleElement)
  /// A straight line, from a box to a plate that found no room beside it.
  case line(LineElement)
  /// The label of a box or a region.
  case plate(PlateElement)
  /// A line of text.
  case text(TextElement)
}
