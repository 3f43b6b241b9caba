// Fovea - tests: where PNG files keep their orientation.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaTestSupport
import Testing

@Suite struct PNGOrientationTests {
  private static let tiff = HandmadeTIFF.orientation(6, bigEndian: false)
  private static let words = Array("Exif\0\0".utf8)

  private static func orientation(_ chunks: [(String, [UInt8])]) throws -> Int {
    let png = HandmadePNG(
      width: 1, height: 1, depth: 8, colorType: 0, rows: [[0, 9]],
      chunks: chunks.map { (name: $0, content: $1) })
    return try ImageHeader(bytes: png.bytes).orientation
  }

  /// A text as ImageMagick writes it: 36 bytes a line.
  private static func profile(_ data: [UInt8], _ name: String = "exif") -> [UInt8] {
    var digits = ""
    for (place, byte) in data.enumerated() {
      digits += (byte < 16 ? "0" : "") + String(byte, radix: 16)
      if place % 36 == 35 { digits += "\n" }
    }
    return Array("\n\(name)\n      \(data.count)\n\(digits)\n".utf8)
  }

  private static func named(_ text: [UInt8], _ kind: String = "exif") -> [UInt8] {
    Array("Raw profile type \(kind)\0".utf8) + text
  }

  @Test func dataMayBeginAsInJPEG() throws {
    #expect(try Self.orientation([("eXIf", Self.tiff)]) == 6)
    #expect(try Self.orientation([("eXIf", Self.words + Self.tiff)]) == 6)
  }

  @Test func profilesOfImageMagickAreRead() throws {
    let text = Self.profile(Self.words + Self.tiff)
    #expect(try Self.orientation([("tEXt", Self.named(text))]) == 6)
    #expect(try Self.orientation([("tEXt", Self.named(Self.profile(Self.tiff), "APP1"))]) == 6)
    let deflated = [0] + HandmadePNG.stored(text)
    #expect(try Self.orientation([("zTXt", Self.named(deflated))]) == 6)
    // The chunk for it counts more, whatever it says.
    let other = HandmadeTIFF.orientation(3, bigEndian: true)
    let both = [("eXIf", other), ("tEXt", Self.named(text))]
    #expect(try Self.orientation(both) == 3)
    #expect(try Self.orientation(both.reversed()) == 3)
  }

  @Test func otherTextsAndBrokenOnesSayNothing() throws {
    let text = Self.profile(Self.tiff)
    #expect(try Self.orientation([("tEXt", Array("Comment\0".utf8) + text)]) == 1)
    #expect(try Self.orientation([("zTXt", Self.named([1] + HandmadePNG.stored(text)))]) == 1)
    let deflated = Self.named([0] + HandmadePNG.stored(text))
    for count in deflated.indices {
      #expect([1, 6].contains(try Self.orientation([("zTXt", Array(deflated[..<count]))])))
    }
    for place in deflated.indices.dropFirst(22) {
      var changed = deflated
      changed[place] ^= 0xFF
      #expect((1...8).contains(try Self.orientation([("zTXt", changed)])))
    }
  }

  @Test(
    .enabled(if: SharedData.isPresent),
    arguments: ["png6", "png6-after-idat", "png6-exif-prefix", "png6-raw-profile"])
  func filesOfOtherProgramsAreTurned(_ name: String) throws {
    let file = try ImageFile(contentsOf: SharedData.url("reports/b1-orientation/\(name).png").path)
    #expect(file.header.orientation == 6)
  }
}
