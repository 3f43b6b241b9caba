// Fovea - words that Tesseract read, as its process answers them.
// SPDX-License-Identifier: Apache-2.0

/// A word that Tesseract read, in pixels of the picture that it was given.
package struct TesseractWord: Hashable, Sendable {
  /// An upright box: left, top, right, bottom.
  package typealias Box = SIMD4<Double>

  /// A symbol of a word.
  package struct Symbol: Hashable, Sendable {
    /// Its text.
    package var text: String
    /// Where it is.
    package var box: Box
  }

  /// Its text; never empty.
  package var text: String
  /// How sure Tesseract is, 0...1.
  package var confidence: Double
  /// Where it is.
  package var box: Box
  /// Whether it is the first one of a line.
  package var beginsLine: Bool
  /// Its symbols, from the left.
  package var symbols: [Symbol]

  /// The words of an answer (`fov_text_reader.h`); `nil` for bytes that are no answer.
  ///
  /// The bytes are untrusted. Boxes are cut at the edges of the picture; words of blanks are left out.
  package static func words(_ bytes: [UInt8], width: Int, height: Int) -> [TesseractWord]? {
    var answer = AnswerBytes(bytes)
    var words: [TesseractWord] = []
    func box() -> Box? {
      guard let left = answer.signed(), let top = answer.signed(), let right = answer.signed(),
        let bottom = answer.signed()
      else { return nil }
      let most = SIMD4(Double(width), Double(height), Double(width), Double(height))
      let numbers = SIMD4(Double(left), Double(top), Double(right), Double(bottom))
      return pointwiseMin(pointwiseMax(numbers, .zero), most)
    }
    while let kind = answer.number() {
      switch kind {
      case 0: return answer.isAtEnd ? words.filter { !$0.text.allSatisfy(\.isWhitespace) } : nil
      case 1:
        guard let flags = answer.number(), let box = box(), let percent = answer.float(),
          let text = answer.text()
        else { return nil }
        words.append(
          TesseractWord(
            text: text, confidence: min(max(Double(percent) / 100, 0), 1), box: box,
            beginsLine: flags & 1 == 1, symbols: []))
      case 2:
        guard !words.isEmpty, let box = box(), let text = answer.text() else { return nil }
        words[words.count - 1].symbols.append(Symbol(text: text, box: box))
      default: return nil
      }
    }
    return nil
  }
}
