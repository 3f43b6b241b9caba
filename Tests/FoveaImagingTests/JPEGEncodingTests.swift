// Fovea - tests of writing JPEG files.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import Foundation
import Testing

#if JPEG
  @Suite struct JPEGEncodingTests {
    /// Levels that change slowly, with a thin red line on the middle row.
    private func drawing(_ width: Int, _ height: Int) throws -> Picture {
      var rgb: [UInt8] = []
      for y in 0..<height {
        for x in 0..<width {
          rgb += y == height / 2 ? [250, 20, 30] : [UInt8(60 + x), UInt8(90 + y), 120]
        }
      }
      return try Picture(width: width, height: height, rgb: rgb)
    }

    @Test(arguments: [(1, 1), (9, 7), (100, 61)])
    func highQualityIsNearlyLossless(width: Int, height: Int) throws {
      let picture = try drawing(width, height)
      let read = try Picture(bytes: picture.jpegBytes(quality: 100))
      #expect(read.width == width && read.height == height)
      #expect(read.storedOrientation == 1 && !read.hasColorProfile)
      let difference = zip(read.rgb, picture.rgb).map { abs(Int($0) - Int($1)) }.max()
      // Conversion to luma and chroma and back rounds twice, the transform once more.
      #expect(try #require(difference) <= 3)
    }

    @Test func thinLinesKeepTheirColour() throws {
      let picture = try drawing(64, 33)
      let read = try Picture(bytes: picture.jpegBytes())
      for x in 0..<64 {
        let place = (16 * 64 + x) * 3
        #expect(read.rgb[place] > 200 && read.rgb[place + 1] < 70 && read.rgb[place + 2] < 80)
      }
    }

    @Test func qualityDecidesTheSize() throws {
      let picture = try drawing(100, 61)
      let sizes = try [1, 50, 75, 90, 100].map { try picture.jpegBytes(quality: $0).count }
      #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 < $1 }, "\(sizes)")
      for quality in [0, 101, -1, .max] {
        #expect(throws: PictureError(.invalidQuality(quality))) {
          try picture.jpegBytes(quality: quality)
        }
      }
    }

    @Test func sidesThatTheFormatLacks() throws {
      let long = try Picture(
        width: 65501, height: 1, rgb: [UInt8](repeating: 9, count: 65501 * 3))
      #expect(throws: PictureError(.notEncodable("more than 65500 pixels on a side"))) {
        try long.jpegBytes()
      }
    }

    @Test func writesAFile() throws {
      let folder = FileManager.default.temporaryDirectory
      let path = folder.appendingPathComponent("fovea-\(UUID()).jpg").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      let picture = try drawing(20, 10)
      try picture.write(toJPEG: path, quality: 80)
      #expect(try Picture(contentsOf: path) == Picture(bytes: picture.jpegBytes(quality: 80)))
      let nowhere = folder.appendingPathComponent("fovea-\(UUID())/a.jpg").path
      let error = #expect(throws: PictureError.self) { try picture.write(toJPEG: nowhere) }
      #expect(error?.file == nowhere)
      #expect(throws: PictureError(.invalidQuality(0), file: path)) {
        try picture.write(toJPEG: path, quality: 0)
      }
    }
  }
#endif
