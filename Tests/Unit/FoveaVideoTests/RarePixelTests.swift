// Fovea - tests of pixels that cannot be read where they lie.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport
import FoveaVideo
import Testing

@Suite("Rare pixels") struct RarePixelTests {
  /// Red, green and blue of the first of numbered pictures, row after row.
  private func rgb(_ bytes: [UInt8], ending: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try folder.write("1.\(ending)", bytes)
    let reader = try VideoSource(named: folder.path("%d.\(ending)")).open()
    return ReferenceColors().rgb(of: try #require(try reader.next()))
  }

  private func gray(_ levels: [UInt8]) -> [UInt8] { levels.flatMap { [$0, $0, $0] } }

  /// A picture of SGI's: a header of 512 bytes, then each plane from its last row on.
  private func sgi(width: UInt8, height: UInt8, planes: UInt8, words: [UInt16]) -> [UInt8] {
    let header: [UInt8] = [1, 0xDA, 0, 2, 0, 3, 0, width, 0, height, 0, planes]
    return header + [UInt8](repeating: 0, count: 500)
      + words.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
  }

  /// Words with the higher byte first, as of PNG with 16 bits. None may be taken for an index.
  @Test func bigEndianWords() throws {
    let words: [UInt16] = [
      0, 65535, 257, 258,  // red: the lower row, the upper row
      128, 129, 40000, 65406,  // green
      65535, 0, 127, 32768,  // blue
    ]
    let levels = words.map { UInt8((Double($0) / 257).rounded()) }
    let upperFirst = [2, 3, 0, 1]
    #expect(
      try rgb(sgi(width: 2, height: 2, planes: 3, words: words), ending: "sgi")
        == upperFirst.flatMap { [levels[$0], levels[4 + $0], levels[8 + $0]] })
    #expect(
      try rgb(sgi(width: 2, height: 2, planes: 1, words: Array(words[4..<8])), ending: "sgi")
        == gray([156, 254, 0, 1]))
  }

  /// In a PBM file a bit that is set is black.
  @Test func bits() throws {
    let picture = Array("P4\n10 2\n".utf8) + [0b1010_0000, 0b0100_0000, 0b1111_1111, 0b1100_0000]
    let upper: [UInt8] = [0, 255, 0, 255, 255, 255, 255, 255, 255, 0]
    #expect(try rgb(picture, ending: "pbm") == gray(upper + [UInt8](repeating: 0, count: 10)))
  }

  /// Gray pictures that state no range have all levels.
  @Test func grayHasFullRange() throws {
    let levels: [UInt8] = [0, 1, 16, 100, 235, 255]
    #expect(try rgb(Array("P5\n6 1\n255\n".utf8) + levels, ending: "pgm") == gray(levels))
    let words = levels.flatMap { [$0, $0] }
    #expect(try rgb(Array("P5\n6 1\n65535\n".utf8) + words, ending: "pgm") == gray(levels))
  }

  /// A bitmap of Windows: the header, then the rows from the last one on, in steps of four bytes.
  private func bitmap(bits: UInt8, colors: [UInt8], rows: [[UInt8]]) -> [UInt8] {
    let begin = UInt8(54 + colors.count)
    let length = begin + UInt8(rows.reduce(0) { $0 + $1.count })
    let header: [UInt8] =
      [0x42, 0x4D, length, 0, 0, 0, 0, 0, 0, 0, begin, 0, 0, 0, 40, 0, 0, 0, 2, 0, 0, 0]
      + [UInt8(rows.count), 0, 0, 0, 1, 0, bits, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      + [UInt8](repeating: 0, count: 8) + [UInt8(colors.count / 4), 0, 0, 0, 0, 0, 0, 0]
    return header + colors + rows.reversed().flatMap { $0 }
  }

  @Test func palettes() throws {
    let colors: [UInt8] = [30, 20, 10, 0, 60, 50, 40, 0, 1, 2, 3, 0]
    let picture = bitmap(bits: 8, colors: colors, rows: [[0, 1, 0, 0], [2, 0, 0, 0]])
    #expect(try rgb(picture, ending: "bmp") == [10, 20, 30, 40, 50, 60, 3, 2, 1, 10, 20, 30])
  }

  /// Five bits for each color.
  @Test func partsOfWords() throws {
    let picture = bitmap(bits: 16, colors: [], rows: [[0x00, 0x7C, 0xE1, 0x03]])
    #expect(try rgb(picture, ending: "bmp") == [255, 0, 0, 0, 255, 8])
  }

  @Test func floatsAreRefused() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let picture = Array("Pf\n1 1\n-1.0\n".utf8) + [0, 0, 0, 0]
    _ = try folder.write("1.pfm", picture)
    let source = try VideoSource(named: folder.path("%d.pfm"))
    let error = #expect(throws: VideoError.self) { try source.open().next() }
    #expect(error?.reason == .unsupportedPixels("grayf32le"))
  }
}
