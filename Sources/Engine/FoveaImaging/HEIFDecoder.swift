// Fovea - HEIC and AVIF images in, by libheif.
// SPDX-License-Identifier: Apache-2.0

/// Decodes the primary image of HEIC and AVIF files: tiled ones, and ones of more than 8 bits.
///
/// The file's own `irot` and `imir` turn and mirror the pixels, so images are upright. Their EXIF
/// orientation says the same for other programs and is not applied again (ISO/IEC 23008-12,
/// section 6.5.10).
enum HEIFDecoder {
  /// Reads size, alpha and color profile.
  ///
  /// - Throws: As `PictureReader.ask`.
  static func header(of bytes: [UInt8], _ format: ImageFormat) throws(ImageError) -> ImageHeader {
    let answer = try PictureReader.ask(.describeHEIF, bytes, format)
    var header = ImageHeader(format)
    (header.width, header.height) = (answer.width, answer.height)
    header.hasAlpha = answer.channels == 4
    header.hasColorProfile = answer.hasColorProfile
    return header
  }

  static func decode(
    _ bytes: [UInt8], _ header: ImageHeader, limits: ImageLimits, alpha: ImageAlpha
  ) throws(ImageError) -> Image {
    // A flat image takes hardly any bits.
    let mostPixels = bytes.count.saturatingProduct(1 << 14).addingSaturated(1 << 24)
    return try Image(
      isolated: bytes, header, mostPixels: mostPixels, limits: limits, alpha: alpha)
  }
}
