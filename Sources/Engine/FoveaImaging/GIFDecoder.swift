// Fovea - GIF images in, by giflib.
// SPDX-License-Identifier: Apache-2.0

/// Decodes the first image of a GIF file, drawn on its screen. What it leaves of the screen is
/// transparent and black.
enum GIFDecoder {
  /// Reads the size of the screen: a signature (6 bytes), width and height (2 each). (GIF89a,
  /// section 18.)
  ///
  /// - Throws: `.truncated`.
  static func header(of bytes: [UInt8]) throws(ImageError) -> ImageHeader {
    guard bytes.count >= 13 else { throw ImageError(.truncated(.gif)) }
    var header = ImageHeader(.gif)
    header.width = Int(bytes[6]) | Int(bytes[7]) << 8
    header.height = Int(bytes[8]) | Int(bytes[9]) << 8
    header.hasAlpha = true
    return header
  }

  static func decode(
    _ bytes: [UInt8], _ header: ImageHeader, limits: ImageLimits, alpha: ImageAlpha
  ) throws(ImageError) -> Image {
    // A code stands for at most 4096 pixels, and the screen may be larger than the image.
    let mostPixels = bytes.count.saturatingProduct(4096).addingSaturated(1 << 22)
    return try Image(
      isolated: bytes, header, mostPixels: mostPixels, limits: limits, alpha: alpha)
  }
}
