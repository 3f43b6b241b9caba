// Fovea - fuzzing: answers of the process that reads text.
// SPDX-License-Identifier: Apache-2.0
import FoveaStills

enum TextAnswerFuzzing {
  private static let (width, height) = (640, 480)

  /// Reads the bytes as an answer about a picture of 640 x 480 pixels.
  static func read(_ bytes: [UInt8]) {
    guard let words = TesseractWord.words(bytes, width: width, height: height) else { return }
    var size = 0
    for word in words {
      promise((0...1).contains(word.confidence), "confidence \(word.confidence)")
      promise(!word.text.allSatisfy(\.isWhitespace), "a word of blanks")
      size += word.symbols.count + 1
      for box in [word.box] + word.symbols.map(\.box) {
        let isInside =
          (0...Double(width)).contains(box.x) && (0...Double(height)).contains(box.y)
          && (0...Double(width)).contains(box.z) && (0...Double(height)).contains(box.w)
        promise(isInside, "box \(box)")
      }
    }
    // Words and symbols take 24 bytes at least.
    promise(size * 24 <= bytes.count, "\(size) words and symbols in \(bytes.count) bytes")
  }

  /// Answers with no word, one, one without symbols, and two, of which one begins no line.
  static let seeds: [[UInt8]] = {
    func bytes(_ number: Int32) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian, Array.init)
    }
    func counted(_ text: String) -> [UInt8] { bytes(Int32(text.utf8.count)) + Array(text.utf8) }
    func box(_ left: Int32) -> [UInt8] { [left, 20, left + 12, 44].flatMap(bytes) }
    func word(_ text: String, flags: Int32, percent: Float, left: Int32) -> [UInt8] {
      bytes(1) + bytes(flags) + box(left)
        + withUnsafeBytes(of: percent.bitPattern.littleEndian, Array.init) + counted(text)
    }
    func symbols(_ text: String, left: Int32) -> [UInt8] {
      text.enumerated().flatMap {
        bytes(2) + box(left + 12 * Int32($0.offset)) + counted("\($0.element)")
      }
    }
    let total = word("Total", flags: 1, percent: 96.5, left: 8) + symbols("Total", left: 8)
    let price =
      word("3\u{20AC}", flags: 0, percent: 40, left: 620) + symbols("3\u{20AC}", left: 620)
    return [[], total, word(" ", flags: 1, percent: -1, left: -9), total + price]
      .map { $0 + bytes(0) }
  }()
}
