// Fovea - PNG files of maps: numbers of colors, and samples of 16 bits.
// SPDX-License-Identifier: Apache-2.0
#if PNG
  internal import CPNG
#endif

/// PNG files whose pixels are numbers, and not colors.
package enum PNGMaps {
  /// A file whose pixels are numbers of colors, 8 bits each.
  ///
  /// - Parameters:
  ///   - indices: height x width numbers.
  ///   - palette: 256 colors: red, green and blue of each.
  /// - Throws: `.traitDisabled` in a build without PNG; `.notEncodable`.
  /// - Precondition: There are as many numbers and colors as said.
  package static func indexed(
    width: Int, height: Int, indices: [UInt8], palette: [UInt8]
  ) throws(ImageError) -> [UInt8] {
    precondition(indices.count == width * height && palette.count == 256 * 3, "wrong counts")
    #if PNG
      return try encoded(
        width, height, format: Int(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_COLORMAP), indices,
        palette)
    #else
      throw ImageError(.traitDisabled(.png))
    #endif
  }

  /// A file of gray pixels, 16 bits each.
  ///
  /// - Parameter samples: height x width samples.
  /// - Throws: As the other.
  /// - Precondition: There are as many samples as said.
  package static func gray16(
    width: Int, height: Int, samples: [UInt16]
  ) throws(ImageError) -> [UInt8] {
    precondition(samples.count == width * height, "wrong counts")
    #if PNG
      return try encoded(width, height, format: Int(PNG_FORMAT_FLAG_LINEAR), samples, [])
    #else
      throw ImageError(.traitDisabled(.png))
    #endif
  }

  /// The numbers that the pixels of a file are: of colors in a palette, or gray levels as they are
  /// stored.
  ///
  /// - Throws: `.traitDisabled` in a build without PNG; `.truncated`; `.damaged`; `.notNumbers` for
  ///   a file of colors, and for 16 bits with a gamma or a profile; what `limits` refuse.
  package static func numbers(
    in bytes: [UInt8], limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> (width: Int, height: Int, samples: [UInt16]) {
    #if PNG
      return try PNGNumbers.read(bytes, limits: limits)
    #else
      throw ImageError(.traitDisabled(.png))
    #endif
  }

  #if PNG
    private static func encoded<Sample>(
      _ width: Int, _ height: Int, format: Int, _ samples: [Sample], _ palette: [UInt8]
    ) throws(ImageError) -> [UInt8] {
      guard let columns = png_uint_32(exactly: width), let rows = png_uint_32(exactly: height)
      else { throw ImageError(.notEncodable("too large")) }
      var image = png_image()
      image.version = png_uint_32(PNG_IMAGE_VERSION)
      (image.width, image.height) = (columns, rows)
      image.format = png_uint_32(format)
      image.colormap_entries = png_uint_32(palette.count / 3)
      defer { png_image_free(&image) }
      // A filter byte before each row, what deflate adds at most, and the chunks around it.
      let raw = samples.count * MemoryLayout<Sample>.stride + height
      let capacity = raw + raw / 8 + 8192
      let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
        var size = png_alloc_size_t(capacity)
        let isDone = samples.withUnsafeBytes { samples in
          palette.withUnsafeBytes { palette in
            png_image_write_to_memory(
              &image, target.baseAddress, &size, 0, samples.baseAddress, 0, palette.baseAddress)
              != 0
          }
        }
        count = isDone ? Int(size) : 0
      }
      guard !bytes.isEmpty else { throw ImageError(.notEncodable(libpngMessage(image))) }
      return bytes
    }
  #endif
}
