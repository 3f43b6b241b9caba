// Fovea - what lies in a quadrilateral of a picture, as an upright picture.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaStills
package import FoveaGeometry
package import FoveaImaging

extension StillPicture {
  /// What lies in a quadrilateral, as an upright image of red, green and blue.
  ///
  /// - Returns: `nil` for corners that are not convex or not finite.
  /// - Complexity: O(pixels of the result or of the quadrilateral, whichever are more).
  package func rectified(_ quad: PixelQuad, width: Int, height: Int) -> Image? {
    rectified(image.rgb, channels: 3, quad, width: width, height: height)
      .map { Image(uprightRGB: $0, width: width, height: height) }
  }

  /// The gray levels of what lies in a quadrilateral, as an upright picture.
  ///
  /// - Returns: `nil` for corners that are not convex or not finite.
  package func rectifiedGray(_ quad: PixelQuad, width: Int, height: Int) -> GrayImage? {
    rectified(gray.pixels, channels: 1, quad, width: width, height: height)
      .map { GrayImage(width: width, height: height, pixels: $0) }
  }

  private func rectified(
    _ bytes: [UInt8], channels: Int, _ quad: PixelQuad, width: Int, height: Int
  ) -> [UInt8]? {
    guard width > 0, height > 0,
      let map = PerspectiveMap(rectangle: Double(width), Double(height), to: quad.corners)
    else { return nil }
    // As many samples on a side of a pixel as there are pixels of the picture.
    let scale = (abs(quad.area) / Double(width * height)).squareRoot()
    let samples = min(8, max(1, Int(scale.rounded())))
    return map.sampled(
      bytes, width: self.width, height: self.height, channels: channels, outWidth: width,
      outHeight: height, samples: samples)
  }
}

extension PerspectiveMap {
  /// Pixels of a result, each looked up in a picture where this map sends it; see `fov_rectify`.
  package func sampled(
    _ bytes: [UInt8], width: Int, height: Int, channels: Int, outWidth: Int, outHeight: Int,
    samples: Int = 1
  ) -> [UInt8]? {
    let m = coefficients
    var map = fov_perspective(m: (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]))
    var status: Int32 = -1
    let result = bytes.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: outWidth * outHeight * channels) { target, count in
        var picture = fov_still_image(
          bytes: source.baseAddress, row_bytes: width * channels, width: Int32(width),
          height: Int32(height), channels: Int32(channels))
        status = fov_rectify(
          &picture, &map, Int32(outWidth), Int32(outHeight), Int32(samples), target.baseAddress)
        count = status == 0 ? outWidth * outHeight * channels : 0
      }
    }
    return status == 0 ? result : nil
  }
}
