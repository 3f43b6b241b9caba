// Fovea - tests of writing JPEG files.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import Foundation
import Testing

#if JPEG
  @Suite struct JPEGEncodingTests {
    /// Levels that change slowly, with a thin red line on the middle row.
    private func drawing(_ width: Int, _ height: Int) throws -> Image {
      var rgb: [UInt8] = []
      for y in 0..<height {
        for x in 0..<width {
          rgb += y == height / 2 ? [250, 20, 30] : [UInt8(60 + x), UInt8(90 + y), 120]
        }
      }
      return try Image(width: width, height: height, rgb: rgb)
    }

    @Test(arguments: [(1, 1), (9, 7), (100, 61)])
    func highQualityIsNearlyLossless(width: Int, height: Int) throws {
      let image = try drawing(width, height)
      let read = try Image(bytes: image.jpegBytes(quality: 100))
      #expect(read.width == width && read.height == height)
      #expect(read.storedOrientation == 1 && !read.hasColorProfile)
      let difference = zip(read.rgb, image.rgb).map { abs(Int($0) - Int($1)) }.max()
      // Conversion to luma and chroma and back rounds twice, the transform once more.
      #expect(try #require(difference) <= 3)
    }

    @Test func thinLinesKeepTheirColor() throws {
      let image = try drawing(64, 33)
      let read = try Image(bytes: image.jpegBytes())
      for x in 0..<64 {
        let place = (16 * 64 + x) * 3
        #expect(read.rgb[place] > 200 && read.rgb[place + 1] < 70 && read.rgb[place + 2] < 80)
      }
    }

    @Test func qualityDecidesTheSize() throws {
      let image = try drawing(100, 61)
      let sizes = try [1, 50, 75, 90, 100].map { try image.jpegBytes(quality: $0).count }
      #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 < $1 }, "\(sizes)")
      for quality in [0, 101, -1, .max] {
        #expect(throws: ImageError(.invalidQuality(quality))) {
          try image.jpegBytes(quality: quality)
        }
      }
    }

    @Test func sidesThatTheFormatLacks() throws {
      let long = try Image(
        width: 65501, height: 1, rgb: [UInt8](repeating: 9, count: 65501 * 3))
      #expect(throws: ImageError(.notEncodable("more than 65500 pixels on a side"))) {
        try long.jpegBytes()
      }
    }

    @Test func writesAFile() throws {
      let folder = FileManager.default.temporaryDirectory
      let path = folder.appendingPathComponent("fovea-\(UUID()).jpg").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      let image = try drawing(20, 10)
      try image.write(to: path, as: .jpeg, jpegQuality: 80)
      #expect(try Image(contentsOf: path) == Image(bytes: image.jpegBytes(quality: 80)))
      let nowhere = folder.appendingPathComponent("fovea-\(UUID())/a.jpg").path
      let error = #expect(throws: ImageError.self) { try image.write(to: nowhere, as: .jpeg) }
      #expect(error?.file == nowhere)
      #expect(throws: ImageError(.invalidQuality(0), file: path)) {
        try image.write(to: path, as: .jpeg, jpegQuality: 0)
      }
    }
  }
#endif
