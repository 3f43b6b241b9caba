// Fovea - pixels that cairo draws on.
// SPDX-License-Identifier: Apache-2.0
#if Drawing
  package import CCairo
  internal import FoveaGeometry
  package import FoveaImaging

  /// Opaque pixels that cairo draws on.
  package final class CairoCanvas {
    package let cairo: fov_cairo_functions
    package let context: OpaquePointer
    private let surface: OpaquePointer
    private let (width, height): (Int, Int)

    /// cairo counts pixels of a side in 16 bits, one of them the sign.
    private static let longestSide = 32767

    /// Black pixels.
    ///
    /// - Throws: `.libraryUnavailable`, `.nothingToDraw`, `.tooLarge` or `.failed`.
    package init(width: Int, height: Int) throws(DrawingError) {
      guard width > 0, height > 0 else { throw DrawingError(.nothingToDraw) }
      guard max(width, height) <= Self.longestSide else {
        throw DrawingError(.tooLarge(width: width, height: height, limit: Self.longestSide))
      }
      cairo = try CairoLibrary.shared()
      let surface = cairo.image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
      let context = cairo.create(surface)
      guard let surface, let context else { throw DrawingError(.failed("out of memory")) }
      (self.width, self.height, self.surface, self.context) = (width, height, surface, context)
      try check(cairo.surface_status(surface))
      try check(cairo.status(context))
      chooseFont()
    }

    /// The pixels of an image, as they are stored.
    ///
    /// - Throws: As `init(width:height:)`.
    package convenience init(over image: Image) throws(DrawingError) {
      try self.init(width: image.width, height: image.height)
      try withRows { row, pixels in
        image.withPixels { samples in
          var source = row * image.width * 3
          for column in pixels.indices {
            pixels[column] =
              UInt32(samples[source]) << 16 | UInt32(samples[source + 1]) << 8
              | UInt32(samples[source + 2])
            source += 3
          }
        }
      }
    }

    deinit {
      cairo.destroy(context)
      cairo.surface_destroy(surface)
    }

    /// What has been drawn.
    ///
    /// - Throws: `.failed` where cairo could not draw something.
    package func image() throws(DrawingError) -> Image {
      try check(cairo.status(context))
      var rgb = [UInt8](repeating: 0, count: width * height * 3)
      var target = 0
      try withRows { _, pixels in
        for pixel in pixels {
          rgb[target] = UInt8(truncatingIfNeeded: pixel >> 16)
          rgb[target + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
          rgb[target + 2] = UInt8(truncatingIfNeeded: pixel)
          target += 3
        }
      }
      return try DrawingError.translating { () throws(ImageError) in
        try Image(width: width, height: height, rgb: rgb)
      }
    }

    /// The red of the pixels of the upper left corner, rows from the top.
    ///
    /// - Throws: `.failed` where cairo could not draw something.
    func reds(columns: Int, rows: Int) throws(DrawingError) -> [UInt8] {
      try check(cairo.status(context))
      var reds: [UInt8] = []
      reds.reserveCapacity(columns * rows)
      try withRows { row, pixels in
        guard row < rows else { return }
        for pixel in pixels.prefix(columns) {
          reds.append(UInt8(truncatingIfNeeded: pixel >> 16))
        }
      }
      return reds
    }

    /// What there is with `instructions` drawn upon it.
    func image(drawing instructions: DrawingInstructions) throws(DrawingError) -> Image {
      for element in instructions.elements { draw(element) }
      return try image()
    }

    /// Draws the other canvas, scaled, with its upper left corner at (`x`, `y`).
    package func draw(_ other: CairoCanvas, x: Double, y: Double, scale: Double) {
      cairo.save(context)
      cairo.translate(context, x, y)
      cairo.scale(context, scale, scale)
      cairo.set_source_surface(context, other.surface, 0, 0)
      let source = cairo.get_source(context)
      // The good filter averages all pixels that fall into one, and blurs what is enlarged. Padding
      // keeps the edges opaque.
      cairo.pattern_set_filter(source, scale < 1 ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST)
      cairo.pattern_set_extend(source, CAIRO_EXTEND_PAD)
      cairo.rectangle(context, 0, 0, Double(other.width), Double(other.height))
      cairo.fill(context)
      cairo.restore(context)
    }

    /// Calls `body` with each row of pixels, 0x..RRGGBB.
    private func withRows(
      _ body: (Int, UnsafeMutableBufferPointer<UInt32>) -> Void
    ) throws(DrawingError) {
      cairo.surface_flush(surface)
      guard let data = cairo.image_surface_get_data(surface) else {
        throw DrawingError(.failed("no pixels"))
      }
      let stride = Int(cairo.image_surface_get_stride(surface))
      for row in 0..<height {
        (data + row * stride).withMemoryRebound(to: UInt32.self, capacity: width) {
          body(row, UnsafeMutableBufferPointer(start: $0, count: width))
        }
      }
      cairo.surface_mark_dirty(surface)
    }

    private func check(_ status: cairo_status_t) throws(DrawingError) {
      guard status != CAIRO_STATUS_SUCCESS else { return }
      let words = cairo.status_to_string(status).map { String(cString: $0) }
      throw DrawingError(.failed(words ?? "status \(status.rawValue)"))
    }

    /// Bold letters without serifs, in shades of gray and where their outlines are: screens' settings
    /// must not change images.
    private func chooseFont() {
      let options = cairo.font_options_create()
      cairo.font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
      cairo.font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
      cairo.font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
      cairo.set_font_options(context, options)
      cairo.font_options_destroy(options)
      chooseWeight(isBold: true)
    }

    /// Chooses bold or plain letters.
    func chooseWeight(isBold: Bool) {
      // Where this family is not installed, the system takes its usual one without serifs.
      cairo.select_font_face(
        context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
        isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    }
  }
#endif
