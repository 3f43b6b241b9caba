// Fovea - tests of upright pictures of planes.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaGeometry
import FoveaLibc
import FoveaTestSupport
import FoveaVideo
import Testing

@Suite("Upright pictures of planes") struct UprightImageTests {
  /// The first picture of a clip.
  private func frame(_ name: String) throws -> VideoFrame {
    let reader = try VideoSource.file(SharedData.url("video/clips/\(name)").path).open()
    return try #require(try reader.next())
  }

  /// Mean red, green and blue of each block of 8 x 8 pixels of an upright picture, row after row.
  private func blocks(
    _ size: ImageSize, _ color: (Int, Int) -> (Double, Double, Double)
  ) -> [Double] {
    var means: [Double] = []
    for top in stride(from: 0, to: size.height - 7, by: 8) {
      for left in stride(from: 0, to: size.width - 7, by: 8) {
        var sum = (0.0, 0.0, 0.0)
        for y in top..<top + 8 {
          for x in left..<left + 8 {
            let one = color(x, y)
            sum = (sum.0 + one.0, sum.1 + one.1, sum.2 + one.2)
          }
        }
        means += [sum.0 / 64, sum.1 / 64, sum.2 / 64]
      }
    }
    return means
  }

  /// BT.601, BT.709 or BT.2020 as `fov_image.h` states them, from what the picture says it has.
  private func blocks(of picture: UprightImage, _ size: ImageSize) -> [Double] {
    let (luma, u, v) = picture.planes
    let isFull = picture.coding.samples(red: 0, green: 0, blue: 0).0 == 0
    // Luma of pure red and of pure blue are their shares.
    let scale = isFull ? 255.0 : 219
    let low = isFull ? 0.0 : 16
    let red = (Double(picture.coding.samples(red: 255, green: 0, blue: 0).0) - low) / scale
    let (kr, kb) =
      red > 0.28 ? (0.299, 0.114) : red > 0.24 ? (0.2627, 0.0593) : (0.2126, 0.0722)
    return blocks(size) { x, y in
      let place = y / 2 * (picture.width / 2) + x / 2
      let level = (Double(luma[y * picture.width + x]) - low) * 255 / scale
      let chroma = 255 / (isFull ? 255.0 : 224)
      let (b, r) = ((Double(u[place]) - 128) * chroma, (Double(v[place]) - 128) * chroma)
      let green = 2 * kb * (1 - kb) / (1 - kr - kb) * b + 2 * kr * (1 - kr) / (1 - kr - kb) * r
      return (
        min(max(level + 2 * (1 - kr) * r, 0), 255), min(max(level - green, 0), 255),
        min(max(level + 2 * (1 - kb) * b, 0), 255)
      )
    }
  }

  /// The same of the colors that the reference formula gives for the stored picture.
  private func blocks(of frame: VideoFrame) -> [Double] {
    let rgb = ReferenceColors().rgb(of: frame)
    let upright = frame.orientation.uprightSize(of: frame.size)
    return blocks(upright) { x, y in
      let place = frame.orientation.stored(
        x: (Double(x) + 0.5) / Double(upright.width),
        y: (Double(y) + 0.5) / Double(upright.height))
      let column = Int(place.u * Double(frame.size.width))
      let row = Int(place.v * Double(frame.size.height))
      let at = 3 * (row * frame.size.width + column)
      return (Double(rgb[at]), Double(rgb[at + 1]), Double(rgb[at + 2]))
    }
  }

  private func worst(_ a: [Double], _ b: [Double]) -> Double {
    zip(a, b).map { abs($0 - $1) }.max() ?? .infinity
  }

  /// Every kind of samples, range and orientation keeps its colors in the mean.
  @Test(
    .enabled(if: SharedData.isPresent),
    arguments: [
      "base.mp4", "colour-bt601-full.mp4", "colour-bt709-limited.mp4", "colour-bt2020-10bit.mp4",
      "gray.mp4", "h264-10bit.mp4", "h264-422.mp4", "h264-gbr.mp4", "nv12.nut", "yuyv422.avi",
      "rgb-ffv1.mkv", "animated.gif", "odd-321x181.webm", "odd-321x181-444.mp4",
      "orientation-2.mp4", "orientation-3.mp4", "orientation-5.mp4", "orientation-6.mp4",
      "orientation-8.mp4",
    ]
  ) func colorsStay(name: String) throws {
    let frame = try frame(name)
    let size = frame.orientation.uprightSize(of: frame.size)
    let picture = UprightImage(size)
    picture.take(frame)
    #expect(picture.width.isMultiple(of: 2) && picture.height.isMultiple(of: 2))
    #expect((0...1).contains(picture.width - size.width))
    let expected = blocks(of: frame)
    // Colors that samples cannot have are cut pixel by pixel; dots of a palette are such colors once
    // four of them share their chroma.
    let most = name == "animated.gif" ? 8.0 : 3
    #expect(worst(blocks(of: picture, size), expected) < most)
    picture.recode(to: .jpeg)
    #expect(picture.coding == .jpeg)
    #expect(worst(blocks(of: picture, size), expected) < most + 0.5)
  }

  /// Samples of 4:2:0 and 8 bits are those of the source.
  @Test(.enabled(if: SharedData.isPresent)) func usualSamplesAreCopied() throws {
    let frame = try frame("base.mp4")
    let picture = UprightImage(frame.size)
    picture.take(frame)
    frame.withPlanes { planes in
      let image = planes.image
      for (plane, out, shift) in [
        (image.planes.0, picture.planes.luma, 0), (image.planes.1, picture.planes.u, 1),
        (image.planes.2, picture.planes.v, 1),
      ] {
        let (columns, rows) = (picture.width >> shift, picture.height >> shift)
        for row in 0..<rows {
          guard let data = plane.data else { return }
          #expect(memcmp(data + row * Int(plane.row_bytes), out + row * columns, columns) == 0)
        }
      }
    }
  }

  /// A picture of another shape lies in the middle, over black.
  @Test(.enabled(if: SharedData.isPresent)) func otherSizesAreFitted() throws {
    let frame = try frame("base.mp4")
    let picture = UprightImage(ImageSize(width: 200, height: 200))
    picture.take(frame)
    let content = picture.content
    #expect([content.x, content.y, content.width, content.height] == [0, 42, 200, 113])
    let luma = picture.planes.luma
    #expect((0..<200).allSatisfy { luma[$0] == 16 && luma[199 * 200 + $0] == 16 })
    // The same picture at its own size, in the mean.
    let whole = UprightImage(frame.size)
    whole.take(frame)
    func mean(_ picture: UprightImage, _ rows: Range<Int>) -> Double {
      let count = rows.count * picture.width
      let start = rows.lowerBound * picture.width
      return (0..<count).reduce(0) { $0 + Double(picture.planes.luma[start + $1]) } / Double(count)
    }
    #expect(abs(mean(picture, 42..<154) - mean(whole, 0..<180)) < 4)
  }

  /// Colors of the formulas of ITU-R BT.601 and BT.709.
  @Test func samplesOfColors() {
    #expect(SampleCoding.unspecified.samples(red: 255, green: 255, blue: 255) == (235, 128, 128))
    #expect(SampleCoding.unspecified.samples(red: 255, green: 0, blue: 0) == (81, 90, 240))
    #expect(SampleCoding.highDefinition.samples(red: 0, green: 255, blue: 0) == (173, 42, 26))
    #expect(SampleCoding.jpeg.samples(red: 0, green: 0, blue: 255) == (29, 255, 107))
  }
}
