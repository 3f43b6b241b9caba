// Fovea - lines of text as one page.
// SPDX-License-Identifier: Apache-2.0

/// Lines of text, one below the other, as a page that a recognizer of pages reads at once.
///
/// Each line is level there and has letters of one size, however it lies in the picture.
struct StripPage {
  /// The strips of the page, from the top.
  let strips: [TextStrip]
  /// The pixels of the page.
  let pixels: GrayImage
  private let tops: [Int]
  private let margin: Int

  /// A page of some strips, with `margin` pixels around each.
  init(_ strips: [TextStrip], margin: Int) {
    self.strips = strips
    self.margin = margin
    let width = (strips.map(\.pixels.width).max() ?? 1) + 2 * margin
    var tops: [Int] = []
    var height = margin
    for strip in strips {
      tops.append(height)
      height += strip.pixels.height + margin
    }
    self.tops = tops
    var page = [UInt8](repeating: 235, count: width * height)
    for (strip, top) in zip(strips, tops) {
      let (columns, rows) = (strip.pixels.width, strip.pixels.height)
      for row in 0..<rows {
        let start = (top + row) * width + margin
        let source = row * columns
        page.replaceSubrange(
          start..<start + columns, with: strip.pixels.pixels[source..<source + columns])
      }
    }
    pixels = GrayImage(width: width, height: height, pixels: page)
  }

  /// Pages for any number of strips.
  static func pages(_ strips: [TextStrip], margin: Int) -> [StripPage] {
    var pages: [[TextStrip]] = []
    var height = Int.max
    for strip in strips {
      let rows = strip.pixels.height + margin
      if height > 8_000 - rows {
        pages.append([])
        height = 0
      }
      pages[pages.count - 1].append(strip)
      height += rows
    }
    return pages.map { StripPage($0, margin: margin) }
  }

  /// What was read of each strip; `nil` where nothing was.
  ///
  /// A word is part of the strip in which its middle lies.
  func lines(_ words: [TesseractWord]) -> [ReadLine?] {
    var found = [[ReadLine.Word]](repeating: [], count: strips.count)
    for word in words {
      let middle = (word.box.y + word.box.w) / 2
      let index = max(0, (tops.firstIndex { Double($0) > middle } ?? tops.count) - 1)
      found[index].append(strips[index].word(word, left: margin, top: tops[index]))
    }
    return zip(strips, found).map { strip, words in
      words.isEmpty ? nil : ReadLine(quad: strip.line.quad, words: words)
    }
  }
}

extension TextStrip {
  /// A word of a page on which this strip begins at column `left` and row `top`.
  fileprivate func word(_ word: TesseractWord, left: Int, top: Int) -> ReadLine.Word {
    func place(_ box: TesseractWord.Box) -> PixelQuad {
      quad(
        left: box.x - Double(left), top: box.y - Double(top), right: box.z - Double(left),
        bottom: box.w - Double(top))
    }
    return ReadLine.Word(
      text: word.text, confidence: word.confidence, quad: place(word.box),
      characters: word.symbols.map { ReadLine.Character(text: $0.text, quad: place($0.box)) })
  }
}
