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
  /// Windows bitmap.
  case bmp = "BMP"
  /// GIF, whose first image is read by giflib (trait `GIF`).
  case gif = "GIF"
  /// TIFF, whose first image is read by libtiff (trait `TIFF`). Raw formats built on it are refused.
  case tiff = "TIFF"
  /// HEIC and other HEIF images, read by libheif (trait `HEIF`).
  case heic = "HEIC"
  /// AVIF, read by libheif (trait `HEIF`).
  case avif = "AVIF"

  /// The package trait that decodes it; `nil` where no library is needed.
  package var trait: String? {
    switch self {
    case .bmp: nil
    case .heic, .avif: "HEIF"
    case .jpeg, .png, .webP, .gif, .tiff: rawValue
    }
  }

  /// The package of Debian that holds the library that is opened to decode it; `nil` for others.
  package var debianPackage: String? {
    switch self {
    case .heic, .avif: "libheif1"
    case .tiff: "libtiff6"
    case .gif: "libgif7"
    case .jpeg, .png, .webP, .bmp: nil
    }
  }

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
