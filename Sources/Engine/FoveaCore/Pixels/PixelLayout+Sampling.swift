// Fovea - pixels of any layout as bytes of red, green and blue, or of gray.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
package import FoveaGeometry

extension PixelLayout {
  /// Pixels of this layout, sampled as `sampling` says: rows from the top, without padding.
  ///
  /// - Parameters:
  ///   - pixels: The bytes that this layout describes.
  ///   - size: The size of the result.
  ///   - channels: 3 for red, green and blue; 1 for 0.299 R + 0.587 G + 0.114 B.
  /// - Throws: `.bufferTooSmall`, `.invalidArgument`.
  package func sampledBytes(
    of pixels: [UInt8], _ sampling: ImageSampling, size: ImageSize, channels: Int
  ) throws(FoveaError) -> [UInt8] {
    var status = fov_status.ok
    let bytes = pixels.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: size.width * size.height * channels) { target, count in
        count = 0
        guard let data = source.baseAddress, let out = target.baseAddress else {
          status = .buffer_too_small
          return
        }
        var image = image(at: data, count: source.count)
        var part = sampling.core(width: size.width, height: size.height, channels: channels)
        status = fov_image_sample(&image, &part, out, size.width * size.height * channels)
        if status == .ok { count = size.width * size.height * channels }
      }
    }
    try FoveaError.check(status, "pixels of \(width)x\(height)")
    return bytes
  }
}
