// Fovea - a line of letters as coverage of pixels.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// A line of letters as coverage of pixels, drawn by cairo.
package struct TextCoverage: Hashable, Sendable {
  /// The coverage of each pixel, rows from the top.
  package let bytes: [UInt8]
  /// Columns; the first one lies left of where the line begins.
  package let width: Int
  /// Rows.
  package let height: Int

  /// Parts of a font's size that letters reach above and below the baseline.
  private static let (ascent, descent) = (0.93, 0.24)

  /// Draws a line.
  ///
  /// - Parameter fontSize: In pixels.
  /// - Throws: `.traitDisabled`, `.libraryUnavailable`, `.tooLarge` or `.failed`.
  package init(_ text: String, fontSize: Double, isBold: Bool) throws(DrawingError) {
    #if Drawing
      let natural = try Self.width(of: text, fontSize: fontSize, isBold: isBold)
      width = Int(natural.rounded(.up)) + 2
      height = Int((fontSize * (Self.ascent + Self.descent)).rounded(.up)) + 1
      let canvas = try CairoCanvas(width: width, height: height)
      canvas.chooseWeight(isBold: isBold)
      canvas.draw(
        .text(
          TextElement(
            text: text,
            anchor: ImagePoint(x: 1, y: (fontSize * Self.ascent).rounded(), origin: .upperLeft),
            fontSize: fontSize, width: natural + 1, color: .white)))
      bytes = try canvas.reds(columns: width, rows: height)
    #else
      throw DrawingError(.traitDisabled)
    #endif
  }

  /// The width of a line in pixels.
  ///
  /// - Throws: As `init(_:fontSize:isBold:)`.
  package static func width(
    of text: String, fontSize: Double, isBold: Bool
  ) throws(DrawingError) -> Double {
    #if Drawing
      let canvas = try CairoCanvas(width: 1, height: 1)
      canvas.chooseWeight(isBold: isBold)
      return canvas.textWidth(text, fontSize: fontSize)
    #else
      throw DrawingError(.traitDisabled)
    #endif
  }
}
