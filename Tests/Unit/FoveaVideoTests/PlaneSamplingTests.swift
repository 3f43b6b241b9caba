// Fovea - tests that planes are sampled as their red, green and blue would be.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaGeometry
import FoveaRuntime
import FoveaTestSupport
import FoveaVideo
import Testing

@Suite("Sampling of planes", .enabled(if: SharedData.isPresent))
struct PlaneSamplingTests {
  /// One clip of each kind of pixels.
  static let clips = ExpectedClip.sound.filter { clip in
    [
      "base.mp4", "h264-10bit.mp4", "hevc-10bit.mp4", "h264-422.mp4", "h264-gbr.mp4", "gray.mp4",
      "rgb-ffv1.mkv", "nv12.nut", "yuyv422.avi", "odd-321x181-444.mp4", "odd-321x181.webm",
      "odd-321x181.avi", "mjpeg-422.avi", "animated.gif",
    ].contains(clip.name) || clip.name.hasPrefix("colour")
  }

  private func sample(
    _ image: fov_image, width: Int, height: Int, _ filter: fov_image_filter
  ) throws -> [UInt8] {
    var image = image
    var sampling = fov_image_sampling_whole(&image, width, height, 3)
    sampling.filter = filter
    var output = [UInt8](repeating: 0, count: 3 * width * height)
    try #require(fov_image_sample(&image, &sampling, &output, output.count) == .ok)
    return output
  }

  @Test(arguments: clips)
  func equalsSamplingColors(clip: ExpectedClip) throws {
    let reader = try VideoSource.file(clip.path).open()
    let frame = try #require(try reader.next())
    let rgb = ReferenceColors().rgb(of: frame)
    let (width, height) = (frame.size.width, frame.size.height)
    for filter in [fov_image_filter.bilinear, .area] {
      for side in [96, 416] {
        let found = try frame.withPlanes { planes in
          try sample(planes.image, width: side, height: side, filter)
        }
        let expected = try rgb.withUnsafeBufferPointer { bytes in
          let none = fov_sample_plane(data: nil, data_bytes: 0, row_bytes: 0, step: 0)
          let image = fov_image(
            format: .rgb, data: bytes.baseAddress!, data_bytes: bytes.count, width: width,
            height: height, row_bytes: 3 * width, chroma_offset: 0, chroma_row_bytes: 0,
            alpha: .ignored, background: (0, 0, 0), yuv: .bt601_video,
            planes: (none, none, none), chroma_shifts: (0, 0), sample_bits: 8)
          return try sample(image, width: side, height: side, filter)
        }
        let most = zip(found, expected).map { abs(Int($0) - Int($1)) }.max() ?? 255
        #expect(most <= 1, "\(clip.name), \(side), \(filter.rawValue): \(most)")
      }
    }
  }

  /// A field has half the rows, and the pattern of its own rows alone.
  @Test func fieldsOfWovenPictures() throws {
    // Rows of 40 and 200 in turn: each field is of one level.
    let (width, height) = (8, 6)
    let bytes = (0..<width * height).map { $0 / width % 2 == 0 ? UInt8(40) : 200 }
    try bytes.withUnsafeBufferPointer { bytes in
      let none = fov_sample_plane(data: nil, data_bytes: 0, row_bytes: 0, step: 0)
      let luma = fov_sample_plane(
        data: bytes.baseAddress, data_bytes: bytes.count, row_bytes: width, step: 1)
      let image = fov_image(
        format: .planar, data: bytes.baseAddress!, data_bytes: 0, width: width, height: height,
        row_bytes: 0, chroma_offset: 0, chroma_row_bytes: 0, alpha: .ignored,
        background: (0, 0, 0), yuv: .bt601_full, planes: (luma, none, none),
        chroma_shifts: (0, 0), sample_bits: 8)
      for (isTop, level) in [(true, UInt8(40)), (false, 200)] {
        let field = try #require(PixelPlanes(image).field(isTop: isTop))
        #expect(field.image.height == 3)
        let output = try sample(field.image, width: 5, height: 5, .bilinear)
        #expect(output.allSatisfy { $0 == level })
      }
    }
  }

  /// Pictures of 4:2:0 with 486 rows, as cameras of NTSC made them, have 243 rows of chroma: 121 of
  /// the bottom field.
  @Test(arguments: [2, 3, 4, 5, 6, 7, 9, 486])
  func fieldsOfAllHeights(height: Int) throws {
    let (width, chromaRows) = (8, (height + 1) / 2)
    // The fields differ in luma and in chroma.
    func rows(_ count: Int, _ columns: Int, _ top: UInt8, _ bottom: UInt8) -> [UInt8] {
      (0..<count * columns).map { $0 / columns % 2 == 0 ? top : bottom }
    }
    let planes = [
      rows(height, width, 90, 170), rows(chromaRows, 4, 110, 140), rows(chromaRows, 4, 150, 120),
    ]
    // One after another in memory that ends with the last sample.
    let bytes = planes.flatMap(\.self)
    try bytes.withUnsafeBufferPointer { bytes in
      var begin = 0
      func plane(_ index: Int, _ columns: Int) -> fov_sample_plane {
        defer { begin += planes[index].count }
        return fov_sample_plane(
          data: bytes.baseAddress! + begin, data_bytes: planes[index].count, row_bytes: columns,
          step: 1)
      }
      let image = fov_image(
        format: .planar, data: bytes.baseAddress!, data_bytes: 0, width: width, height: height,
        row_bytes: 0, chroma_offset: 0, chroma_row_bytes: 0, alpha: .ignored,
        background: (0, 0, 0), yuv: .bt601_full,
        planes: (plane(0, width), plane(1, 4), plane(2, 4)),
        chroma_shifts: (1, 1), sample_bits: 8)
      for isTop in [true, false] {
        guard let field = PixelPlanes(image).field(isTop: isTop) else {
          // Two rows share their chroma.
          #expect(!isTop && height < 4)
          continue
        }
        #expect(abs(field.size.height - height / 2) <= 1)
        let (y, u, v) = isTop ? (90.0, 110.0, 150.0) : (170.0, 140.0, 120.0)
        let color = [
          y + 1.402 * (v - 128), y - 0.344136 * (u - 128) - 0.714136 * (v - 128),
          y + 1.772 * (u - 128),
        ]
        let output = try sample(field.image, width: 5, height: 5, .bilinear)
        for (index, level) in output.enumerated() {
          #expect(abs(Double(level) - color[index % 3]) <= 0.51)
        }
      }
    }
  }
}
