// Fovea - tests of bilinear sampling.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// The bytes of every instruction set are those of the formula.
private func expectFormula(_ image: ImageBytes, _ part: SamplingCase) throws {
  let expected = part.expected(of: image)
  for set in availableInstructionSets {
    let result = try sample(image, part.sampling(on: set))
    #expect(result == expected, "\(image.format) \(part) on \(set)")
  }
}

@Suite("Image sampling, bilinear: values")
struct ImageBilinearTests {
  @Test(arguments: [(fov_pixel_format.gray, 1), (.gray, 3), (.rgb, 1), (.rgb, 3)])
  func wholeImagesEqualTheFormula(format: fov_pixel_format, channels: Int) throws {
    var random = SplitMix(seed: UInt64(format.rawValue) * 10 + UInt64(channels))
    for _ in 0..<100 {
      let image = ImageBytes(
        format, width: Int.random(in: 1...40, using: &random),
        height: Int.random(in: 1...40, using: &random),
        gap: Int.random(in: 0...9, using: &random), using: &random)
      try expectFormula(
        image,
        SamplingCase(
          image, width: Int.random(in: 1...40, using: &random),
          height: Int.random(in: 1...40, using: &random), channels: channels))
    }
  }

  /// Widths around the numbers of columns that are computed together, and images of one column or
  /// row, in both directions.
  @Test(arguments: [
    (1, 1, 1, 1), (1, 1, 7, 5), (7, 5, 1, 1), (1, 9, 3, 4), (9, 1, 4, 3), (1, 300, 300, 1),
    (300, 1, 1, 300), (2, 2, 447, 3), (2, 2, 448, 3), (2, 2, 449, 3), (900, 3, 257, 2),
    (1000, 2, 416, 3), (33, 21, 320, 10), (2, 3, 5, 33), (2, 3, 16, 257),
  ])
  func oddSizes(width: Int, height: Int, outputWidth: Int, outputHeight: Int) throws {
    var random = SplitMix(seed: UInt64(width * 1000 + outputWidth))
    for format in allFormats {
      let image = ImageBytes(format, width: width, height: height, using: &random)
      for isExchanged in [false, true] {
        var part = SamplingCase(
          image, width: isExchanged ? outputHeight : outputWidth,
          height: isExchanged ? outputWidth : outputHeight, channels: 3)
        part.isExchanged = isExchanged
        try expectFormula(image, part)
      }
    }
  }

  @Test(arguments: [(1, 1), (5, 3), (17, 31), (416, 9), (129, 2)])
  func sameSizeIsTheIdentity(width: Int, height: Int) throws {
    var random = SplitMix(seed: 5)
    let image = ImageBytes(.rgb, width: width, height: height, gap: 6, using: &random)
    let result = try sample(image, whole(image, width: width, height: height, channels: 3))
    let pixels = (0..<height).flatMap { y in (0..<width).flatMap { image.pixel($0, y) } }
    #expect(result == pixels)
  }

  /// By hand: centers of 4 in 2 lie at -0.25, 0.25, 0.75, 1.25; clamped at both ends.
  @Test func doublingByHand() throws {
    let image = ImageBytes(gray: [0, 100])
    let result = try sample(image, whole(image, width: 4, height: 1, channels: 1))
    #expect(result == [0, 25, 75, 100])
  }

  /// By hand: centers of 2 in 8 lie at 1.5 and 5.5; between them nothing is looked at.
  @Test func shrinkingHasNoLowPassFilter() throws {
    let image = ImageBytes(gray: [255, 10, 20, 255, 255, 30, 41, 255])
    let result = try sample(image, whole(image, width: 2, height: 1, channels: 1))
    #expect(result == [15, 36])
  }

  @Test func grayOfPureColors() throws {
    var random = SplitMix(seed: 1)
    var image = ImageBytes(.rgb, width: 4, height: 1, using: &random)
    image.bytes = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]
    let result = try sample(image, whole(image, width: 4, height: 1, channels: 1))
    #expect(result == [76, 150, 29, 255])
  }

  /// A region that begins and ends between pixels: positions by hand are 1.25, 2.25 and 3.25.
  @Test func regionsBetweenPixels() throws {
    let image = ImageBytes(gray: [0, 40, 80, 120, 200])
    var sampling = whole(image, width: 3, height: 1, channels: 1)
    sampling.map = fov_affine_map(a: 1, b: 0, c: 0, d: 1, tx: 1.25, ty: 0)
    #expect(try sample(image, sampling) == [50, 90, 140])
    // Cut to two pixels, the others do not exist.
    sampling.source_columns = fov_pixel_range(begin: 2, end: 4)
    #expect(try sample(image, sampling) == [80, 90, 120])
  }
}

@Suite("Image sampling, bilinear: formats, parts, orientations")
struct ImageBilinearPartTests {
  @Test(arguments: allFormats)
  func anyPartOfAnyFormat(format: fov_pixel_format) throws {
    var random = SplitMix(seed: 100 + UInt64(format.rawValue))
    for round in 0..<120 {
      var image = ImageBytes(
        format, width: Int.random(in: 1...70, using: &random),
        height: Int.random(in: 1...70, using: &random),
        gap: Int.random(in: 0...9, using: &random), using: &random)
      image.alpha = round % 2 == 0 ? .straight : .ignored
      image.background = (UInt8(round), 255 - UInt8(round), 17)
      image.yuv = [.bt601_video, .bt601_full, .bt709_video, .bt709_full][round % 4]
      try expectFormula(image, SamplingCase(randomPartOf: image, using: &random))
    }
  }

  /// Values of standards: white, black, and the primaries of video range.
  @Test func colorsOfVideo() throws {
    var random = SplitMix(seed: 1)
    var image = ImageBytes(.yuyv, width: 2, height: 1, using: &random)
    func first(_ y: UInt8, _ u: UInt8, _ v: UInt8, _ yuv: fov_yuv_encoding) throws -> [UInt8] {
      image.bytes = [y, u, y, v]
      image.yuv = yuv
      return Array(try sample(image, whole(image, width: 2, height: 1, channels: 3))[..<3])
    }
    #expect(try first(235, 128, 128, .bt601_video) == [255, 255, 255])
    #expect(try first(16, 128, 128, .bt709_video) == [0, 0, 0])
    #expect(try first(255, 128, 128, .bt601_full) == [255, 255, 255])
    #expect(try first(81, 90, 240, .bt601_video) == [254, 0, 0])
    #expect(try first(76, 85, 255, .bt601_full) == [254, 0, 0])
    #expect(try first(63, 102, 240, .bt709_video) == [255, 1, 0])
  }

  /// Scales whose fractions have small denominators, where sums lie exactly between two bytes and
  /// only doubles can tell; and those that floats hold. Millions of samples.
  @Test(arguments: [
    (832, 416), (640, 320), (768, 320), (960, 400), (500, 300), (624, 416), (700, 416), (97, 416),
  ])
  func tiesAreBrokenAsDoublesBreakThem(source: Int, output: Int) throws {
    var random = SplitMix(seed: UInt64(source))
    for image in [
      ImageBytes(.rgb, width: source, height: source * 3 / 4, using: &random),
      ImageBytes(.gray, width: source, height: source / 2, using: &random),
    ] {
      try expectFormula(
        image, SamplingCase(image, width: output, height: output * 3 / 4, channels: 3))
    }
  }
}
