// Fovea - telling image formats apart by their first bytes.
// SPDX-License-Identifier: Apache-2.0

/// A format of image files, recognized by content and never by name.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
  /// JPEG, read and written by libjpeg-turbo (trait `JPEG`).
  case jpeg = "JPEG"
  /// PNG, read and written by libpng (trait `PNG`).
  case png = "PNG"
  /// WebP without animation, read by libwebp (trait `WebP`).
  case webP = "WebP"
  /// Windows bitmap; recognized, not read.
  case bmp = "BMP"
  /// GIF; recognized, not read.
  case gif = "GIF"
  /// TIFF, and raw formats built on it; recognized, not read.
  case tiff = "TIFF"
  /// HEIC and other HEIF images; recognized, not read.
  case heic = "HEIC"
  /// AVIF; recognized, not read.
  case avif = "AVIF"

  /// Creates the format whose files begin like `bytes`; `nil` for none.
  package init?(startOf bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xD8]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webP
    } else if bytes.starts(with: "GIF8".utf8) {
      self = .gif
    } else if bytes.starts(with: [0x49, 0x49, 42, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 42]) {
      self = .tiff
    } else if bytes.starts(with: "BM".utf8) && bytes.dropFirst(6).starts(with: [0, 0, 0, 0]) {
      self = .bmp
    } else if bytes.dropFirst(4).starts(with: "ftyp".utf8),
      let format = ImageFormat(brand: bytes.dropFirst(8).prefix(4))
    {
      self = format
    } else {
      return nil
    }
  }

  /// The format of an ISO media file by its major brand.
  private init?(brand: ArraySlice<UInt8>) {
    switch String(decoding: brand, as: UTF8.self) {
    case "avif", "avis": self = .avif
    case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1": self = .heic
    default: return nil
    }
  }
}
