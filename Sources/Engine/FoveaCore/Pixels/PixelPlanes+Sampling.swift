// Fovea - planes of samples as bytes of red, green and blue, or of gray.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
package import FoveaGeometry

extension PixelPlanes {
  /// Samples the image: rows from the top, without padding. A pixel is the mean of the area that it
  /// covers.
  ///
  /// - Parameters:
  ///   - sampling: What is sampled where.
  ///   - size: The size of the result.
  ///   - channels: 3 for red, green and blue; 1 for 0.299 R + 0.587 G + 0.114 B.
  ///   - pixels: Takes `size.width * size.height * channels` bytes; its memory is used again.
  /// - Throws: `.invalidArgument`.
  package func sample(
    _ sampling: ImageSampling, size: ImageSize, channels: Int, into pixels: inout [UInt8]
  ) throws(FoveaError) {
    let count = size.width * size.height * channels
    if pixels.count != count { pixels = [UInt8](repeating: 0, count: count) }
    var part = sampling.core(width: size.width, height: size.height, channels: channels)
    part.filter = .area
    let status = withUnsafePointer(to: image) { image in
      pixels.withUnsafeMutableBufferPointer { target in
        target.baseAddress.map { fov_image_sample(image, &part, $0, count) } ?? .invalid_argument
      }
    }
    try FoveaError.check(status, "planes of \(image.width)x\(image.height)")
  }
}
