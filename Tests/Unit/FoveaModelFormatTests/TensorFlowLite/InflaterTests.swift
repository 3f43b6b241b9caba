// Fovea - tests: expanding of deflated bytes.
// SPDX-License-Identifier: Apache-2.0
import FoveaDeflate
import FoveaTestSupport
import Testing

@Suite struct InflaterTests {
  private static let forms = [DeflatedText.dynamic, DeflatedText.fixed, DeflatedText.stored]

  @Test(arguments: forms)
  func everyKindOfBlockIsExpanded(_ bytes: [UInt8]) throws {
    let count = DeflatedText.bytes.count
    #expect(try Inflater.expand(bytes[...], count: count) == DeflatedText.bytes)
    for wrong in [0, 1, count - 1, count + 1] {
      #expect(throws: InflationError.wrongSize) {
        try Inflater.expand(bytes[...], count: wrong)
      }
    }
  }

  @Test(arguments: forms)
  func damagedBytesAreRefusedOrExpandedToTheirSize(_ bytes: [UInt8]) {
    let count = DeflatedText.bytes.count
    for end in bytes.indices {
      #expect(throws: InflationError.truncated) {
        try Inflater.expand(bytes[..<end], count: count)
      }
    }
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 1 << UInt8(place % 8)
      let expanded = try? Inflater.expand(changed[...], count: count)
      #expect(expanded == nil || expanded?.count == count)
    }
  }

  @Test(
    arguments: [
      // A block of the fourth kind, and a stored one whose sizes contradict each other.
      ([7], InflationError.invalidBlock), ([1, 1, 0, 0, 0, 9], .invalidBlock),
      // A length of 3 at the distance 1 before anything was written, and the literal 286.
      ([3, 2], .invalidDistance), ([27, 3], .invalidCode),
      // 287 literals, and lengths of which none is a code.
      ([0xF5, 0, 0, 0], .invalidLengths), ([5, 0, 0, 0, 0, 0], .invalidCode),
    ] as [([UInt8], InflationError)])
  func impossibleBlocksAreRefused(bytes: [UInt8], error: InflationError) {
    #expect(throws: error) { try Inflater.expand(bytes[...], count: 100) }
  }

  /// Many bytes from few: a copy of 258 bytes costs 13 bits.
  @Test func repeatedCopiesEndAtTheSizeThatIsAllowed() {
    // Fixed codes: the literal 0, then copies of 258 bytes at the distance 1.
    var bits = "1" + "10" + "00110000"
    for _ in 0..<100 { bits += "11000101" + "00000" }
    var bytes = [UInt8](repeating: 0, count: bits.utf8.count / 8 + 1)
    for (place, digit) in bits.utf8.enumerated() where digit == UInt8(ascii: "1") {
      bytes[place / 8] |= 1 << UInt8(place % 8)
    }
    #expect(throws: InflationError.wrongSize) { try Inflater.expand(bytes[...], count: 1 << 14) }
    #expect(throws: InflationError.truncated) { try Inflater.expand(bytes[...], count: 1 << 20) }
  }
}
