// Fovea - plots as SVG.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaDrawing
internal import FoveaGeometry
internal import FoveaLibc

/// Writes plots as SVG. Colors are classes of a style sheet, which has them twice: for light paper, and for
/// viewers that prefer dark.
enum PlotSVG {
  static func bytes(of layout: PlotLayout) -> [UInt8] {
    let size = "\(decimal(layout.width)) \(decimal(layout.height))"
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="\#(decimal(layout.width))" "#
        + #"height="\#(decimal(layout.height))" viewBox="0 0 \#(size)" "#
        + #"font-family="'DejaVu Sans', Verdana, Geneva, sans-serif">"#,
      "<style>", rules(of: layout, isDark: false),
      "@media (prefers-color-scheme: dark) {", rules(of: layout, isDark: true), "}", "</style>",
    ]
    lines += layout.elements.map(text)
    lines.append("</svg>\n")
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static func rules(of layout: PlotLayout, isDark: Bool) -> String {
    var names: Set<String> = []
    var rules: [String] = []
    for paint in layout.elements.flatMap(\.paints) where names.insert(paint.name).inserted {
      let color = paint.color(isDark: isDark).hexadecimal
      rules.append(".\(paint.name){fill:\(color)} .\(paint.name)-line{stroke:\(color);fill:none}")
    }
    let rim = PlotPaint.ground.color(isDark: isDark).hexadecimal
    return (rules + [".rim{stroke:\(rim)}"]).joined(separator: "\n")
  }

  private static func text(_ element: PlotElement) -> String {
    switch element {
    case .area(let rect, let paint):
      return #"<rect class="\#(paint.name)" x="\#(decimal(rect.x))" y="\#(decimal(rect.y))" "#
        + #"width="\#(decimal(rect.width))" height="\#(decimal(rect.height))"/>"#
    case .line(let points, let paint, let width, let dashes):
      let pattern = dashes.map(decimal).joined(separator: " ")
      return #"<polyline class="\#(paint.name)-line" points="\#(list(points))" "#
        + #"stroke-width="\#(decimal(width))" stroke-linejoin="round""#
        + (dashes.isEmpty ? "/>" : #" stroke-dasharray="\#(pattern)"/>"#)
    case .mark(let corners, let paint):
      return #"<polygon class="\#(paint.name) rim" points="\#(list(corners))"/>"#
    case .text(let text):
      return #"<text class="\#(text.paint.name)" x="\#(decimal(text.anchor.x))" "#
        + #"y="\#(decimal(text.anchor.y))" font-size="\#(decimal(text.fontSize))""#
        + (text.alignment == .start ? "" : #" text-anchor="\#(text.alignment.rawValue)""#)
        + (text.isBold ? #" font-weight="bold">"# : ">") + MarkupText.escaped(text.text) + "</text>"
    }
  }

  private static func list(_ points: [ImagePoint]) -> String {
    points.map { decimal($0.x) + "," + decimal($0.y) }.joined(separator: " ")
  }
}

extension PlotElement {
  fileprivate var paints: [PlotPaint] {
    switch self {
    case .area(_, let paint), .line(_, let paint, _, _), .mark(_, let paint): [paint]
    case .text(let text): [text.paint]
    }
  }
}

extension PlotPaint {
  /// Its class in the style sheet.
  fileprivate var name: String {
    switch self {
    case .ground: "ground"
    case .ink: "ink"
    case .muted: "muted"
    case .grid: "grid"
    case .series(let place): "series\(place)"
    }
  }
}
