// Fovea - where the parts of a plot lie.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaDrawing
package import FoveaGeometry

/// Where the parts of a plot lie, in points from the upper left corner.
package struct PlotLayout {
  package let width: Double
  package let height: Double
  /// The rectangle between the axes.
  package let area: ImageRect
  package let xTicks: AxisTicks
  package let yTicks: AxisTicks
  /// What is drawn, the lowest first.
  package private(set) var elements: [PlotElement] = []

  static let (fontSize, titleSize) = (12.0, 16.0)
  private static let (margin, gap) = (20.0, 8.0)
  private let legend: Legend

  /// Names in columns beside the area.
  private struct Legend {
    static let (line, swatch, longest) = (19.0, 22.0, 640.0)
    /// Rows of a column, and columns.
    let rows, columns: Int
    /// Of one column, with the gap behind it.
    let columnWidth: Double

    var width: Double { Double(columns) * columnWidth }

    init(_ names: [String]) {
      columns = Int((Double(names.count) * Self.line / Self.longest).rounded(.up))
      rows = columns > 0 ? (names.count + columns - 1) / columns : 0
      let text = names.map { PlotLayout.textWidth($0) }.max() ?? 0
      columnWidth = text + Self.swatch + gap + margin
    }

    /// Where the line of a series begins; the middle of its letters.
    func place(of series: Int, in area: ImageRect) -> (x: Double, y: Double) {
      (
        area.maxX + margin + Double(series / rows) * columnWidth,
        area.minY + (Double(series % rows) + 0.5) * Self.line
      )
    }
  }

  package init(_ plot: Plot) {
    let points = plot.series.flatMap(\.points).filter { $0.x.isFinite && $0.y.isFinite }
    xTicks = AxisTicks(
      covering: Self.range(points.map(\.x), plot.x.range), about: Int(plot.width / 80))
    yTicks = AxisTicks(
      covering: Self.range(points.map(\.y), plot.y.range), about: Int(plot.height / 60))
    let head = Self.margin + Self.titleSize + (plot.subtitle.isEmpty ? 0 : 18) + 34
    let foot = Self.margin + 2 * Self.fontSize + 14
    let ticks = yTicks
    let numbers = ticks.values.map { Self.textWidth(ticks.text(of: $0)) }.max() ?? 0
    let left = Self.margin + numbers + Self.gap
    legend = Legend(plot.series.map(\.name))
    let inner = max(plot.height - head - foot, Double(legend.rows) * Legend.line)
    area = ImageRect(
      x: left, y: head, width: max(plot.width - left - Self.margin, 40), height: inner,
      origin: .upperLeft)
    let heading = max(
      Self.textWidth(plot.title, size: Self.titleSize, isBold: true), Self.textWidth(plot.subtitle))
    width = max(
      area.maxX + Self.margin + legend.width,
      heading + 2 * Self.margin
    ).rounded(.up)
    height = (head + inner + foot).rounded(.up)
    elements = [
      .area(ImageRect(x: 0, y: 0, width: width, height: height, origin: .upperLeft), .ground)
    ]
    addHeading(plot)
    addAxes(plot)
    addSeries(plot)
    addLegend(plot)
  }

  /// The range of the numbers and of what must be shown.
  private static func range(
    _ values: [Double], _ shown: ClosedRange<Double>?
  ) -> ClosedRange<Double> {
    let all = values + [shown?.lowerBound, shown?.upperBound].compactMap { $0 }
    return (all.min() ?? 0)...(all.max() ?? 1)
  }

  /// How wide a text is at most. The estimate is for bold letters; regular ones are narrower by a tenth.
  static func textWidth(
    _ text: String, size: Double = fontSize, isBold: Bool = false
  ) -> Double {
    DrawingInstructions.estimatedTextWidth(text, fontSize: size) * (isBold ? 1 : 0.92)
  }

  // MARK: Places

  /// Where a point of the plot's numbers lies.
  package func place(x: Double, y: Double) -> ImagePoint {
    func part(_ value: Double, _ ticks: AxisTicks) -> Double {
      let (first, last) = (ticks.values[0], ticks.values[ticks.values.count - 1])
      return (value - first) / (last - first)
    }
    return ImagePoint(
      x: area.minX + part(x, xTicks) * area.width, y: area.maxY - part(y, yTicks) * area.height,
      origin: .upperLeft)
  }

  private func point(_ x: Double, _ y: Double) -> ImagePoint {
    ImagePoint(x: x, y: y, origin: .upperLeft)
  }

  // MARK: Parts

  private mutating func addHeading(_ plot: Plot) {
    var baseline = Self.margin + Self.titleSize - 3
    elements.append(
      .text(
        PlotText(
          text: plot.title, anchor: point(Self.margin, baseline), fontSize: Self.titleSize,
          isBold: true, paint: .ink)))
    guard !plot.subtitle.isEmpty else { return }
    baseline += 19
    elements.append(.text(PlotText(text: plot.subtitle, anchor: point(Self.margin, baseline))))
  }

  private mutating func addAxes(_ plot: Plot) {
    for value in yTicks.values {
      let y = place(x: xTicks.values[0], y: value).y
      addLine(from: point(area.minX, y), to: point(area.maxX, y), .grid)
      addText(
        yTicks.text(of: value), at: point(area.minX - Self.gap, y + 0.35 * Self.fontSize), .end)
    }
    for value in xTicks.values {
      let x = place(x: value, y: yTicks.values[0]).x
      addLine(from: point(x, area.minY), to: point(x, area.maxY), .grid)
      addText(xTicks.text(of: value), at: point(x, area.maxY + Self.fontSize + 7), .middle)
    }
    addLine(from: point(area.minX, area.maxY), to: point(area.maxX, area.maxY), .muted)
    addLine(from: point(area.minX, area.minY), to: point(area.minX, area.maxY), .muted)
    addText(plot.y.title, at: point(Self.margin, area.minY - 14), .start)
    addText(
      plot.x.title, at: point((area.minX + area.maxX) / 2, area.maxY + 2 * Self.fontSize + 14),
      .middle)
  }

  private mutating func addLine(from start: ImagePoint, to end: ImagePoint, _ paint: PlotPaint) {
    elements.append(.line([start, end], paint, width: 1, dashes: []))
  }

  private mutating func addText(
    _ text: String, at anchor: ImagePoint, _ alignment: PlotText.Alignment
  ) {
    elements.append(.text(PlotText(text: text, anchor: anchor, alignment: alignment)))
  }

  private mutating func addSeries(_ plot: Plot) {
    var marks: [PlotLabels.Mark] = []
    for (place, series) in plot.series.enumerated().reversed() {
      let points = series.points.filter { $0.x.isFinite && $0.y.isFinite }
      let places = points.map { self.place(x: $0.x, y: $0.y) }
      if series.isLine {
        guard places.count > 1 else { continue }
        elements.append(
          .line(places, .series(place), width: 2, dashes: Self.dashes(of: place)))
      } else {
        elements += places.map {
          .mark(PlotMark.corners(series: place, at: $0), .series(place))
        }
      }
      marks += zip(points, places).filter { !series.isLine || !$0.0.label.isEmpty }.map {
        PlotLabels.Mark(center: $1, label: $0.label)
      }
    }
    elements += PlotLabels.elements(marks, in: area)
  }

  /// Colors come again after the palette, with dashes.
  private static func dashes(of place: Int) -> [Double] {
    let patterns: [[Double]] = [[], [7, 4], [2, 3], [9, 3, 2, 3]]
    return patterns[place / DrawingColor.labelPalette.count % patterns.count]
  }

  private mutating func addLegend(_ plot: Plot) {
    for (place, series) in plot.series.enumerated() {
      let (left, middle) = legend.place(of: place, in: area)
      if series.isLine {
        elements.append(
          .line(
            [point(left, middle), point(left + Legend.swatch, middle)], .series(place), width: 3,
            dashes: Self.dashes(of: place)))
      } else {
        let center = point(left + Legend.swatch / 2, middle)
        elements.append(.mark(PlotMark.corners(series: place, at: center), .series(place)))
      }
      elements.append(
        .text(
          PlotText(
            text: series.name,
            anchor: point(left + Legend.swatch + Self.gap, middle + 0.35 * Self.fontSize),
            paint: .ink)))
    }
  }
}
