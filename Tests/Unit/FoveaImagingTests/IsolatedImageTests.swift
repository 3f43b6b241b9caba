// Fovea - tests of images that libraries decode in a process of their own.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaTestSupport
import Testing

@Suite struct IsolatedImageTests {
  /// Which of four colors the quarters of an image have, row by row; `nil` for another color.
  static func quarters(_ image: Image, tolerance: Int = 12) -> [Int?] {
    [1, 3].flatMap { row in
      [1, 3].map { column in
        let place = (row * image.height / 4 * image.width + column * image.width / 4) * 3
        return SmallImages.colors.firstIndex { color in
          zip(color, image.rgb[place..<place + 3]).allSatisfy {
            abs(Int($0) - Int($1)) <= tolerance
          }
        }
      }
    }
  }

  #if HEIF
    /// The order of quarters that another reader of libheif's family shows.
    @Test func turnedAndMirroredByTheFile() throws {
      let expected: [[Int]] = [
        [2, 3, 0, 1], [1, 0, 3, 2], [0, 2, 1, 3], [3, 1, 2, 0],
        [1, 0, 3, 2], [2, 3, 0, 1], [3, 1, 2, 0], [0, 2, 1, 3],
      ]
      for turns in 0..<4 {
        for mirror in 0..<2 {
          let bytes = SmallImages.heic(quarterTurns: UInt8(turns), mirror: UInt8(mirror))
          let header = try ImageHeader(bytes: bytes)
          #expect(header.format == .heic && header.orientation == 1)
          let image = try Image(bytes: bytes)
          #expect([image.width, image.height] == (turns % 2 == 0 ? [48, 32] : [32, 48]))
          #expect([header.width, header.height] == [image.width, image.height])
          #expect(Self.quarters(image) == expected[2 * turns + mirror])
        }
      }
    }

    @Test func pictureOfAV1() throws {
      let image = try Image(bytes: SmallImages.avif)
      #expect(image.width == 48 && image.height == 32 && !image.hasColorProfile)
      #expect(Self.quarters(image) == [0, 1, 2, 3])
    }

    @Test func cutFilesAreRefused() {
      let whole = SmallImages.heic(quarterTurns: 0, mirror: 0)
      for count in stride(from: 12, to: whole.count - 2, by: 29) {
        let error = #expect(throws: ImageError.self) {
          try Image(bytes: Array(whole.prefix(count)))
        }
        // The decoder's own words say why.
        #expect(error?.description.contains("they cannot be decoded") == false, "\(count)")
      }
    }

    @Test func limitsHoldBeforeDecoding() {
      let limits = ImageLimits(maximumPixels: 1000)
      #expect(throws: ImageError(.tooManyPixels(width: 48, height: 32, limit: 1000))) {
        try Image(bytes: SmallImages.avif, limits: limits)
      }
    }
  #endif

  #if TIFF
    @Test func samplesOf8And16Bits() throws {
      for bits in [8, 16] {
        let scale = bits == 8 ? 1 : 257
        let gray = HandmadeTIFF.file(
          width: 3, height: 2, bits: bits, samples: [0, 1, 2, 127, 128, 255].map { $0 * scale })
        #expect(try Image(bytes: gray).rgb == [0, 1, 2, 127, 128, 255].flatMap { [$0, $0, $0] })
        let colors: [UInt8] = [10, 20, 30, 200, 100, 0]
        let color = HandmadeTIFF.file(
          width: 2, height: 1, bits: bits, samples: colors.map { Int($0) * scale })
        #expect(try Image(bytes: color).rgb == colors)
      }
    }

    @Test func orientationIsThatOfTheTag() throws {
      for orientation in 1...8 {
        let bytes = HandmadeTIFF.file(
          width: 2, height: 3, samples: [1, 2, 3, 4, 5, 6], orientation: orientation)
        let image = try Image(bytes: bytes)
        #expect(image.storedOrientation == orientation)
        #expect(image.rgb == [1, 2, 3, 4, 5, 6].flatMap { [$0, $0, $0] })
      }
    }

    @Test func colorsBesideAlphaAreAsStored() throws {
      let plain = HandmadeTIFF.file(
        width: 2, height: 1, samples: [200, 100, 50, 0, 80, 60, 40, 128], alpha: 2)
      let ignored = try Image(bytes: plain)
      #expect(ignored.rgb == [200, 100, 50, 80, 60, 40] && ignored.transparentShare == 0.5)
      let composed = try Image(bytes: plain, alpha: .composed(red: 0, green: 0, blue: 255))
      #expect(composed.rgb == [0, 0, 255, 40, 30, 147])
      let multiplied = HandmadeTIFF.file(width: 1, height: 1, samples: [40, 30, 20, 128], alpha: 1)
      #expect(try Image(bytes: multiplied).rgb == [80, 60, 40])
    }

    @Test func rawPhotographsAreRefused() {
      for further in [(254, 1), (50706, 0x0401)] {
        let bytes = HandmadeTIFF.file(width: 1, height: 1, samples: [1], further: [further])
        #expect(throws: ImageError(.rawPhotograph)) { try Image(bytes: bytes) }
      }
    }

    @Test func sizesThatTheFileCannotHold() {
      var bytes = HandmadeTIFF.file(width: 3, height: 3, samples: Array(1...9))
      #expect(throws: Never.self) { try Image(bytes: bytes) }
      bytes[bytes.count - 10 * 12 - 4 + 10] = 0x90  // the width's third byte
      #expect(throws: ImageError.self) { try Image(bytes: bytes) }
      #expect(throws: ImageError.self) { try Image(bytes: Array(bytes.prefix(40))) }
    }
  #endif

  #if GIF
    @Test func firstPictureOfGIF() throws {
      let image = try Image(bytes: SmallImages.gif)
      #expect(image.width == 12 && image.height == 8 && image.transparentShare == 0.25)
      #expect(Self.quarters(image, tolerance: 0) == [0, 1, 2, 3])
      let composed = try Image(bytes: SmallImages.gif, alpha: .composed(red: 1, green: 2, blue: 3))
      #expect(Array(composed.rgb.suffix(3)) == [1, 2, 3])
      #expect(throws: ImageError(.truncated(.gif))) {
        try Image(bytes: Array(SmallImages.gif.prefix(60)))
      }
      var large = SmallImages.gif
      (large[7], large[9]) = (0x40, 0x40)
      #expect(throws: ImageError.self) { try Image(bytes: large) }
    }
  #endif
}
