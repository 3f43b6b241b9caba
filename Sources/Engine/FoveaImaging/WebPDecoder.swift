// Fovea - WebP images in, by libwebp.
// SPDX-License-Identifier: Apache-2.0
#if WebP
  internal import CWebP

  /// Decodes images without animation: lossy ones with smooth chroma upsampling, and lossless ones.
  enum WebPDecoder {
    static func decode(
      _ bytes: [UInt8], limits: ImageLimits, alpha: ImageAlpha
    ) throws(ImageError) -> Image {
      let structure = try WebPStructure(bytes)
      guard !structure.isAnimated else { throw ImageError(.animation(.webP)) }
      let coded = bytes.count.saturatingProduct(1024)
      let granted = structure.coding == .lossless ? 1 << 24 : 0
      try limits.check(
        structure.header, mostPixels: coded.addingSaturated(granted), fileBytes: bytes.count)
      guard structure.header.hasAlpha else {
        return Image(
          structure.header, rgb: try samples(of: bytes, structure.header, MODE_RGB, perPixel: 3))
      }
      var samples = try samples(of: bytes, structure.header, MODE_RGBA, perPixel: 4)
      let share = PixelPacking.transparentShare(of: samples)
      alpha.apply(to: &samples)
      return Image(structure.header, rgb: samples, transparentShare: share)
    }

    /// The samples, `perPixel` a pixel, row by row.
    private static func samples(
      of bytes: [UInt8], _ header: ImageHeader, _ order: WEBP_CSP_MODE, perPixel: Int
    ) throws(ImageError) -> [UInt8] {
      var configuration = WebPDecoderConfig()
      guard WebPInitDecoderConfig(&configuration) != 0,
        WebPGetFeatures(bytes, bytes.count, &configuration.input) == VP8_STATUS_OK,
        Int(configuration.input.width) == header.width,
        Int(configuration.input.height) == header.height
      else { throw ImageError(.damaged(.webP, "the headers disagree")) }
      // Sides have 14 bits.
      let rowBytes = header.width * perPixel
      let total = rowBytes * header.height
      configuration.output.colorspace = order
      configuration.output.is_external_memory = 1
      var status = VP8_STATUS_OK
      let samples = [UInt8](unsafeUninitializedCapacity: total) { target, count in
        configuration.output.u.RGBA = WebPRGBABuffer(
          rgba: target.baseAddress, stride: Int32(rowBytes), size: total)
        status = WebPDecode(bytes, bytes.count, &configuration)
        count = status == VP8_STATUS_OK ? total : 0
      }
      WebPFreeDecBuffer(&configuration.output)
      guard status == VP8_STATUS_OK else { throw error(status) }
      return samples
    }

    private static func error(_ status: VP8StatusCode) -> ImageError {
      switch status {
      case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED:
        return ImageError(.truncated(.webP))
      case VP8_STATUS_OUT_OF_MEMORY:
        return ImageError(.damaged(.webP, "the decoder has no memory for them"))
      case VP8_STATUS_UNSUPPORTED_FEATURE:
        return ImageError(.damaged(.webP, "a feature that the decoder does not know"))
      default: return ImageError(.damaged(.webP, "the coded pixels are wrong"))
      }
    }
  }
#else
  /// Refuses: this build has no WebP decoder.
  enum WebPDecoder {
    static func decode(
      _ bytes: [UInt8], limits: ImageLimits, alpha: ImageAlpha
    ) throws(ImageError) -> Image {
      throw ImageError(.traitDisabled(.webP))
    }
  }
#endif
