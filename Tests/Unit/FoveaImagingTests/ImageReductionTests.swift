// Fovea - tests of decoding at a reduced scale.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaTestSupport
import Testing

#if JPEG
  @Suite struct ImageReductionTests {
    private func decode(
      _ bytes: [UInt8], covering width: Int, _ height: Int
    ) throws -> Image {
      try Image(bytes: bytes, reduction: .covering(width: width, height: height))
    }

    /// A scan whose coefficients are all zero, with enough bits for every block.
    private func gray(_ width: Int, _ height: Int) -> [UInt8] {
      let blocks = ((width + 7) / 8) * ((height + 7) / 8)
      return HandmadeJPEG(
        width: width, height: height, scan: [UInt8](repeating: 0, count: blocks / 4 + 1)
      ).bytes
    }

    @Test func theLeastScaleThatCovers() throws {
      // 1920 x 1080 halves to 960 x 540, 480 x 270 and 240 x 135.
      let bytes = gray(1920, 1080)
      let cases = [
        (416, 416, 2), (416, 234, 4), (240, 135, 8), (241, 135, 4), (240, 136, 4), (480, 270, 4),
        (480, 271, 2), (960, 540, 2), (961, 1, 1), (1, 541, 1), (4000, 4000, 1), (1, 1, 8),
        (0, 0, 8), (.min, .min, 8), (.max, .max, 1),
      ]
      for (width, height, factor) in cases {
        let image = try decode(bytes, covering: width, height)
        #expect(image.reductionFactor == factor, "\(width) x \(height)")
        #expect(image.width == 1920 / factor && image.height == 1080 / factor)
        #expect(image.fullWidth == 1920 && image.fullHeight == 1080)
        #expect(image.rgb == [UInt8](repeating: 128, count: 1920 / factor * 1080 / factor * 3))
      }
    }

    @Test(arguments: [(64, 64), (65, 71), (97, 131), (64, 1001), (127, 64)])
    func sidesAreRoundedUp(width: Int, height: Int) throws {
      for factor in [2, 4, 8] {
        let (columns, rows) = ((width + factor - 1) / factor, (height + factor - 1) / factor)
        let image = try decode(gray(width, height), covering: columns, rows)
        #expect(image.reductionFactor == factor)
        #expect(image.width == columns && image.height == rows)
        #expect(image.rgb == [UInt8](repeating: 128, count: columns * rows * 3))
      }
    }

    @Test func smallImagesStayWhole() throws {
      for (width, height) in [(63, 640), (640, 63), (1, 1)] {
        let bytes = gray(width, height)
        let image = try decode(bytes, covering: 1, 1)
        #expect(try image == Image(bytes: bytes))
        #expect(image.reductionFactor == 1 && image.fullWidth == width)
      }
    }

    @Test func limitsHoldForTheFullSize() {
      let limits = ImageLimits(maximumPixels: 128 * 128 - 1)
      #expect(throws: ImageError(.tooManyPixels(width: 128, height: 128, limit: 16383))) {
        try Image(
          bytes: gray(128, 128), limits: limits, reduction: .covering(width: 16, height: 16))
      }
    }

    /// Planes are kept by every scale: a reduced pixel has the level of its center.
    @Test func aRampKeepsItsPlace() throws {
      let (width, height) = (200, 136)
      var rgb: [UInt8] = []
      for y in 0..<height {
        for x in 0..<width {
          rgb += [20 + UInt8(x), 10 + UInt8(y), 235 - UInt8((x + y) / 2)]
        }
      }
      let bytes = try Image(width: width, height: height, rgb: rgb).jpegBytes(quality: 100)
      for factor in [2, 4, 8] {
        let image = try decode(bytes, covering: width / factor, height / factor)
        #expect(image.reductionFactor == factor)
        var largest = 0.0
        for y in 0..<image.height {
          for x in 0..<image.width {
            let place = (y * image.width + x) * 3
            let (u, v) = ((Double(x) + 0.5) * Double(factor), (Double(y) + 0.5) * Double(factor))
            // Pixel i has its center at i + 0.5.
            let expected = [19.5 + u, 9.5 + v, 235.25 - (u - 0.5 + v - 0.5) / 2]
            for channel in 0..<3 {
              let found = Double(image.rgb[place + channel])
              largest = max(largest, abs(found - expected[channel]))
            }
          }
        }
        // Rounding in four places, and what the transform cuts off of a ramp's corners.
        #expect(largest < 4, "1/\(factor): \(largest)")
      }
    }

    @Test func turningUprightTurnsTheFullSize() throws {
      var jpeg = HandmadeJPEG(width: 130, height: 66, scan: [UInt8](repeating: 0, count: 40))
      jpeg.prologue = HandmadeTIFF.segment(HandmadeTIFF.orientation(6, bigEndian: false))
      let upright = try decode(jpeg.bytes, covering: 65, 33).upright()
      #expect(upright.width == 33 && upright.height == 65 && upright.reductionFactor == 2)
      #expect(upright.fullWidth == 66 && upright.fullHeight == 130)
    }
  }
#endif
