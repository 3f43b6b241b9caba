// Fovea - PNG images out, by libpng.
// SPDX-License-Identifier: Apache-2.0
#if PNG
  internal import CPNG
#endif

extension Image {
  /// The image as a lossless 8-bit RGB PNG file. Pixels are written as stored, without
  /// `storedOrientation`: call `upright()` first where it matters.
  ///
  /// - Throws: `.traitDisabled` in a build without PNG; `.notEncodable` for an image that is too
  ///   large.
  public func pngBytes() throws(ImageError) -> [UInt8] {
    #if PNG
      return try encoded()
    #else
      throw ImageError(.traitDisabled(.png))
    #endif
  }

  #if PNG
    /// The most bytes that the encoder can make of the image: what deflate adds to data that
    /// cannot be compressed, and the chunks around it.
    private func largestEncodedCount() throws(ImageError) -> Int {
      // A filter byte before each row; an eighth more is above every deflate overhead.
      let raw = rgb.count.addingReportingOverflow(height)
      let total = raw.partialValue.addingReportingOverflow(raw.partialValue / 8 + 4096)
      guard !raw.overflow, !total.overflow else { throw ImageError(.notEncodable("too large")) }
      return total.partialValue
    }

    private func encoded() throws(ImageError) -> [UInt8] {
      guard let columns = png_uint_32(exactly: width), let rows = png_uint_32(exactly: height)
      else { throw ImageError(.notEncodable("too large")) }
      var image = png_image()
      image.version = png_uint_32(PNG_IMAGE_VERSION)
      image.width = columns
      image.height = rows
      image.format = png_uint_32(PNG_FORMAT_RGB)
      defer { png_image_free(&image) }
      let capacity = try largestEncodedCount()
      let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
        var size = png_alloc_size_t(capacity)
        let isDone = rgb.withUnsafeBufferPointer {
          png_image_write_to_memory(
            &image, target.baseAddress, &size, 0, $0.baseAddress, 0, nil) != 0
        }
        count = isDone ? Int(size) : 0
      }
      guard !bytes.isEmpty else { throw ImageError(.notEncodable(libpngMessage(image))) }
      return bytes
    }
  #endif
}
