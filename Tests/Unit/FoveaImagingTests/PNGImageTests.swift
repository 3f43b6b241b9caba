// Fovea - tests of PNG files built by hand, and of writing.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaTestSupport
import Foundation
import Testing

#if PNG
  @Suite struct PNGImageTests {
    private func rgb(_ png: HandmadePNG) throws -> [UInt8] { try Image(bytes: png.bytes).rgb }

    @Test func everyColorType() throws {
      // 0: gray, one bit: 1 0 1; two bits; four bits; eight bits.
      let bit = HandmadePNG(width: 3, height: 1, depth: 1, colorType: 0, rows: [[0, 0b1010_0000]])
      #expect(try rgb(bit) == [255, 255, 255, 0, 0, 0, 255, 255, 255])
      let pair = HandmadePNG(width: 2, height: 1, depth: 2, colorType: 0, rows: [[0, 0b0110_0000]])
      #expect(try rgb(pair) == [85, 85, 85, 170, 170, 170])
      let nibble = HandmadePNG(width: 2, height: 1, depth: 4, colorType: 0, rows: [[0, 0x3F]])
      #expect(try rgb(nibble) == [51, 51, 51, 255, 255, 255])
      let gray = HandmadePNG(width: 1, height: 2, depth: 8, colorType: 0, rows: [[0, 7], [2, 3]])
      #expect(try rgb(gray) == [7, 7, 7, 10, 10, 10], "filter 2 adds the row above")
      let color = HandmadePNG(width: 1, height: 1, depth: 8, colorType: 2, rows: [[0, 9, 8, 7]])
      #expect(try rgb(color) == [9, 8, 7])
    }

    @Test func alphaIsDroppedNotBlended() throws {
      let color = HandmadePNG(
        width: 2, height: 1, depth: 8, colorType: 6, rows: [[0, 9, 8, 7, 0, 200, 100, 50, 128]])
      #expect(try rgb(color) == [9, 8, 7, 200, 100, 50])
      let gray = HandmadePNG(width: 2, height: 1, depth: 8, colorType: 4, rows: [[0, 9, 0, 90, 1]])
      #expect(try rgb(gray) == [9, 9, 9, 90, 90, 90])
      let keyed = HandmadePNG(
        width: 2, height: 1, depth: 8, colorType: 0, rows: [[0, 9, 90]], chunks: [("tRNS", [0, 9])])
      #expect(try rgb(keyed) == [9, 9, 9, 90, 90, 90])
    }

    @Test func transparencyIsCounted() throws {
      let color = HandmadePNG(
        width: 2, height: 2, depth: 8, colorType: 6,
        rows: [[0, 9, 8, 7, 0, 200, 100, 50, 128], [0, 0, 0, 0, 127, 1, 2, 3, 255]])
      #expect(try Image(bytes: color.bytes).transparentShare == 0.5)
      let keyed = HandmadePNG(
        width: 4, height: 1, depth: 8, colorType: 0, rows: [[0, 9, 90, 9, 9]],
        chunks: [("tRNS", [0, 9])])
      var file = try ImageFile(bytes: keyed.bytes)
      #expect(file.header.hasAlpha)
      #expect(try file.decoded().transparentShare == 0.75)
      file.alpha = .composed(red: 1, green: 2, blue: 3)
      #expect(try file.decoded().rgb == [1, 2, 3, 90, 90, 90, 1, 2, 3, 1, 2, 3])
      #expect(try file.decoded(alpha: .ignored).rgb.prefix(3) == [9, 9, 9])
      let opaque = HandmadePNG(width: 1, height: 1, depth: 8, colorType: 2, rows: [[0, 9, 8, 7]])
      #expect(try !ImageFile(bytes: opaque.bytes).header.hasAlpha)
      #expect(try Image(bytes: opaque.bytes).transparentShare == 0)
    }

    @Test func alphaIsComposedWhereAsked() throws {
      // Every alpha once, over blue: sample * a + below * (1 - a), to nearest.
      var row: [UInt8] = [0]
      for alpha in 0...255 as ClosedRange<UInt8> { row += [200, 100, 7, alpha] }
      let color = HandmadePNG(width: 256, height: 1, depth: 8, colorType: 6, rows: [row])
      let white = ImageAlpha.composed(red: 255, green: 255, blue: 255)
      let expected = (0...255 as ClosedRange<UInt8>).flatMap {
        CompositionFormula.mix([200, 100, 7], alpha: $0, over: [0, 30, 255])
      }
      #expect(
        try Image(bytes: color.bytes, alpha: .composed(red: 0, green: 30, blue: 255)).rgb
          == expected)
      let gray = HandmadePNG(
        width: 3, height: 1, depth: 8, colorType: 4, rows: [[0, 9, 0, 90, 255, 100, 51]])
      #expect(
        try Image(bytes: gray.bytes, alpha: white).rgb
          == [255, 255, 255, 90, 90, 90, 224, 224, 224])
      let keyed = HandmadePNG(
        width: 2, height: 1, depth: 8, colorType: 0, rows: [[0, 9, 90]], chunks: [("tRNS", [0, 9])])
      #expect(
        try Image(bytes: keyed.bytes, alpha: .composed(red: 0, green: 0, blue: 0)).rgb
          == [0, 0, 0, 90, 90, 90])
      let deep = HandmadePNG(
        width: 1, height: 1, depth: 16, colorType: 4, rows: [[0, 0x33, 0x33, 0x80, 0x80]])
      // (51 * 128 + 255 * 127) / 255 = 152.6
      #expect(
        try Image(bytes: deep.bytes, alpha: white).rgb == [153, 153, 153])
      let opaque = HandmadePNG(width: 1, height: 1, depth: 8, colorType: 2, rows: [[0, 9, 8, 7]])
      #expect(try Image(bytes: opaque.bytes, alpha: white).rgb == [9, 8, 7])
    }

    @Test func palettes() throws {
      let palette: [UInt8] = [1, 2, 3, 40, 50, 60, 255, 0, 128]
      let plain = HandmadePNG(
        width: 3, height: 1, depth: 8, colorType: 3, rows: [[0, 2, 0, 1]],
        chunks: [("PLTE", palette)])
      #expect(try rgb(plain) == [255, 0, 128, 1, 2, 3, 40, 50, 60])
      let transparent = HandmadePNG(
        width: 3, height: 1, depth: 2, colorType: 3, rows: [[0, 0b1000_0100]],
        chunks: [("PLTE", palette), ("tRNS", [0, 128])])
      #expect(try rgb(transparent) == [255, 0, 128, 1, 2, 3, 40, 50, 60])
    }

    @Test func sixteenBitsAreRoundedNotTreatedAsLinear() throws {
      let row: [UInt8] = [0, 0x80, 0x80, 0x40, 0x40, 0xFF, 0xFF, 0, 0, 0x12, 0x12, 0xC8, 0xC8]
      let color = HandmadePNG(width: 2, height: 1, depth: 16, colorType: 2, rows: [row])
      #expect(try rgb(color) == [0x80, 0x40, 0xFF, 0, 0x12, 0xC8])
      let alpha = HandmadePNG(
        width: 1, height: 1, depth: 16, colorType: 4, rows: [[0, 0x33, 0x33, 0x80, 0]])
      #expect(try rgb(alpha) == [0x33, 0x33, 0x33])
    }

    @Test(arguments: 0..<4)
    func everySampleOf16BitsIsRoundedToNearest(quarter: Int) throws {
      let values = quarter * 16384..<(quarter + 1) * 16384
      var row: [UInt8] = [0]
      for value in values { row += [UInt8(value >> 8), UInt8(value & 255)] }
      let png = HandmadePNG(width: 16384, height: 1, depth: 16, colorType: 0, rows: [row])
      let expected = values.map { UInt8((Double($0) * 255 / 65535).rounded()) }
      #expect(try rgb(png) == expected.flatMap { [$0, $0, $0] })
    }

    @Test func gammaChunks() throws {
      // 45455 (1 / 2.2) is what nearly all writers state and leaves samples as they are; 100000 is
      // linear light: 255 * (128 / 255)^(1 / 2.2) = 186.4.
      for (gamma, level) in [(45455, 128), (100_000, 186)] {
        let png = HandmadePNG(
          width: 2, height: 1, depth: 8, colorType: 0, rows: [[0, 128, 255]],
          chunks: [("gAMA", HandmadePNG.word(gamma))])
        let found = try rgb(png)
        #expect(found == [level, level, level, 255, 255, 255].map(UInt8.init))
      }
    }

    @Test func interlaced() throws {
      // Adam7 of 2 x 2: pass 1 has (0, 0), pass 6 has (1, 0), pass 7 the row below.
      let png = HandmadePNG(
        width: 2, height: 2, depth: 8, colorType: 0, interlaced: true,
        rows: [[0, 10], [0, 20], [0, 30, 40]])
      #expect(try rgb(png) == [10, 20, 30, 40].flatMap { [$0, $0, $0] })
    }

    @Test func orientationChunk() throws {
      var png = HandmadePNG(
        width: 2, height: 1, depth: 8, colorType: 0, rows: [[0, 10, 20]],
        chunks: [("eXIf", HandmadeTIFF.orientation(6, bigEndian: true))])
      let image = try Image(bytes: png.bytes)
      #expect(image.storedOrientation == 6)
      #expect(image.upright().height == 2 && image.upright().width == 1)
      png.chunks = [("eXIf", [1, 2, 3])]
      #expect(try Image(bytes: png.bytes).storedOrientation == 1)
    }

    @Test(arguments: [(1, 1), (7, 5), (64, 3), (1, 300)])
    func roundTrip(width: Int, height: Int) throws {
      let samples = (0..<width * height * 3).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435 >> 7) }
      let image = try Image(width: width, height: height, rgb: samples)
      #expect(try Image(bytes: image.pngBytes()) == image)
    }

    @Test func writesAFile() throws {
      let folder = FileManager.default.temporaryDirectory
      let path = folder.appendingPathComponent("fovea-\(UUID()).png").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      let image = try Image(width: 2, height: 1, rgb: [1, 2, 3, 4, 5, 6])
      try image.write(to: path, as: .png)
      #expect(try Image(contentsOf: path) == image)
      let nowhere = folder.appendingPathComponent("fovea-\(UUID())/a.png").path
      let error = #expect(throws: ImageError.self) { try image.write(to: nowhere, as: .png) }
      #expect(error?.file == nowhere)
    }

    @Test func brokenFiles() throws {
      let whole = HandmadePNG(
        width: 2, height: 2, depth: 8, colorType: 0, rows: [[0, 10, 20], [0, 30, 40]])
      for count in 4..<whole.bytes.count {
        #expect(throws: ImageError(.truncated(.png))) {
          try Image(bytes: Array(whole.bytes.prefix(count)))
        }
      }
      var short = whole
      short.rows.removeLast()
      #expect(throws: ImageError.self) { try Image(bytes: short.bytes) }
      var wrongFilter = whole
      wrongFilter.rows[0][0] = 9
      #expect(throws: ImageError.self) { try Image(bytes: wrongFilter.bytes) }
      var wrongChecksum = whole.bytes
      wrongChecksum[29] ^= 1
      #expect(throws: ImageError.self) { try Image(bytes: wrongChecksum) }
    }

    @Test func claimsAreCheckedBeforeMemoryIsAskedFor() throws {
      var png = HandmadePNG(width: 60000, height: 60000, depth: 8, colorType: 2, rows: [[0]])
      let limit = ImageLimits.standard.maximumPixels
      #expect(throws: ImageError(.tooManyPixels(width: 60000, height: 60000, limit: limit))) {
        try Image(bytes: png.bytes)
      }
      (png.width, png.height) = (10000, 10000)
      let error = ImageError(
        .impossibleSize(width: 10000, height: 10000, fileBytes: png.bytes.count))
      #expect(throws: error) { try Image(bytes: png.bytes) }
      (png.width, png.height) = (0, 10)
      #expect(throws: ImageError(.noPixels(width: 0, height: 10))) {
        try Image(bytes: png.bytes)
      }
      (png.width, png.height) = (3, 3)
      #expect(throws: ImageError(.tooManyPixels(width: 3, height: 3, limit: 8))) {
        try Image(bytes: png.bytes, limits: ImageLimits(maximumPixels: 8))
      }
    }
  }
#endif
