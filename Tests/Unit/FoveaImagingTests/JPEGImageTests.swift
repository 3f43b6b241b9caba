// Fovea - tests of JPEG files built by hand.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaTestSupport
import Testing

#if JPEG
  @Suite struct JPEGImageTests {
    private func gray(_ width: Int, _ height: Int, _ level: UInt8 = 128) -> [UInt8] {
      [UInt8](repeating: level, count: width * height * 3)
    }

    @Test func grayAndColor() throws {
      let image = try Image(bytes: HandmadeJPEG().bytes)
      #expect(image.width == 8 && image.height == 8 && image.rgb == gray(8, 8))
      let color = HandmadeJPEG(width: 5, height: 3, sampling: [0x11, 0x11, 0x11], scan: [0x03])
      #expect(try Image(bytes: color.bytes).rgb == gray(5, 3))
    }

    @Test func cmykIsTakenAsInverted() throws {
      // All samples 128, so red = green = blue = 128 * 128 / 255 = 64.25.
      let adobe = HandmadeJPEG.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0])
      let ink = HandmadeJPEG(
        sampling: [0x11, 0x11, 0x11, 0x11], prologue: adobe, scan: [0x00])
      #expect(try Image(bytes: ink.bytes).rgb == gray(8, 8, 64))
    }

    @Test func ycckIsTurnedIntoCMYK() throws {
      // Levels in eighths around 128: luma -256, chroma 256 and -320, black 400; negative ones are
      // stored less 1, in 9 bits. A zero stands before and after each.
      var bits = ""
      for stored in [-256 + 511, 256, -320 + 511, 400] {
        let digits = String(stored, radix: 2)
        bits += String(repeating: "0", count: 10 - digits.count) + digits + "0"
      }
      bits += "1111"
      let scan = stride(from: 0, to: 48, by: 8).compactMap {
        UInt8(bits.dropFirst($0).prefix(8), radix: 2)
      }
      let adobe = HandmadeJPEG.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 2])
      let ink = HandmadeJPEG(
        sampling: [0x11, 0x11, 0x11, 0x11], levelBits: 9, prologue: adobe, scan: scan)
      let image = try Image(bytes: ink.bytes)
      // Luma 96, chroma 160 and 88, black 178. Red is 96 + 1.402 * (88 - 128) = 40, the ink that
      // is stored 255 - 40, and what is seen (255 - 40) * 178 / 255 = 150.07.
      let expected: [UInt8] = [150, 98, 71]
      #expect(image.rgb == (0..<64).flatMap { _ in expected })
    }

    @Test func unusualSampling() throws {
      // Chroma at full and luma at a quarter of the columns: no name in the decoder's list.
      let odd = HandmadeJPEG(sampling: [0x11, 0x21, 0x11], scan: [0x00])
      #expect(try Image(bytes: odd.bytes).rgb == gray(8, 8))
    }

    @Test(arguments: 1...8)
    func orientations(value: Int) throws {
      for bigEndian in [false, true] {
        var jpeg = HandmadeJPEG(width: 8, height: 4)
        jpeg.prologue = HandmadeTIFF.segment(
          HandmadeTIFF.orientation(UInt16(value), bigEndian: bigEndian))
        let image = try Image(bytes: jpeg.bytes)
        #expect(image.storedOrientation == value)
        #expect(image.uprightWidth == (value >= 5 ? 4 : 8))
      }
    }

    @Test func brokenExifIsUpright() throws {
      for tiff in [[], [0x49], [0x49, 0x49, 42, 0, 255, 255, 255, 255]] as [[UInt8]] {
        let jpeg = HandmadeJPEG(prologue: HandmadeTIFF.segment(tiff))
        #expect(try Image(bytes: jpeg.bytes).storedOrientation == 1)
      }
    }

    @Test func strayBytesAreHarmless() throws {
      let stray = HandmadeJPEG(prologue: HandmadeJPEG.segment(0xFE, [65]) + [1, 2, 3])
      #expect(try Image(bytes: stray.bytes).rgb == gray(8, 8))
      let trailing = HandmadeJPEG(epilogue: [0xFF, 0xD9, 1, 2, 3])
      #expect(try Image(bytes: trailing.bytes).rgb == gray(8, 8))
      let filled = HandmadeJPEG(prologue: [0xFF, 0xFF, 0xFF])
      #expect(try Image(bytes: filled.bytes).rgb == gray(8, 8))
    }

    @Test func cutAtEveryByte() {
      let whole = HandmadeJPEG(prologue: HandmadeJPEG.segment(0xFE, [65, 66])).bytes
      for count in 2..<whole.count {
        #expect(throws: ImageError(.truncated(.jpeg))) {
          try Image(bytes: Array(whole.prefix(count)))
        }
      }
    }

    @Test func missingPixelsAreAnErrorNotGray() {
      // 64 blocks of two bits need 16 bytes; there is one, then a proper end of the image.
      let short = HandmadeJPEG(width: 64, height: 64)
      #expect(throws: ImageError(.truncated(.jpeg))) { try Image(bytes: short.bytes) }
    }

    @Test func claimsAreCheckedBeforeMemoryIsAskedFor() {
      let limit = ImageLimits.standard.maximumPixels
      let huge = HandmadeJPEG(width: 65500, height: 65500)
      #expect(throws: ImageError(.tooManyPixels(width: 65500, height: 65500, limit: limit))) {
        try Image(bytes: huge.bytes)
      }
      let large = HandmadeJPEG(width: 10000, height: 10000)
      let error = ImageError(
        .impossibleSize(width: 10000, height: 10000, fileBytes: large.bytes.count))
      #expect(throws: error) { try Image(bytes: large.bytes) }
      for (width, height) in [(0, 0), (8, 0), (0, 8)] {
        #expect(throws: ImageError(.noPixels(width: width, height: height))) {
          try Image(bytes: HandmadeJPEG(width: width, height: height).bytes)
        }
      }
    }

    @Test func segmentsThatCannotBe() {
      let noLength = HandmadeJPEG(prologue: [0xFF, 0xE0, 0, 1])
      #expect(throws: ImageError(.damaged(.jpeg, "a segment has length 1"))) {
        try Image(bytes: noLength.bytes)
      }
      #expect(throws: ImageError(.damaged(.jpeg, "there is no frame header"))) {
        try Image(bytes: [0xFF, 0xD8, 0xFF, 0xD9])
      }
      let twice = HandmadeJPEG(prologue: HandmadeJPEG.segment(0xC0, [8, 0, 8, 0, 8, 0]))
      #expect(throws: ImageError.self) { try Image(bytes: twice.bytes) }
    }
  }
#endif
