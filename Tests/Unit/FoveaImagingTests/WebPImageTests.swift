// Fovea - tests of WebP files built by hand.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaTestSupport
import Testing

#if WebP
  @Suite struct WebPImageTests {
    @Test func twoColors() throws {
      let pixels = (0..<21).map { $0 % 5 < 2 }
      let webP = HandmadeWebP(
        width: 7, height: 3, red: 200, green: 10, blue: 30, second: (250, pixels))
      let image = try Image(bytes: webP.bytes)
      #expect(image.width == 7 && image.height == 3 && image.reductionFactor == 1)
      #expect(image.rgb == pixels.flatMap { [200, $0 ? 250 : 10, 30] })
    }

    @Test func alphaIsDroppedOrComposed() throws {
      let below = ImageAlpha.composed(red: 0, green: 100, blue: 255)
      for alpha in [0, 1, 127, 254, 255] as [UInt8] {
        let webP = HandmadeWebP(red: 200, green: 10, blue: 30, alpha: alpha, hasAlpha: true)
        #expect(try Image(bytes: webP.bytes).rgb == [200, 10, 30])
        let composed = try Image(bytes: webP.bytes, alpha: below)
        let expected = CompositionFormula.mix([200, 10, 30], alpha: alpha, over: [0, 100, 255])
        #expect(composed.rgb == expected, "\(alpha)")
        #expect(composed.transparentShare == (alpha < 128 ? 1 : 0))
        #expect(try ImageHeader(bytes: webP.bytes).hasAlpha)
      }
      let opaque = HandmadeWebP(red: 1, green: 2, blue: 3)
      #expect(try Image(bytes: opaque.bytes, alpha: below).rgb == [1, 2, 3])
    }

    @Test func orientationAndProfileChunks() throws {
      for prefix in ["", "Exif\0\0"] {
        for value in 1...8 {
          let tiff = HandmadeTIFF.orientation(UInt16(value), bigEndian: value % 2 == 0)
          let webP = HandmadeWebP(
            width: 3, height: 2, after: [("EXIF", Array(prefix.utf8) + tiff), ("XMP ", [1])])
          let image = try Image(bytes: webP.bytes)
          #expect(image.storedOrientation == value && !image.hasColorProfile)
          let header = try ImageHeader(bytes: webP.bytes)
          #expect(header.orientation == value && header.uprightWidth == (value >= 5 ? 2 : 3))
        }
      }
      let profiled = HandmadeWebP(before: [("ICCP", [1, 2, 3])])
      #expect(try Image(bytes: profiled.bytes).hasColorProfile)
      let broken = HandmadeWebP(after: [("EXIF", [1, 2, 3])])
      #expect(try Image(bytes: broken.bytes).storedOrientation == 1)
    }

    @Test func animationsAreRefusedByName() throws {
      let bytes = HandmadeWebP(
        width: 30, height: 20, before: [("ANIM", [0, 0, 0, 0, 0, 0])], flags: 2
      ).bytes
      let error = #expect(throws: ImageError(.animation(.webP))) { try Image(bytes: bytes) }
      #expect(error?.description.contains("animated WebP") == true)
      #expect(try ImageHeader(bytes: bytes).width == 30)
    }

    @Test func cutAtEveryByte() {
      let whole = HandmadeWebP(
        width: 3, height: 1, second: (9, [true, false, true]), after: [("EXIF", [1, 2])])
      for count in 12..<whole.bytes.count {
        #expect(throws: ImageError(.truncated(.webP)), "\(count)") {
          try Image(bytes: Array(whole.bytes.prefix(count)))
        }
      }
    }

    @Test func chunksThatCannotBe() {
      var bytes = HandmadeWebP().bytes
      bytes[16] = 200
      #expect(throws: ImageError(.damaged(.webP, "a chunk is longer than the file"))) {
        try Image(bytes: bytes)
      }
      let empty = HandmadeWebP.file([("EXIF", [1, 2, 3, 4])])
      #expect(throws: ImageError(.damaged(.webP, "there is no image in it"))) {
        try Image(bytes: empty)
      }
      for name in ["VP8 ", "VP8L"] {
        for content in [[], [1, 2, 3], [UInt8](repeating: 1, count: 40)] {
          #expect(throws: ImageError(.damaged(.webP, "the frame header is wrong"))) {
            try Image(bytes: HandmadeWebP.file([(name, content)]) + [0, 0])
          }
        }
      }
      // The extended header states another size than the image.
      let other = HandmadeWebP.file([
        ("VP8X", [0, 0, 0, 0, 9, 0, 0, 9, 0, 0]),
        ("VP8L", Array(HandmadeWebP().bytes.dropFirst(20))),
      ])
      #expect(throws: ImageError.self) { try Image(bytes: other) }
    }

    @Test func claimsAreCheckedBeforeMemoryIsAskedFor() throws {
      func lossy(_ width: Int, _ height: Int) -> [UInt8] {
        let header = HandmadeWebP.lossyHeader(width: width, height: height)
        return HandmadeWebP.file([("VP8 ", header + [0, 0])])
      }
      func refusal(_ bytes: [UInt8]) -> ImageError.Reason? {
        #expect(throws: ImageError.self) { try Image(bytes: bytes) }?.reason
      }
      let limit = ImageLimits.standard.maximumPixels
      #expect(
        refusal(lossy(16383, 16383)) == .tooManyPixels(width: 16383, height: 16383, limit: limit))
      #expect(refusal(lossy(0, 9)) == .noPixels(width: 0, height: 9))
      // 1024 pixels a byte: 32 bytes may have 32768 pixels and no row more.
      #expect(lossy(1, 1).count == 32)
      #expect(refusal(lossy(128, 257)) == .impossibleSize(width: 128, height: 257, fileBytes: 32))
      if case .impossibleSize = refusal(lossy(128, 256)) { Issue.record("refused by its size") }
      // Pixels of one color take no bits: 2^24 of them are granted.
      let flat = HandmadeWebP(width: 4096, height: 4096, red: 9, green: 8, blue: 7)
      #expect(try Image(bytes: flat.bytes).rgb.suffix(3) == [9, 8, 7])
      let larger = HandmadeWebP(width: 4200, height: 4096)
      #expect(
        refusal(larger.bytes)
          == .impossibleSize(width: 4200, height: 4096, fileBytes: larger.bytes.count))
    }
  }
#endif
