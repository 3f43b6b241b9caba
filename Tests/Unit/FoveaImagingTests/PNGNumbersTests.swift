// Fovea - tests of PNG files whose pixels are numbers.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import Testing

@Suite struct PNGNumbersTests {
  private static func numbers(_ file: HandmadePNG) throws(ImageError) -> [UInt16] {
    let map = try PNGMaps.numbers(in: file.bytes)
    #expect(map.width == file.width && map.height == file.height)
    return map.samples
  }

  /// A palette in which two entries are equal, so that colors do not tell the numbers.
  private static func palette(_ count: Int) -> (name: String, content: [UInt8]) {
    let colors = (0..<count).flatMap { [UInt8($0 / 2), 7, 9] as [UInt8] }
    return ("PLTE", colors)
  }

  @Test func palettesKeepTheirNumbers() throws {
    let bit = HandmadePNG(
      width: 4, height: 1, depth: 1, colorType: 3, rows: [[0, 0b0110_0000]],
      chunks: [Self.palette(2)])
    #expect(try Self.numbers(bit) == [0, 1, 1, 0])
    let pair = HandmadePNG(
      width: 4, height: 1, depth: 2, colorType: 3, rows: [[0, 0b0001_1011]],
      chunks: [Self.palette(4)])
    #expect(try Self.numbers(pair) == [0, 1, 2, 3])
    let nibble = HandmadePNG(
      width: 2, height: 2, depth: 4, colorType: 3, rows: [[0, 0x3F], [0, 0xA0]],
      chunks: [Self.palette(16)])
    #expect(try Self.numbers(nibble) == [3, 15, 10, 0])
    let byte = HandmadePNG(
      width: 3, height: 1, depth: 8, colorType: 3, rows: [[0, 0, 255, 21]],
      chunks: [Self.palette(256)])
    #expect(try Self.numbers(byte) == [0, 255, 21])
    // Transparent entries, and an exponent, which is of the colors.
    var clear = byte
    clear.chunks = [
      ("gAMA", HandmadePNG.word(60_000)), Self.palette(256), ("tRNS", [0, 255, 0]),
    ]
    #expect(try Self.numbers(clear) == [0, 255, 21])
  }

  @Test func grayLevelsAreNumbersAsTheyAreStored() throws {
    let bit = HandmadePNG(width: 3, height: 1, depth: 1, colorType: 0, rows: [[0, 0b1010_0000]])
    #expect(try Self.numbers(bit) == [1, 0, 1])
    let nibble = HandmadePNG(width: 2, height: 1, depth: 4, colorType: 0, rows: [[0, 0x3F]])
    #expect(try Self.numbers(nibble) == [3, 15])
    let byte = HandmadePNG(width: 2, height: 1, depth: 8, colorType: 0, rows: [[0, 7, 250]])
    #expect(try Self.numbers(byte) == [7, 250])
    let word = HandmadePNG(
      width: 2, height: 1, depth: 16, colorType: 0, rows: [[0, 0x12, 0x34, 0xFF, 0xFE]])
    #expect(try Self.numbers(word) == [0x1234, 0xFFFE])
    let samples: [UInt16] = [0, 1, 12_345, 65_535, 40_000, 7]
    let own = try PNGMaps.numbers(in: PNGMaps.gray16(width: 3, height: 2, samples: samples))
    #expect(own.samples == samples && own.width == 3)
  }

  @Test func colorsAndBentLevelsAreRefused() {
    let color = HandmadePNG(width: 1, height: 1, depth: 8, colorType: 2, rows: [[0, 9, 8, 7]])
    #expect { try Self.numbers(color) } throws: {
      ($0 as? ImageError)?.reason == .notNumbers("they are colors")
    }
    let bent = HandmadePNG(
      width: 1, height: 1, depth: 16, colorType: 0, rows: [[0, 1, 2]],
      chunks: [("gAMA", HandmadePNG.word(45_455))])
    #expect { try Self.numbers(bent) } throws: { "\($0)".contains("states a gamma") }
    // sRGB is a curve, too.
    let standard = HandmadePNG(
      width: 1, height: 1, depth: 16, colorType: 0, rows: [[0, 1, 2]], chunks: [("sRGB", [0])])
    #expect { try Self.numbers(standard) } throws: { "\($0)".contains("states a gamma") }
    let gray = HandmadePNG(width: 4, height: 1, depth: 8, colorType: 0, rows: [[0, 7, 250]])
    #expect(throws: ImageError.self) { try Self.numbers(gray) }
    #expect(throws: ImageError.self) { try PNGMaps.numbers(in: Array(gray.bytes.dropLast(20))) }
    #expect(throws: ImageError.self) {
      try PNGMaps.numbers(in: gray.bytes, limits: ImageLimits(maximumPixels: 3))
    }
  }
}
