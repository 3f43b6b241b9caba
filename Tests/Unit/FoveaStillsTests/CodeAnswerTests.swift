// Fovea - tests of what the process that reads codes answers, and of payloads.
// SPDX-License-Identifier: Apache-2.0
import FoveaStills
import Testing

@Suite struct CodeAnswerTests {
  /// An answer with one symbol, as the reader writes it.
  private func answer(format: UInt32, text: String, corners: [Int32] = Array(0..<8)) -> [UInt8] {
    func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
    func counted(_ text: String) -> [UInt8] { bytes(UInt32(text.utf8.count)) + Array(text.utf8) }
    return bytes(1) + bytes(format) + bytes(0) + bytes(3)
      + corners.flatMap { bytes(UInt32(bitPattern: $0)) } + counted(text) + counted(text)
      + counted("]X0")
  }

  @Test func answersAreChecked() throws {
    let whole = answer(format: 1, text: "abc")
    let symbol = try #require(CodeSymbol.symbols(of: whole, isInverted: true)?.first)
    #expect(symbol.text == "abc" && symbol.bytes == Array("abc".utf8) && symbol.lines == 3)
    #expect(symbol.corners.corners[1] == SIMD2(2.5, 3.5) && symbol.isInverted)
    // Any part of an answer, and any more, is none.
    for count in 0..<whole.count {
      #expect(CodeSymbol.symbols(of: Array(whole.prefix(count)), isInverted: false) == nil)
    }
    #expect(CodeSymbol.symbols(of: whole + [0], isInverted: false) == nil)
    // Counts and places that no picture has.
    #expect(CodeSymbol.symbols(of: [255, 255, 255, 255], isInverted: false) == nil)
    let far = answer(format: 1, text: "a", corners: [.max, 0, 0, 0, 0, 0, 0, 0])
    #expect(CodeSymbol.symbols(of: far, isInverted: false) == nil)
    for place in whole.indices {
      for value: UInt8 in [0, 127, 255] {
        var changed = whole
        changed[place] = value
        _ = CodeSymbol.symbols(of: changed, isInverted: false)
      }
    }
  }

  /// The UPC-A of each form of UPC-E, worked out by hand from the rule of its last digit.
  @Test(arguments: [
    ("01234505", "0012000003455"), ("04252614", "0042100005264"), ("01234531", "0012300000451"),
    ("01234543", "0012340000053"), ("01234565", "0012345000065"),
  ])
  func shortNumbersAreExpanded(_ form: (String, String)) throws {
    let symbols = CodeSymbol.symbols(of: answer(format: 1 << 15, text: form.0), isInverted: false)
    #expect(CodePayload(try #require(symbols?.first)).string == form.1)
  }
}
