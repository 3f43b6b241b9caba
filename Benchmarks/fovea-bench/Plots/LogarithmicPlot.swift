// Fovea - points between two logarithmic axes, drawn as SVG.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaLibc

/// Series of points between two logarithmic axes. Points of one column have the same `x`; the name of
/// the column stands above it.
package struct LogarithmicPlot {
  /// One series.
  package struct Series {
    package var name: String
    package var paint: BarGrid.Paint
    /// Whether the marks are filled; otherwise they are rings.
    package var isFilled: Bool
    /// Positive numbers.
    package var points: [(x: Double, y: Double)]

    package init(
      name: String, paint: BarGrid.Paint, isFilled: Bool, points: [(x: Double, y: Double)]
    ) {
      (self.name, self.paint, self.isFilled, self.points) = (name, paint, isFilled, points)
    }
  }

  package var title: String
  package var subtitle: String
  /// What is along the axes, with units.
  package var axes: (x: String, y: String)
  /// Names at places along the horizontal axis.
  package var columns: [(x: Double, name: String)]
  package var series: [Series]

  package init(
    title: String, subtitle: String, axes: (x: String, y: String),
    columns: [(x: Double, name: String)], series: [Series]
  ) {
    (self.title, self.subtitle, self.axes) = (title, subtitle, axes)
    (self.columns, self.series) = (columns, series)
  }

  private static let (width, height, margin, radius) = (680.0, 430.0, 60.0, 4.5)

  private static let rules = (
    light: "\n.grid{stroke:#e1e4ea} .own-ring{stroke:#c2410c} .other-ring{stroke:#2563a8}\n"
      + ".own-ring,.other-ring{fill:none;stroke-width:2}",
    dark: "\n.grid{stroke:#343a45} .own-ring{stroke:#f07a3c} .other-ring{stroke:#6aa5e0}"
  )

  /// Powers of two around the numbers: the exponents of the first and of the last.
  private static func exponents(_ values: [Double]) -> (first: Int, last: Int) {
    let exponents = values.map { log2($0) }
    let first = Int((exponents.min() ?? 0).rounded(.down))
    return (first, max(Int((exponents.max() ?? 1).rounded(.up)), first + 1))
  }

  /// The plot as an SVG file, in dark colors where the viewer prefers them.
  package var svg: String {
    let points = series.flatMap(\.points)
    let (columns, rows) = (Self.exponents(points.map(\.x)), Self.exponents(points.map(\.y)))
    // Names above the columns are turned by 55 degrees: their height is 0.82 of their length.
    let names = self.columns.map { Double($0.name.count) * 6.2 }.max() ?? 0
    let top = 70 + 0.82 * names
    func x(_ value: Double) -> Double {
      Self.margin + Self.width * (log2(value) - Double(columns.first))
        / Double(columns.last - columns.first)
    }
    func y(_ value: Double) -> Double {
      top + Self.height * (Double(rows.last) - log2(value)) / Double(rows.last - rows.first)
    }
    var body = [
      PlotSheet.text(title, 20, 36, "ink", size: 16, weight: "bold"),
      PlotSheet.text(subtitle, 20, 56, "muted"),
    ]
    for exponent in columns.first...columns.last {
      let value = exp2(Double(exponent))
      body.append(path(x(value), top, "v\(PlotSheet.decimal(Self.height))"))
      body.append(
        PlotSheet.text(number(value), x(value), top + Self.height + 18, "muted", anchor: "middle"))
    }
    for exponent in rows.first...rows.last {
      let value = exp2(Double(exponent))
      body.append(path(Self.margin, y(value), "h\(PlotSheet.decimal(Self.width))"))
      body.append(
        PlotSheet.text(number(value), Self.margin - 8, y(value) + 4, "muted", anchor: "end"))
    }
    body.append(PlotSheet.text(axes.y, Self.margin, top - 8, "muted"))
    let foot = top + Self.height + 38
    body.append(
      PlotSheet.text(axes.x, Self.margin + Self.width / 2, foot, "muted", anchor: "middle"))
    for column in self.columns {
      let place = "\(PlotSheet.decimal(x(column.x) + 4)) \(PlotSheet.decimal(top - 6))"
      body.append(
        #"<g transform="translate(\#(place)) rotate(-55)">"#
          + PlotSheet.text(column.name, 0, 0, "ink", size: 10) + "</g>")
    }
    for series in series {
      body += series.points.map { mark(series, x($0.x), y($0.y)) }
    }
    for (place, series) in series.enumerated() {
      let left = Self.margin + Double(place % 2) * Self.width / 2
      let line = foot + 24 + Double(place / 2) * 20
      body.append(mark(series, left, line - 4))
      body.append(PlotSheet.text(series.name, left + 12, line, "ink"))
    }
    let last = foot + 24 + Double((series.count + 1) / 2) * 20
    return PlotSheet.head(
      width: Self.width + 2 * Self.margin + 0.57 * names, height: last, rules: Self.rules)
      + body.joined(separator: "\n") + "\n</svg>\n"
  }

  private func number(_ value: Double) -> String {
    NumberText.fixed(value, digits: value < 1 ? 2 : 0)
  }

  private func path(_ x: Double, _ y: Double, _ rest: String) -> String {
    #"<path class="grid" d="M\#(PlotSheet.decimal(x)) \#(PlotSheet.decimal(y))\#(rest)"/>"#
  }

  private func mark(_ series: Series, _ x: Double, _ y: Double) -> String {
    #"<circle class="\#(series.paint.rawValue)\#(series.isFilled ? "" : "-ring")" "#
      + #"cx="\#(PlotSheet.decimal(x))" cy="\#(PlotSheet.decimal(y))" "#
      + #"r="\#(PlotSheet.decimal(Self.radius))"/>"#
  }
}
