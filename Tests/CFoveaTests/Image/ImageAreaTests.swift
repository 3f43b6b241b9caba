// Fovea - tests of sampling with a low-pass filter.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// Every instruction set gives the same bytes, which differ by at most 1 from those of a computation
/// in double precision. Returns the share that does.
@discardableResult
private func expectMeans(_ image: ImageBytes, _ part: SamplingCase) throws -> Double {
  var part = part
  part.filter = .area
  let expected = part.expected(of: image)
  let scalar = try sample(image, part.sampling(on: .scalar))
  for set in availableInstructionSets {
    let result = try sample(image, part.sampling(on: set))
    #expect(result == scalar, "\(image.format) \(part) on \(set)")
  }
  let distances = zip(scalar, expected).map { abs(Int($0) - Int($1)) }
  #expect(distances.max()! <= 1, "\(image.format) \(part)")
  return Double(distances.count { $0 > 0 }) / Double(distances.count)
}

@Suite("Image sampling, area")
struct ImageAreaTests {
  @Test(arguments: allFormats)
  func anyPartOfAnyFormat(format: fov_pixel_format) throws {
    var random = SplitMix(seed: 200 + UInt64(format.rawValue))
    for round in 0..<40 {
      var image = ImageBytes(
        format, width: Int.random(in: 1...180, using: &random),
        height: Int.random(in: 1...180, using: &random),
        gap: Int.random(in: 0...9, using: &random), using: &random)
      image.alpha = round % 2 == 0 ? .straight : .ignored
      image.yuv = [.bt601_video, .bt601_full, .bt709_video, .bt709_full][round % 4]
      try expectMeans(image, SamplingCase(randomPartOf: image, using: &random))
    }
  }

  /// Rows and columns that fill tables and strips, spans up to the longest that are computed in blocks
  /// and longer ones, one axis growing and the other shrinking.
  @Test(arguments: [
    (1, 1, 1, 1), (900, 7, 416, 5), (7, 900, 5, 600), (1300, 5, 300, 9), (5, 700, 9, 320),
    (640, 64, 10, 1), (64, 650, 1, 10), (1000, 40, 31, 30), (1000, 40, 31, 2), (3000, 2, 2, 1),
    (2, 3000, 1, 2), (66, 66, 2, 2), (255, 255, 8, 8),
  ])
  func sizesAroundTheBlocks(width: Int, height: Int, outputWidth: Int, outputHeight: Int) throws {
    var random = SplitMix(seed: UInt64(width * 1000 + outputWidth))
    for format in [fov_pixel_format.rgb, .gray, .bgra, .nv12] {
      let image = ImageBytes(format, width: width, height: height, using: &random)
      for isExchanged in [false, true] {
        var part = SamplingCase(
          image, width: isExchanged ? outputHeight : outputWidth,
          height: isExchanged ? outputWidth : outputHeight, channels: 3)
        part.isExchanged = isExchanged
        try expectMeans(image, part)
      }
    }
  }

  /// Few bytes differ from the exactly rounded.
  @Test func nearlyAllBytesAreExact() throws {
    var random = SplitMix(seed: 3)
    let image = ImageBytes(.rgb, width: 480, height: 270, using: &random)
    let share = try expectMeans(
      image, SamplingCase(image, width: 104, height: 104, channels: 3))
    #expect(share < 0.01)
  }

  /// By hand: of 4 pixels in 2 the weights are 1/4, 3/4, 3/4, 1/4 without what lies outside.
  @Test func halvingByHand() throws {
    let image = ImageBytes(gray: [10, 20, 60, 100])
    var sampling = whole(image, width: 2, height: 1, channels: 1)
    sampling.filter = .area
    // (3 * 10 + 3 * 20 + 60) / 7 and (20 + 3 * 60 + 3 * 100) / 7
    #expect(try sample(image, sampling) == [21, 71])
  }

  @Test func evenImagesStayEven() throws {
    var random = SplitMix(seed: 1)
    for value in [UInt8(0), 1, 127, 200, 254, 255] {
      var image = ImageBytes(.rgb, width: 131, height: 77, using: &random)
      image.bytes = [UInt8](repeating: value, count: image.bytes.count)
      for (width, height) in [(131, 76), (50, 30), (131, 200), (3, 3), (1, 1)] {
        var sampling = whole(image, width: width, height: height, channels: 3)
        sampling.filter = .area
        let result = try sample(image, sampling)
        #expect(result.allSatisfy { $0 == value })
      }
    }
  }

  /// Stripes of one pixel vanish, where bilinear would keep some of them.
  @Test func stripesVanish() throws {
    let image = ImageBytes(gray: (0..<400).map { $0 % 2 == 0 ? 0 : 255 })
    var sampling = whole(image, width: 77, height: 1, channels: 1)
    let bilinear = try sample(image, sampling)
    sampling.filter = .area
    let area = try sample(image, sampling)
    #expect(bilinear.max()! - bilinear.min()! > 200)
    #expect(area[1..<76].allSatisfy { (124...131).contains($0) })
  }

  @Test func growingImagesAreBilinear() throws {
    var random = SplitMix(seed: 9)
    let image = ImageBytes(.rgb, width: 31, height: 20, using: &random)
    for (width, height) in [(31, 20), (64, 20), (100, 99)] {
      var sampling = whole(image, width: width, height: height, channels: 3)
      let bilinear = try sample(image, sampling)
      sampling.filter = .area
      #expect(try sample(image, sampling) == bilinear)
    }
  }
}
