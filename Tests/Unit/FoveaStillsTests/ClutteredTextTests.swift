// Fovea - tests of text that is a small part of a picture.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaStills
import FoveaTestSupport
import Testing

@Suite struct ClutteredTextTests {
  /// A page of drawn letters on a ground of some thousand short strokes, all of one size, which look like
  /// lines of letters.
  private func picture(pageAt place: SIMD2<Int>) throws -> Image {
    let (width, height) = (800, 600)
    var rgb = [UInt8](repeating: 120, count: width * height * 3)
    var random = SplitMix(seed: 7)
    for _ in 0..<6_000 {
      let (x, y) = (random.below(width - 12), random.below(height - 16))
      let (across, down) = (1 + random.below(5), 6 + random.below(10))
      let level = UInt8(60 + random.below(130))
      for row in y..<y + down {
        let shear = (row - y) * across / 8
        for column in x + shear..<min(x + shear + 3, width) {
          for at in 3 * (row * width + column)..<3 * (row * width + column) + 3 { rgb[at] = level }
        }
      }
    }
    let page = DrawnText.sample
    for row in 0..<page.height {
      let (source, target) = (row * page.width, (row + place.y) * width + place.x)
      rgb.replaceSubrange(
        3 * target..<3 * (target + page.width),
        with: page.rgb[3 * source..<3 * (source + page.width)])
    }
    return try Image(width: width, height: height, rgb: rgb)
  }

  @Test func aCardOnTextureIsRead() throws {
    let lines = try RecognizeTextRequest().perform(on: picture(pageAt: SIMD2(320, 250)))
    #expect(
      lines.compactMap { $0.topCandidates(1).first?.string } == [
        "THE MAN WAITED", "TWELVE MEN TALK", "FIVE WHITE LAKE",
      ])
  }

  @Test func linesOfTextureAreNotReported() throws {
    let lines = try DetectTextRectanglesRequest().perform(on: picture(pageAt: SIMD2(40, 400)))
    #expect(lines.count == 3)
    for line in lines {
      let box = line.boundingBox
      #expect(box.x > 0.05 && box.x + box.width < 0.43 && box.y > 0.1 && box.y + box.height < 0.34)
    }
  }
}
