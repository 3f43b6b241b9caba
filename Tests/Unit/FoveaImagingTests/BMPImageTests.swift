// Fovea - tests of BMP files built by hand.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import Testing

@Suite struct BMPImageTests {
  /// A file: headers, masks or colors, pixels.
  static func file(
    width: Int, height: Int, bits: Int, compression: Int = 0, table: [UInt8] = [],
    pixels: [UInt8]
  ) -> [UInt8] {
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let head: [[UInt8]] = [
      number(40, 4), number(width, 4), number(height, 4), number(1, 2), number(bits, 2),
      number(compression, 4), number(0, 4), number(0, 8), number(0, 4), number(0, 4),
    ]
    return Array("BM".utf8) + number(0, 8) + number(54 + table.count, 4) + head.flatMap { $0 }
      + table + pixels
  }

  /// Blue, green, red and 0 of each index.
  static let colors: [UInt8] = [30, 40, 220, 0, 60, 180, 30, 0, 210, 60, 40, 0, 230, 235, 235, 0]
  static let (red, green, blue, white): ([UInt8], [UInt8], [UInt8], [UInt8]) = (
    [220, 40, 30], [30, 180, 60], [40, 60, 210], [235, 235, 230]
  )

  @Test func indicesFromTheBottomUp() throws {
    let expected = Self.red + Self.green + Self.blue + Self.white + Self.blue + Self.red
    let rows: [(bits: Int, pixels: [UInt8])] = [
      (2, [0b1110_0000, 0, 0, 0, 0b0001_1000, 0, 0, 0]),
      (4, [0x32, 0x00, 0, 0, 0x01, 0x20, 0, 0]), (8, [3, 2, 0, 0, 0, 1, 2, 0]),
    ]
    for (bits, pixels) in rows {
      let bytes = Self.file(width: 3, height: 2, bits: bits, table: Self.colors, pixels: pixels)
      #expect(try Image(bytes: bytes).rgb == expected, "\(bits)")
      #expect(throws: ImageError(.truncated(.bmp))) { try Image(bytes: Array(bytes.dropLast(4))) }
    }
    let two = Self.file(
      width: 9, height: 1, bits: 1, table: Array(Self.colors.prefix(8)),
      pixels: [0b0100_0001, 0b1000_0000, 0, 0])
    let indices = [0, 1, 0, 0, 0, 0, 0, 1, 1]
    #expect(try Image(bytes: two).rgb == indices.flatMap { $0 == 0 ? Self.red : Self.green })
  }

  @Test func runs() throws {
    let expected = [3, 3, 3, 0, 0, 1, 2, 1].map { Self.colors[4 * $0 + 2] }
    // The lower row: three of 3, to the end. The upper one: a step of 1, three written out.
    let eight: [UInt8] = [3, 3, 1, 0, 0, 0, 0, 2, 1, 0, 0, 3, 1, 2, 1, 0, 0, 1]
    let four: [UInt8] = [3, 0x33, 1, 0x00, 0, 0, 0, 2, 1, 0, 0, 3, 0x12, 0x10, 0, 1]
    for (bits, compression, pixels) in [(8, 1, eight), (4, 2, four)] {
      let bytes = Self.file(
        width: 4, height: 2, bits: bits, compression: compression, table: Self.colors,
        pixels: pixels)
      let rgb = try Image(bytes: bytes).rgb
      let reds = stride(from: 0, to: rgb.count, by: 3).map { rgb[$0] }
      #expect(reds == Array(expected.suffix(4) + expected.prefix(4)), "\(bits)")
      #expect(throws: ImageError(.truncated(.bmp))) { try Image(bytes: Array(bytes.dropLast(8))) }
    }
  }

  @Test func numbersWithMasks() throws {
    let fiveSixFive = Self.file(
      width: 2, height: -1, bits: 16, compression: 3,
      table: [0, 0xF8, 0, 0, 0xE0, 7, 0, 0, 0x1F, 0, 0, 0], pixels: [0, 0xF8, 0xE0, 0x07])
    #expect(try Image(bytes: fiveSixFive).rgb == [255, 0, 0, 0, 255, 0])
    let fives = Self.file(width: 2, height: 1, bits: 16, pixels: [0x1F, 0, 0x10, 0x42])
    #expect(try Image(bytes: fives).rgb == [0, 0, 255, 132, 132, 132])
    let three = Self.file(width: 1, height: -2, bits: 24, pixels: [3, 2, 1, 0, 6, 5, 4, 0])
    #expect(try Image(bytes: three).rgb == [1, 2, 3, 4, 5, 6])
    // The fourth byte means nothing without a mask.
    let four = Self.file(width: 1, height: 1, bits: 32, pixels: [3, 2, 1, 0])
    #expect(try Image(bytes: four, alpha: .composed(red: 9, green: 9, blue: 9)).rgb == [1, 2, 3])
    let masks: [UInt8] = [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 255]
    let alpha = Self.file(
      width: 1, height: 1, bits: 32, compression: 6, table: masks, pixels: [3, 2, 1, 0])
    let composed = try Image(bytes: alpha, alpha: .composed(red: 9, green: 8, blue: 7))
    #expect(composed.rgb == [9, 8, 7] && composed.transparentShare == 1)
  }

  @Test func headersThatCannotBe() {
    let good = Self.file(width: 1, height: 1, bits: 24, pixels: [3, 2, 1, 0])
    for (place, value) in [(14, UInt8(13)), (28, 7), (30, 4)] {
      var bytes = good
      bytes[place] = value
      let error = #expect(throws: ImageError.self) { try Image(bytes: bytes) }
      guard case .damaged(.bmp, _) = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    for count in 2..<good.count - 1 {
      #expect(throws: ImageError.self) { try Image(bytes: Array(good.prefix(count))) }
    }
    var wide = good
    wide[21] = 0x7F
    #expect(throws: ImageError.self) { try Image(bytes: wide) }
    wide[21] = 0x80
    #expect(throws: ImageError.self) { try Image(bytes: wide) }
  }
}
