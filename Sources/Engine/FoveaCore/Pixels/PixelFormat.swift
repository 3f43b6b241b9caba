// Fovea - how the bytes of an image are to be read.
// SPDX-License-Identifier: Apache-2.0
package import CFovea

/// The format of pixels in memory.
public enum PixelFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// Three bytes: red, green, blue.
  case rgb
  /// Three bytes: blue, green, red.
  case bgr
  /// Four bytes: red, green, blue, alpha.
  case rgba
  /// Four bytes: blue, green, red, alpha.
  case bgra
  /// One byte of luminance.
  case gray
  /// A plane of luma with a byte for each pixel, and a plane of U V pairs, one for 2x2 pixels.
  case nv12
  /// Y U Y V for two neighboring pixels of a row.
  case yuyv

  var core: fov_pixel_format {
    switch self {
    case .rgb: .rgb
    case .bgr: .bgr
    case .rgba: .rgba
    case .bgra: .bgra
    case .gray: .gray
    case .nv12: .nv12
    case .yuyv: .yuyv
    }
  }
}

/// How the alpha of an image is removed. Alpha is straight, not premultiplied.
public enum AlphaHandling: Sendable, Hashable {
  /// Alpha is ignored.
  case ignored
  /// Colors are composed over a background and rounded to 8 bits. Stored values are mixed, not
  /// linear light, as in other software.
  case composed(red: UInt8, green: UInt8, blue: UInt8)
}

/// The meaning of Y, U and V.
///
/// Pixels that share U and V share them without interpolation.
public enum YUVEncoding: String, Sendable, Hashable, Codable, CaseIterable {
  /// BT.601 with luma 16...235 and chroma 16...240. Most computer cameras deliver it.
  case bt601Video = "bt601-video"
  /// BT.601 with the full range 0...255, as in JPEG.
  case bt601Full = "bt601-full"
  /// BT.709 with luma 16...235 and chroma 16...240, as in high-definition video.
  case bt709Video = "bt709-video"
  /// BT.709 with the full range 0...255.
  case bt709Full = "bt709-full"
  /// BT.2020 with luma 16...235 and chroma 16...240, as in ultra-high-definition video.
  case bt2020Video = "bt2020-video"
  /// BT.2020 with the full range 0...255.
  case bt2020Full = "bt2020-full"

  var core: fov_yuv_encoding {
    switch self {
    case .bt601Video: .bt601_video
    case .bt601Full: .bt601_full
    case .bt709Video: .bt709_video
    case .bt709Full: .bt709_full
    case .bt2020Video: .bt2020_video
    case .bt2020Full: .bt2020_full
    }
  }
}

/// The filter that scales an image.
public enum ResamplingFilter: String, Sendable, Hashable, Codable, CaseIterable {
  /// The four nearest pixels, whatever the scale: fast, but noisy if the image is reduced a lot.
  case bilinear
  /// All pixels that a new pixel covers, weighted by a triangle of twice its width. Equal to
  /// `bilinear` if the image is enlarged.
  case area

  package var core: fov_image_filter {
    switch self {
    case .bilinear: .bilinear
    case .area: .area
    }
  }
}
