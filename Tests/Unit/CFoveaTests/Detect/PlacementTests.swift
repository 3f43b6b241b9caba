// Fovea - tests of where an image lies in an input, in C against Swift.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaGeometry
import FoveaTestSupport
import Testing

@Suite struct ImagePlacementTests {
  /// The functions that place an image, by the action that means the same in Swift.
  private static var placements:
    [(
      ImageCropAndScaleAction,
      (UnsafePointer<fov_image>, Int, Int, Int) -> fov_image_sampling
    )]
  {
    [
      (.scaleToFill, { fov_image_sampling_whole($0, $1, $2, $3) }),
      (.scaleToFit, { fov_image_sampling_fit($0, $1, $2, $3) }),
      (.centerCrop, { fov_image_sampling_crop($0, $1, $2, $3) }),
    ]
  }

  /// Lends an image of a size, of which there is no more than a byte.
  private func withImage(_ size: ImageSize, _ body: (inout fov_image) throws -> Void) rethrows {
    try [UInt8](repeating: 0, count: 1).withUnsafeBufferPointer { pixels in
      var image = fov_image(pixels.baseAddress!, width: size.width, height: size.height)
      try body(&image)
    }
  }

  private func range(_ range: fov_pixel_range) -> Range<Int> { range.begin..<range.end }

  @Test func bothLanguagesPlaceAlike() throws {
    var random = SplitMix(seed: 9)
    for round in 0..<900 {
      func size(_ most: Int) -> ImageSize {
        ImageSize(
          width: Int.random(in: 1...most, using: &random),
          height: Int.random(in: 1...most, using: &random))
      }
      let most = [3, 40, 5000][round % 3]
      let (stored, model) = (size(most), size([5, 416][round % 2]))
      for (action, place) in Self.placements {
        let expected = try ImageGeometry(
          storedSize: stored, cropAndScaleAction: action, modelSize: model
        ).sampling(decodedScale: 1)
        var found = fov_image_sampling()
        withImage(stored) { found = place(&$0, model.width, model.height, 3) }
        let map = AffineMap(
          a: found.map.a, b: found.map.b, c: found.map.c, d: found.map.d, tx: found.map.tx,
          ty: found.map.ty)
        #expect(
          map == expected.map && range(found.source_columns) == expected.sourceColumns
            && range(found.source_rows) == expected.sourceRows
            && range(found.content_columns) == expected.contentColumns
            && range(found.content_rows) == expected.contentRows,
          "\(action) of \(stored) in \(model): \(found), expected \(expected)")
      }
    }
  }

  /// What no image has is refused where it is sampled, not before.
  @Test func imagesWithoutPixelsAreRefusedLater() {
    for size in [ImageSize(width: 0, height: 4), ImageSize(width: 4, height: 0)] {
      for (_, place) in Self.placements {
        var output = [UInt8](repeating: 7, count: 12)
        withImage(size) { image in
          var sampling = place(&image, 2, 2, 3)
          #expect(fov_image_sample(&image, &sampling, &output, 12) == .invalid_argument)
        }
        #expect(output == [UInt8](repeating: 7, count: 12))
      }
    }
  }
}

extension fov_image {
  /// An image of bytes without gaps, red first.
  init(_ data: UnsafePointer<UInt8>, width: Int, height: Int) {
    let none = fov_sample_plane(data: nil, data_bytes: 0, row_bytes: 0, step: 0)
    self.init(
      format: .rgb, data: data, data_bytes: 3 * width * height, width: width, height: height,
      row_bytes: 3 * width, chroma_offset: 0, chroma_row_bytes: 0, alpha: .ignored,
      background: (0, 0, 0), yuv: .bt601_video, planes: (none, none, none),
      chroma_shifts: (0, 0), sample_bits: 8)
  }
}
