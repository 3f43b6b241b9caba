// Fovea - drawings as SVG.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
package import FoveaImaging
internal import FoveaLibc

extension DrawingInstructions {
  /// The drawing as an SVG 1.1 file of the size of the canvas. It does not need cairo.
  ///
  /// Text stays text: it can be searched and read aloud. The viewer's fonts draw it, fitted into
  /// the widths of the instructions.
  ///
  /// - Parameter image: An image to embed below the drawing, as PNG. It is turned upright first,
  ///   and fills the rectangle of the image on the canvas.
  /// - Throws: `.image` if the image cannot be encoded as PNG.
  package func svgBytes(over image: Image? = nil) throws(DrawingError) -> [UInt8] {
    var writer = SVGWriter()
    writer.begin(width: canvas.width, height: canvas.height)
    if let image {
      let upright = image.upright()
      let png = try DrawingError.translating { () throws(ImageError) in try upright.pngBytes() }
      writer.image(png, in: canvas.image)
    }
    for element in elements { writer.write(element) }
    writer.end()
    return writer.bytes
  }
}

/// Writes elements as SVG.
private struct SVGWriter {
  private(set) var bytes: [UInt8] = []

  private mutating func line(_ text: String) {
    bytes += text.utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  mutating func begin(width: Double, height: Double) {
    line(#"<?xml version="1.0" encoding="UTF-8"?>"#)
    line(
      #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" "#
        + #"version="1.1" width="\#(decimal(width))" height="\#(decimal(height))" "#
        + #"viewBox="0 0 \#(decimal(width)) \#(decimal(height))" "#
        + #"font-family="'DejaVu Sans', Verdana, Geneva, sans-serif" font-weight="bold">"#)
  }

  mutating func end() { line("</svg>") }

  mutating func image(_ png: [UInt8], in rect: ImageRect) {
    bytes += "<image \(place(rect)) preserveAspectRatio=\"none\" ".utf8
    bytes += "xlink:href=\"data:image/png;base64,".utf8
    appendBase64(of: png, to: &bytes)
    line("\"/>")
  }

  mutating func write(_ element: DrawingElement) {
    switch element {
    case .rectangle(let rectangle):
      for stroke in rectangle.strokes {
        line("<rect \(place(rectangle.rect)) fill=\"none\" \(attributes(stroke))/>")
      }
    case .polygon(let polygon):
      let points = polygon.corners.map { "\(decimal($0.x)),\(decimal($0.y))" }
      for stroke in polygon.strokes {
        line(
          #"<polygon points="\#(points.joined(separator: " "))" fill="none" "#
            + #"stroke-linejoin="round" \#(attributes(stroke))/>"#)
      }
    case .area(let area):
      let bars = area.bars.map { bar in
        "M\(decimal(bar.x)) \(decimal(bar.y))h\(decimal(bar.width))v\(decimal(bar.height))"
          + "h\(decimal(-bar.width))z"
      }
      line("<path d=\"\(bars.joined())\" \(paint("fill", area.fill))/>")
    case .dot(let dot):
      for stroke in dot.strokes {
        line(
          #"<circle cx="\#(decimal(dot.center.x))" cy="\#(decimal(dot.center.y))" "#
            + #"r="\#(decimal(stroke.width / 2))" \#(paint("fill", stroke.color))/>"#)
      }
    case .line(let line):
      for stroke in line.strokes {
        self.line(
          #"<line x1="\#(decimal(line.start.x))" y1="\#(decimal(line.start.y))" "#
            + #"x2="\#(decimal(line.end.x))" y2="\#(decimal(line.end.y))" "#
            + "\(attributes(stroke))/>")
      }
    case .plate(let plate):
      line("<rect \(place(plate.rect)) \(paint("fill", plate.fill))/>")
      if plate.border.width > 0 {
        line("<rect \(place(plate.borderRect)) fill=\"none\" \(attributes(plate.border))/>")
      }
      write(.text(plate.text))
    case .text(let text):
      line(
        #"<text x="\#(decimal(text.anchor.x))" y="\#(decimal(text.anchor.y))" "#
          + #"font-size="\#(decimal(text.fontSize))" textLength="\#(decimal(text.width))" "#
          + #"lengthAdjust="spacingAndGlyphs" \#(paint("fill", text.color))>"#
          + "\(MarkupText.escaped(text.text))</text>")
    }
  }

  private func place(_ rect: ImageRect) -> String {
    #"x="\#(decimal(rect.x))" y="\#(decimal(rect.y))" "#
      + #"width="\#(decimal(rect.width))" height="\#(decimal(rect.height))""#
  }

  private func attributes(_ stroke: DrawingStroke) -> String {
    let dashes = stroke.dashes.map(decimal).joined(separator: " ")
    return paint("stroke", stroke.color) + #" stroke-width="\#(decimal(stroke.width))""#
      + (dashes.isEmpty ? "" : #" stroke-dasharray="\#(dashes)""#)
  }

  /// `fill` or `stroke` with its opacity.
  private func paint(_ name: String, _ color: DrawingColor) -> String {
    #"\#(name)="\#(color.hexadecimal)""#
      + (color.opacity == 1 ? "" : #" \#(name)-opacity="\#(decimal(color.opacity))""#)
  }
}

/// A number with at most three digits after the point: a thousandth of a pixel is not seen.
package func decimal(_ value: Double) -> String {
  let thousandths = (value * 1000).rounded()
  guard thousandths.magnitude < 1e15 else { return "0" }
  let whole = Int(thousandths.magnitude)
  let digits = String(whole % 1000 + 1000).dropFirst()
  let fraction = digits.reversed().drop { $0 == "0" }.reversed()
  let sign = thousandths < 0 ? "-" : ""
  return sign + String(whole / 1000) + (fraction.isEmpty ? "" : "." + String(fraction))
}
