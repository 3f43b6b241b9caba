// Fovea - plots, drawn by cairo.
// SPDX-License-Identifier: Apache-2.0
#if Drawing
  internal import CCairo
  internal import FoveaDrawing
  internal import FoveaGeometry

  extension CairoCanvas {
    /// Draws a plot in light colors, `scale` pixels to a point.
    func draw(_ layout: PlotLayout, scale: Double) {
      cairo.save(context)
      cairo.scale(context, scale, scale)
      cairo.set_line_join(context, CAIRO_LINE_JOIN_ROUND)
      for element in layout.elements { draw(element) }
      cairo.restore(context)
    }

    private func draw(_ element: PlotElement) {
      switch element {
      case .area(let rect, let paint): fill(rect, paint.color(isDark: false))
      case .line(let points, let paint, let width, let dashes):
        stroke(
          DrawingStroke(color: paint.color(isDark: false), width: width, dashes: dashes)
        ) { trace(points) }
      case .mark(let corners, let paint):
        trace(corners)
        choose(paint.color(isDark: false))
        cairo.fill(context)
        stroke(DrawingStroke(color: PlotPaint.ground.color(isDark: false), width: 1)) {
          trace(corners + corners.prefix(1))
        }
      case .text(let text): draw(text)
      }
    }

    private func trace(_ points: [ImagePoint]) {
      for (place, point) in points.enumerated() {
        (place == 0 ? cairo.move_to : cairo.line_to)(context, point.x, point.y)
      }
    }

    private func draw(_ text: PlotText) {
      cairo.select_font_face(
        context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
        text.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
      let width = textWidth(text.text, fontSize: text.fontSize)
      let shift =
        switch text.alignment {
        case .start: 0.0
        case .middle: width / 2
        case .end: width
        }
      cairo.move_to(context, text.anchor.x - shift, text.anchor.y)
      choose(text.paint.color(isDark: false))
      cairo.show_text(context, text.text)
      cairo.new_path(context)
    }
  }
#endif
