// Fovea - a legend: names on plates of their colors.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaImaging

/// Names on plates of their colors, below each other in the upper left corner of a picture:
///
///     +------------+
///     | road  61 % |
///     +---------+--+
///     | sky 30 % |
///     +----------+
///     | 4 more |
///     +--------+
package struct DrawingLegend: Hashable, Sendable {
  /// A line of the legend.
  package struct Entry: Hashable, Sendable {
    package var text: String
    package var color: DrawingColor

    package init(text: String, color: DrawingColor) { (self.text, self.color) = (text, color) }
  }

  /// The lines, the first on top.
  package var entries: [Entry]

  package init(_ entries: [Entry]) { self.entries = entries }

  /// The plates on a picture of `size`. Where there is no room for all, the last one counts the rest;
  /// a picture that is too small for text has none.
  ///
  /// - Parameter measureText: The width of a line of bold text at a font size.
  package func instructions(
    in size: ImageSize,
    measureText: (_ text: String, _ fontSize: Double) -> Double =
      DrawingInstructions.estimatedTextWidth
  ) -> DrawingInstructions {
    let canvas = DrawingCanvas(size)
    let style = DrawingStyle(fitting: canvas.width, canvas.height)
    func plate(_ entry: Entry, from top: Double) -> PlateElement? {
      func at(_ x: Double, _ y: Double) -> PlateElement? {
        PlateElement(
          entry.text, centeredAt: ImagePoint(x: x, y: y, origin: .upperLeft), color: entry.color,
          on: canvas, style: style, measureText: measureText)
      }
      guard let first = at(0, 0), top + first.rect.height <= canvas.height else { return nil }
      return at(first.rect.width / 2, top + first.rect.height / 2)
    }
    var plates: [PlateElement] = []
    var top = 0.0
    for (place, entry) in entries.enumerated() {
      guard let made = plate(entry, from: top) else { break }
      // Below the last plate that has room for another, the rest is counted.
      let isLast = top + 2 * made.rect.height > canvas.height
      let rest = entries.count - place
      let shown =
        isLast && rest > 1
        ? plate(Entry(text: "\(rest) more", color: DrawingLegend.restColor), from: top) : made
      guard let shown else { break }
      plates.append(shown)
      top += made.rect.height
      if isLast { break }
    }
    return DrawingInstructions(canvas: canvas, elements: plates.map { .plate($0) })
  }

  private static let restColor = DrawingColor(red: 224, green: 224, blue: 224)

  /// The upright picture with the legend on it.
  ///
  /// - Throws: As `AnnotatedImage.rendered()`.
  package func rendered(over image: Image) throws(DrawingError) -> Image {
    let upright = image.upright()
    #if Drawing
      let canvas = try CairoCanvas(over: upright)
      let size = ImageSize(width: upright.width, height: upright.height)
      return try canvas.image(drawing: instructions(in: size, measureText: canvas.textWidth))
    #else
      throw DrawingError(.traitDisabled)
    #endif
  }
}
