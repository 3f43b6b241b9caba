// Fovea - panels of horizontal bars, drawn as SVG.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// Panels of horizontal bars in rows and columns. Every bar carries its figure, so there are no
/// axes to read: bars begin at zero, and each panel has a scale of its own.
package struct BarGrid {
  /// What a bar is about; the color follows.
  package enum Paint: String, CaseIterable {
    case own, other, plain
  }

  /// One bar.
  package struct Bar {
    package var label: String
    /// The length; not negative.
    package var value: Double
    /// What is written behind the bar.
    package var text: String
    package var paint: Paint
    /// Where a tick crosses the row, on the scale of `value`.
    package var tick: Double?

    package init(
      _ label: String, _ value: Double, text: String, paint: Paint = .own, tick: Double? = nil
    ) {
      (self.label, self.value, self.text, self.paint, self.tick) = (label, value, text, paint, tick)
    }
  }

  /// Bars on one scale.
  package struct Panel {
    package var title: String
    package var bars: [Bar]
    /// Whether labels stand before the bars; otherwise those of the panel to the left count.
    package var showsLabels: Bool

    package init(_ title: String, _ bars: [Bar], showsLabels: Bool = true) {
      (self.title, self.bars, self.showsLabels) = (title, bars, showsLabels)
    }
  }

  package var title: String
  package var subtitle: String
  /// Rows of panels with a heading each; empty for none.
  package var rows: [(heading: String, panels: [Panel])]
  /// Length of the longest bar of a panel, in points.
  package var barLength = 190.0

  package init(title: String, subtitle: String, rows: [(heading: String, panels: [Panel])]) {
    (self.title, self.subtitle, self.rows) = (title, subtitle, rows)
  }

  // MARK: Layout

  private static let (margin, gap, rowHeight, barHeight) = (20.0, 8.0, 21.0, 14.0)

  /// A column: where its bars begin, and how far their texts may reach.
  private struct Column {
    var start: Double
    var end: Double
  }

  private var columns: [Column] {
    var columns: [Column] = []
    var x = Self.margin
    for place in 0..<(rows.map(\.panels.count).max() ?? 0) {
      let panels = rows.compactMap { place < $0.panels.count ? $0.panels[place] : nil }
      let bars = panels.flatMap(\.bars)
      let labels = panels.filter(\.showsLabels).flatMap(\.bars).map { Self.width($0.label) }
      let start = x + (labels.max().map { $0 + Self.gap } ?? 0)
      let texts = bars.map { Self.width($0.text) }.max() ?? 0
      let end = max(
        start + barLength + Self.gap + texts,
        start + (panels.map { Self.width($0.title) }.max() ?? 0))
      columns.append(Column(start: start, end: end))
      x = end + 2 * Self.margin
    }
    return columns
  }

  /// About the width of a text in DejaVu Sans.
  private static func width(_ text: String) -> Double {
    Double(text.count) * 0.62 * PlotSheet.fontSize
  }

  // MARK: SVG

  /// The grid as an SVG file, in dark colors where the viewer prefers them.
  package var svg: String {
    let columns = columns
    var body: [String] = []
    var y = Self.margin + 16
    body.append(PlotSheet.text(title, Self.margin, y, "ink", size: 16, weight: "bold"))
    y += 20
    body.append(PlotSheet.text(subtitle, Self.margin, y, "muted"))
    for (heading, panels) in rows {
      y += 34
      if !heading.isEmpty {
        body.append(PlotSheet.text(heading, Self.margin, y, "ink", size: 13, weight: "bold"))
        y += 22
      }
      for (panel, column) in zip(panels, columns) {
        body.append(PlotSheet.text(panel.title, column.start, y, "muted"))
        body += lines(of: panel, in: column, below: y + Self.gap)
      }
      y += Self.gap + Double(panels.map(\.bars.count).max() ?? 0) * Self.rowHeight
    }
    let width = max(
      columns.last?.end ?? 0,
      Self.margin + max(Self.width(title) * 1.45, Self.width(subtitle)))
    return PlotSheet.head(width: width + Self.margin, height: y + Self.margin)
      + body.joined(separator: "\n")
      + "\n</svg>\n"
  }

  private func lines(of panel: Panel, in column: Column, below top: Double) -> [String] {
    let longest = panel.bars.map { max($0.value, $0.tick ?? 0) }.max() ?? 0
    let scale = barLength / max(longest, .leastNormalMagnitude)
    let height = Double(panel.bars.count) * Self.rowHeight
    var lines = [
      #"<path class="base" d="M\#(PlotSheet.decimal(column.start)) "#
        + #"\#(PlotSheet.decimal(top))v\#(PlotSheet.decimal(height))"/>"#
    ]
    for (place, bar) in panel.bars.enumerated() {
      let y = top + Double(place) * Self.rowHeight
      let baseline = y + Self.rowHeight / 2 + 4
      if panel.showsLabels {
        lines.append(
          PlotSheet.text(
            bar.label, column.start - Self.gap, baseline, bar.paint == .plain ? "muted" : "ink",
            anchor: "end"))
      }
      lines.append(
        #"<rect class="\#(bar.paint.rawValue)" x="\#(PlotSheet.decimal(column.start))" "#
          + #"y="\#(PlotSheet.decimal(y + (Self.rowHeight - Self.barHeight) / 2))" "#
          + #"width="\#(PlotSheet.decimal(bar.value * scale))" "#
          + #"height="\#(PlotSheet.decimal(Self.barHeight))"/>"#
      )
      if let tick = bar.tick {
        lines.append(
          #"<path class="tick" d="M\#(PlotSheet.decimal(column.start + tick * scale)) "#
            + #"\#(PlotSheet.decimal(y + 1))v\#(PlotSheet.decimal(Self.rowHeight - 2))"/>"#)
      }
      let end = column.start + max(bar.value, bar.tick ?? 0) * scale
      lines.append(PlotSheet.text(bar.text, end + 6, baseline, "ink"))
    }
    return lines
  }
}
