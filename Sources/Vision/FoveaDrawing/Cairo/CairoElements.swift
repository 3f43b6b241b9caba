// Fovea - the elements of drawings, drawn by cairo.
// SPDX-License-Identifier: Apache-2.0
#if Drawing
  internal import CCairo
  package import FoveaGeometry

  extension CairoCanvas {
    /// Draws one element.
    package func draw(_ element: DrawingElement) {
      switch element {
      case .rectangle(let rectangle):
        for line in rectangle.strokes { stroke(line) { outline(rectangle.rect) } }
      case .polygon(let polygon):
        // Sharp corners would reach far beyond where they are.
        cairo.set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        for line in polygon.strokes { stroke(line) { outline(polygon.corners) } }
        cairo.set_line_join(context, CAIRO_LINE_JOIN_MITER)
      case .area(let area):
        for bar in area.bars { outline(bar) }
        choose(area.fill)
        cairo.fill(context)
      case .dot(let dot):
        // A line without length has the shape of its round ends.
        cairo.set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        for disc in dot.strokes {
          stroke(disc) {
            cairo.move_to(context, dot.center.x, dot.center.y)
            cairo.line_to(context, dot.center.x, dot.center.y)
          }
        }
        cairo.set_line_cap(context, CAIRO_LINE_CAP_BUTT)
      case .line(let line):
        for part in line.strokes {
          stroke(part) {
            cairo.move_to(context, line.start.x, line.start.y)
            cairo.line_to(context, line.end.x, line.end.y)
          }
        }
      case .plate(let plate):
        fill(plate.rect, plate.fill)
        if plate.border.width > 0 { stroke(plate.border) { outline(plate.borderRect) } }
        draw(plate.text)
      case .text(let text): draw(text)
      }
    }

    /// Fills a rectangle.
    package func fill(_ rect: ImageRect, _ color: DrawingColor) {
      outline(rect)
      choose(color)
      cairo.fill(context)
    }

    /// The width of a line of bold text, in pixels.
    package func textWidth(_ text: String, fontSize: Double) -> Double {
      var extents = cairo_text_extents_t()
      cairo.set_font_size(context, fontSize)
      cairo.text_extents(context, text, &extents)
      return extents.x_advance
    }

    private func draw(_ text: TextElement) {
      let natural = textWidth(text.text, fontSize: text.fontSize)
      cairo.save(context)
      cairo.translate(context, text.anchor.x, text.anchor.y)
      if natural > text.width, text.width > 0 { cairo.scale(context, text.width / natural, 1) }
      cairo.move_to(context, 0, 0)
      choose(text.color)
      cairo.show_text(context, text.text)
      cairo.restore(context)
      cairo.new_path(context)
    }

    /// Draws a stroke along the path that `path` makes.
    package func stroke(_ stroke: DrawingStroke, along path: () -> Void) {
      path()
      choose(stroke.color)
      cairo.set_line_width(context, stroke.width)
      cairo.set_dash(context, stroke.dashes, Int32(stroke.dashes.count), 0)
      cairo.stroke(context)
    }

    private func outline(_ rect: ImageRect) {
      cairo.rectangle(context, rect.x, rect.y, rect.width, rect.height)
    }

    private func outline(_ corners: [ImagePoint]) {
      guard let first = corners.first else { return }
      cairo.move_to(context, first.x, first.y)
      for corner in corners.dropFirst() { cairo.line_to(context, corner.x, corner.y) }
      cairo.close_path(context)
    }

    /// Chooses what the next path is painted with.
    package func choose(_ color: DrawingColor) {
      cairo.set_source_rgba(
        context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
        color.opacity)
    }
  }
#endif
