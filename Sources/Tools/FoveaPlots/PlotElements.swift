// Fovea - what a plot is made of, and its colors.
// SPDX-License-Identifier: Apache-2.0
package import FoveaDrawing
package import FoveaGeometry
internal import FoveaLibc

/// What something in a plot is painted with. The color follows from the theme.
package enum PlotPaint: Hashable, Sendable {
  /// The paper.
  case ground
  /// Headings and marks' labels.
  case ink
  /// What explains: numbers along the axes, subtitles.
  case muted
  /// Lines of the grid.
  case grid
  /// A series, by its place.
  case series(Int)

  /// The color on light or on dark paper.
  package func color(isDark: Bool) -> DrawingColor {
    switch self {
    case .ground: DrawingColor(hexadecimal: isDark ? 0x16191F : 0xFFFFFF)
    case .ink: DrawingColor(hexadecimal: isDark ? 0xF0F2F5 : 0x16191F)
    case .muted: DrawingColor(hexadecimal: isDark ? 0xA3ABB8 : 0x59616E)
    case .grid: DrawingColor(hexadecimal: isDark ? 0x343A45 : 0xE1E4EA)
    case .series(let place):
      DrawingColor.labelPalette[place % DrawingColor.labelPalette.count]
        .readable(on: Self.ground.color(isDark: isDark))
    }
  }
}

extension DrawingColor {
  /// The same hue, made darker until lines of it are seen on `ground`: WCAG 2.1 asks a contrast of 3 of
  /// graphics. The colors of labels are light enough for dark paper as they are.
  fileprivate func readable(on ground: DrawingColor) -> DrawingColor {
    var color = self
    while color.contrastRatio(with: ground) < 3, color != .black {
      color.red = UInt8(Double(color.red) * 0.97)
      color.green = UInt8(Double(color.green) * 0.97)
      color.blue = UInt8(Double(color.blue) * 0.97)
    }
    return color
  }
}

/// A line of text in a plot.
package struct PlotText: Hashable, Sendable {
  /// Which part of the text lies at `anchor`.
  package enum Alignment: String, Hashable, Sendable {
    case start, middle, end
  }

  package var text: String
  /// On the baseline.
  package var anchor: ImagePoint
  package var alignment = Alignment.start
  package var fontSize = 12.0
  package var isBold = false
  package var paint = PlotPaint.muted
}

/// A part of a plot.
package enum PlotElement: Hashable, Sendable {
  /// A filled rectangle.
  case area(ImageRect, PlotPaint)
  /// A line through points, with round corners; dashes and gaps in turn.
  case line([ImagePoint], PlotPaint, width: Double, dashes: [Double])
  /// A filled shape with a rim of the paper's color.
  case mark([ImagePoint], PlotPaint)
  case text(PlotText)
}

/// The forms of marks, so that series differ in more than color.
enum PlotMark {
  static let radius = 5.0

  /// The corners of the mark of a series around a point.
  static func corners(series: Int, at center: ImagePoint) -> [ImagePoint] {
    // Of equal area, about.
    let shapes: [(corners: Int, radius: Double, turn: Double)] = [
      (32, 1, 0), (4, 1.25, 0.125), (3, 1.4, 0.75), (4, 1.25, 0), (3, 1.4, 0.25), (6, 1.08, 0),
    ]
    let shape = shapes[series % shapes.count]
    return (0..<shape.corners).map { corner in
      let angle = 2 * Double.pi * (Double(corner) / Double(shape.corners) + shape.turn)
      return ImagePoint(
        x: center.x + cos(angle) * radius * shape.radius,
        y: center.y + sin(angle) * radius * shape.radius, origin: .upperLeft)
    }
  }
}
