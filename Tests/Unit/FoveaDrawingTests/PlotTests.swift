// Fovea - tests of plots.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaDrawing
import FoveaGeometry
import FoveaImaging
import FoveaPlots
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct AxisTicksTests {
  /// A range, about how many ticks it is to have, and the ticks.
  struct Case: Sendable {
    var range: ClosedRange<Double>
    var count: Int
    var ticks: [Double]
    var digits: Int
  }

  private static let cases: [Case] = [
    Case(range: 0...1, count: 5, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], digits: 1),
    Case(
      range: 0...1, count: 10, ticks: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
      digits: 1),
    Case(range: 0.12...0.247, count: 4, ticks: [0.1, 0.15, 0.2, 0.25], digits: 2),
    Case(range: 3...97, count: 5, ticks: [0, 20, 40, 60, 80, 100], digits: 0),
    Case(range: -7...13, count: 4, ticks: [-10, -5, 0, 5, 10, 15], digits: 0),
    Case(range: 1234...5678, count: 3, ticks: [0, 2000, 4000, 6000], digits: 0),
    Case(
      range: 0.0003...0.0008, count: 5, ticks: [0.0003, 0.0004, 0.0005, 0.0006, 0.0007, 0.0008],
      digits: 4),
  ]

  @Test(arguments: cases) func areRound(_ example: Case) {
    let ticks = AxisTicks(covering: example.range, about: example.count)
    #expect(ticks.values == example.ticks)
    #expect(ticks.digits == example.digits)
  }

  /// Whatever the range: steps of 1, 2 or 5 times a power of ten, equal, and no more of them than asked
  /// for and two.
  @Test func coverEveryRange() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let low = Double.random(in: -1000...1000, using: &generator)
      let width = pow(10, Double.random(in: -2...4, using: &generator))
      let ticks = AxisTicks(covering: low...low + width, about: 6)
      let values = ticks.values
      let step = values[1] - values[0]
      #expect(values[0] <= low + 1e-6 * width && values.last! >= low + width - 1e-6 * width)
      #expect(values[0] > low - 1.001 * step && values.last! < low + width + 1.001 * step)
      #expect((2...9).contains(values.count))
      let leading = step / pow(10, floor(log10(step * 1.0001)))
      #expect([1.0, 2, 5].contains { abs($0 - leading) < 1e-3 }, "\(step)")
      let texts = values.map(ticks.text)
      #expect(Set(texts).count == texts.count)
      for (text, value) in zip(texts, values) {
        #expect(abs((Double(text) ?? .nan) - value) < 1e-3 * step)
      }
    }
  }

  @Test func oneNumberIsARangeToo() {
    #expect(AxisTicks(covering: 5...5, about: 5).values.count >= 2)
    #expect(AxisTicks(covering: 0...0, about: 5).values.contains(0))
    #expect(AxisTicks(covering: -.infinity...(.infinity), about: 5).values.count >= 2)
  }

  @Test func textsHaveEqualDigits() {
    let ticks = AxisTicks(covering: 0...1, about: 5)
    #expect(ticks.values.map(ticks.text) == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"])
    let coarse = AxisTicks(covering: -20...20, about: 4)
    #expect(coarse.values.map(coarse.text) == ["-20", "-10", "0", "10", "20"])
  }
}

@Suite struct PlotTests {
  private static let curve = (0...10).map { Plot.Point(x: Double($0) / 10, y: 1 - Double($0) / 20) }

  private static func plot(_ series: [Plot.Series]) -> Plot {
    Plot(
      title: "a < b & \"c\"", subtitle: "below", x: .init("recall", in: 0...1),
      y: .init("precision", in: 0...1), series: series)
  }

  /// Ends of the axes are corners of the area, and everything between lies in proportion.
  @Test func pointsLieWhereTheirNumbersSay() {
    let layout = PlotLayout(Self.plot([.init("curve", line: Self.curve)]))
    let (low, high) = (layout.place(x: 0, y: 0), layout.place(x: 1, y: 1))
    #expect(low.x == layout.area.minX && low.y == layout.area.maxY)
    #expect(high.x == layout.area.maxX && high.y == layout.area.minY)
    let middle = layout.place(x: 0.25, y: 0.5)
    #expect(abs(middle.x - (layout.area.minX + layout.area.width / 4)) < 1e-9)
    #expect(abs(middle.y - (layout.area.minY + layout.area.height / 2)) < 1e-9)
    let lines = layout.elements.compactMap { element in
      if case .line(let points, .series(0), _, _) = element { points } else { nil }
    }
    // The curve, and its sample in the legend.
    #expect(lines.count == 2 && lines[0].count == 11)
    for (place, point) in zip(lines[0], Self.curve) {
      #expect(abs(place.x - (layout.area.minX + point.x * layout.area.width)) < 1e-9)
      #expect(abs(place.y - (layout.area.maxY - point.y * layout.area.height)) < 1e-9)
    }
  }

  /// Everything lies on the paper, and no label on a mark or on another label.
  @Test func labelsDoNotOverlap() {
    let marks = (0..<24).map { index -> Plot.Point in
      let column = Double(index % 5), row = Double(index / 5)
      return Plot.Point(
        x: column + 0.03 * Double(index), y: 0.2 * row, label: "variant \(index)")
    }
    let layout = PlotLayout(
      Plot(
        title: "t", x: .init("x"), y: .init("y"),
        series: [
          .init("one", marks: Array(marks[..<12])), .init("two", marks: Array(marks[12...])),
        ]
      ))
    let boxes = layout.elements.compactMap { element -> ImageRect? in
      guard case .text(let text) = element, text.text.hasPrefix("variant") else { return nil }
      // Regular letters are narrower than the bold ones of the estimate.
      let width =
        0.9 * DrawingInstructions.estimatedTextWidth(text.text, fontSize: text.fontSize)
      return ImageRect(
        x: text.anchor.x - width / 2, y: text.anchor.y - 0.8 * text.fontSize, width: width,
        height: text.fontSize, origin: .upperLeft)
    }
    #expect(boxes.count == 24)
    func overlap(_ a: ImageRect, _ b: ImageRect) -> Bool {
      a.minX < b.maxX && b.minX < a.maxX && a.minY < b.maxY && b.minY < a.maxY
    }
    for (index, box) in boxes.enumerated() {
      #expect(
        box.minX >= 0 && box.maxX <= layout.width && box.minY >= 0 && box.maxY <= layout.height)
      #expect(!boxes[..<index].contains { overlap($0, box) }, "label \(index)")
      #expect(
        !marks.contains { point in
          let place = layout.place(x: point.x, y: point.y)
          return overlap(
            box, ImageRect(x: place.x, y: place.y, width: 0, height: 0, origin: .upperLeft))
        })
    }
  }

  @Test func theFileIsWellFormedAndHasEverySeries() throws {
    let names = (0..<45).map { "class <\($0)>" }
    let plot = Self.plot(names.map { .init($0, line: Self.curve) })
    let bytes = plot.svgBytes()
    let reader = TextReader()
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(reader.texts.isSuperset(of: names + ["a < b & \"c\"", "below", "recall", "0.2"]))
    // Curves, samples in the legend, and the axes with their grid.
    let layout = PlotLayout(plot)
    #expect(reader.lines == 2 * 45 + 2 + layout.xTicks.values.count + layout.yTicks.values.count)
    #expect(String(decoding: bytes, as: UTF8.self).contains("prefers-color-scheme: dark"))
  }

  @Test func whatIsNoNumberIsLeftOut() {
    let points = [
      Plot.Point(x: 0, y: 0), Plot.Point(x: .nan, y: 1), Plot.Point(x: 1, y: .infinity),
      Plot.Point(x: 1, y: 1),
    ]
    let layout = PlotLayout(Self.plot([.init("curve", line: points)]))
    let counts = layout.elements.compactMap { element -> Int? in
      if case .line(let points, .series(0), width: 2, _) = element { points.count } else { nil }
    }
    #expect(counts == [2])
    #expect(!PlotLayout(Plot(title: "", x: .init(""), y: .init(""))).elements.isEmpty)
  }

  /// Colors of series are seen on light and on dark paper, and lines of the first ones can be told
  /// apart.
  @Test func colorsAreSeen() throws {
    for isDark in [false, true] {
      let ground = PlotPaint.ground.color(isDark: isDark)
      for place in 0..<20 {
        #expect(PlotPaint.series(place).color(isDark: isDark).contrastRatio(with: ground) >= 3)
      }
      for paint in [PlotPaint.ink, .muted] {
        #expect(paint.color(isDark: isDark).contrastRatio(with: ground) >= 4.5)
      }
      #expect(Set((0..<20).map { PlotPaint.series($0).color(isDark: isDark) }).count == 20)
    }
  }

  #if Drawing
    @Test func theImageHasTheSizeAndTheColors() throws {
      let plot = Self.plot([.init("curve", line: Self.curve)])
      let layout = PlotLayout(plot)
      let image = try plot.rendered(scale: 2)
      #expect(image.width == Int(layout.width * 2) && image.height == Int(layout.height * 2))
      let color = PlotPaint.series(0).color(isDark: false)
      // A point in the middle of the line.
      let place = layout.place(x: 0.45, y: 1 - 0.45 / 2)
      let start = (Int(place.y * 2) * image.width + Int(place.x * 2)) * 3
      #expect(Array(image.rgb[start..<start + 3]) == [color.red, color.green, color.blue])
      #expect(Array(image.rgb[0..<3]) == [255, 255, 255])
    }
  #endif
}

/// The texts and the count of lines of a drawing.
private final class TextReader: NSObject, XMLParserDelegate {
  var texts: Set<String> = []
  var lines = 0
  private var text = ""

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    text = ""
    if name == "polyline" { lines += 1 }
  }

  func parser(_ parser: XMLParser, foundCharacters found: String) { text += found }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    if name == "text" { texts.insert(text) }
  }
}
