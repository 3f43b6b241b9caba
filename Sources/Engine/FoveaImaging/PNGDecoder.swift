// Fovea - PNG images in, by libpng.
// SPDX-License-Identifier: Apache-2.0
#if PNG
  internal import CPNG
  internal import FoveaLibc

  /// Decodes every color type, depth and interlacing by libpng's simplified interface.
  ///
  /// Files without a gamma chunk are taken as sRGB, 16-bit ones too; with one that differs from
  /// 1 / 2.2, libpng converts to that exponent. The decoder's warnings concern chunks beside the
  /// pixels and are passed over.
  enum PNGDecoder {
    static func decode(
      _ bytes: [UInt8], limits: ImageLimits, alpha: ImageAlpha
    ) throws(ImageError) -> Image {
      let header = try checked(bytes, limits: limits).header
      return try read(bytes) { finish(&$0, header, alpha: alpha) }
    }

    /// What the chunks say, for a file whose size can be.
    static func checked(
      _ bytes: [UInt8], limits: ImageLimits
    ) throws(ImageError) -> PNGStructure {
      let structure = try PNGStructure(bytes)
      // Deflate makes at most 258 bytes of two bits: 1032 of a byte.
      let mostPixels = bytes.count.saturatingProduct(1032 * 8) / structure.bitsPerPixel
      try limits.check(structure.header, mostPixels: mostPixels, fileBytes: bytes.count)
      return structure
    }

    /// Reads the header of an image, and lends it to read its pixels.
    static func read<Pixels>(
      _ bytes: [UInt8], _ finish: (inout png_image) -> Result<Pixels, ImageError>
    ) throws(ImageError) -> Pixels {
      var image = png_image()
      image.version = png_uint_32(PNG_IMAGE_VERSION)
      defer { png_image_free(&image) }
      // The decoder reads from these bytes until it finishes, so both steps are inside.
      var result = Result<Pixels, ImageError>.failure(ImageError(.truncated(.png)))
      bytes.withUnsafeBufferPointer { source in
        guard png_image_begin_read_from_memory(&image, source.baseAddress, source.count) != 0
        else {
          result = .failure(error(of: image))
          return
        }
        result = finish(&image)
      }
      return try result.get()
    }

    /// Reads the pixels of an image whose header has been read.
    private static func finish(
      _ image: inout png_image, _ header: ImageHeader, alpha: ImageAlpha
    ) -> Result<Image, ImageError> {
      guard Int(image.width) == header.width, Int(image.height) == header.height else {
        return .failure(ImageError(.damaged(.png, "the headers disagree")))
      }
      let hasAlpha = image.format & png_uint_32(PNG_FORMAT_FLAG_ALPHA) != 0
      // Alpha must be asked for to be dropped: without it libpng would blend, in linear light.
      image.format = png_uint_32(PNG_FORMAT_RGB)
      if hasAlpha { image.format |= png_uint_32(PNG_FORMAT_FLAG_ALPHA) }
      image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
      let total = header.width * header.height * (hasAlpha ? 4 : 3)
      var isComplete = false
      var samples = [UInt8](unsafeUninitializedCapacity: total) { target, count in
        isComplete = png_image_finish_read(&image, nil, target.baseAddress, 0, nil) != 0
        count = isComplete ? total : 0
      }
      guard isComplete else { return .failure(error(of: image)) }
      guard hasAlpha else { return .success(Image(header, rgb: samples)) }
      let share = PixelPacking.transparentShare(of: samples)
      alpha.apply(to: &samples)
      return .success(Image(header, rgb: samples, transparentShare: share))
    }

    /// The decoder's last error; running out of data has a name of its own.
    static func error(of image: png_image) -> ImageError {
      let words = libpngMessage(image)
      let isTruncated = words.includes("ot enough") || words.includes("Truncated")
      return ImageError(isTruncated ? .truncated(.png) : .damaged(.png, words))
    }
  }

  /// The words of libpng about the last call, of at most 63 characters.
  func libpngMessage(_ image: png_image) -> String {
    withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
#else
  /// Refuses: this build has no PNG decoder.
  enum PNGDecoder {
    static func decode(
      _ bytes: [UInt8], limits: ImageLimits, alpha: ImageAlpha
    ) throws(ImageError) -> Image {
      throw ImageError(.traitDisabled(.png))
    }
  }
#endif
