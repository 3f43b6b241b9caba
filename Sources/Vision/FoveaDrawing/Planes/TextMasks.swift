// Fovea - lines of letters as coverage of pixels, drawn once and used again.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// Lines of letters as coverage of pixels. cairo draws each once; most come again in the next
/// picture.
package final class TextMasks {
  /// A line of letters at a size, in a width.
  private struct Key: Hashable {
    var text: String
    var fontSize: Double
    var width: Double
  }

  private struct Letters {
    var bytes: [UInt8]
    var width: Int
    var height: Int
  }

  #if Drawing
    private let scratch: CairoCanvas
  #endif
  private let width, height: Int
  private var drawn: [Key: Letters] = [:]

  /// As many lines are kept; then all are drawn anew.
  private static let most = 2048

  /// Opens cairo.
  ///
  /// - Parameters:
  ///   - width: The longest line in pixels; what is longer is cut.
  ///   - fontSize: The greatest size of letters.
  /// - Throws: `.traitDisabled`, `.libraryUnavailable`, `.tooLarge` or `.failed`.
  package init(width: Int, fontSize: Double) throws(DrawingError) {
    self.width = width + 2
    height = Int((fontSize * 1.5).rounded(.up)) + 2
    #if Drawing
      scratch = try CairoCanvas(width: self.width, height: height)
    #else
      throw DrawingError(.traitDisabled)
    #endif
  }

  /// The width of a line of bold text at a font size, in pixels.
  package func textWidth(_ text: String, fontSize: Double) -> Double {
    #if Drawing
      scratch.textWidth(text, fontSize: fontSize)
    #else
      0
    #endif
  }

  /// The letters of an element; `nil` where nothing is to be seen.
  func mask(of element: TextElement) -> PlaneMask? {
    let key = Key(
      text: element.text, fontSize: (element.fontSize * 4).rounded() / 4,
      width: element.width.rounded(.up))
    guard !key.text.isEmpty, key.fontSize > 0, element.anchor.x.isFinite, element.anchor.y.isFinite
    else { return nil }
    let letters: Letters
    if let kept = drawn[key] {
      letters = kept
    } else {
      guard let made = draw(key) else { return nil }
      if drawn.count >= Self.most { drawn.removeAll(keepingCapacity: true) }
      drawn[key] = made
      letters = made
    }
    let left = Int(element.anchor.x.rounded()) - 1
    let top = Int(element.anchor.y.rounded()) - Self.ascent(key.fontSize)
    return PlaneMask(
      bytes: letters.bytes, columns: left..<left + letters.width,
      rows: top..<top + letters.height)
  }

  /// Rows above the baseline.
  private static func ascent(_ fontSize: Double) -> Int { Int((fontSize * 1.1).rounded(.up)) }

  private func draw(_ key: Key) -> Letters? {
    #if Drawing
      let columns = min(width, Int(key.width) + 2)
      let rows = min(height, Int((key.fontSize * 1.5).rounded(.up)))
      scratch.fill(
        ImageRect(
          x: 0, y: 0, width: Double(width), height: Double(height), origin: .upperLeft), .black)
      scratch.draw(
        .text(
          TextElement(
            text: key.text,
            anchor: ImagePoint(x: 1, y: Double(Self.ascent(key.fontSize)), origin: .upperLeft),
            fontSize: key.fontSize, width: key.width, color: .white)))
      guard let bytes = try? scratch.reds(columns: columns, rows: rows) else { return nil }
      return Letters(bytes: bytes, width: columns, height: rows)
    #else
      return nil
    #endif
  }
}
