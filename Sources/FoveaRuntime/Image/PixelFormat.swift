// Fovea - how the bytes of an image are to be read.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// How the bytes of a pixel lie in memory.
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
  /// A plane of luma, a byte a pixel, and a plane of U V pairs, one for 2x2 pixels.
  case nv12
  /// Y U Y V for two pixels that lie side by side.
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

/// What becomes of the alpha of an image, which is straight: not multiplied into the colors yet.
public enum AlphaHandling: Sendable, Hashable {
  /// It is not looked at.
  case ignored
  /// Colors are composed over a background of red, green and blue and rounded to 8 bits. They are
  /// mixed as they are stored, as in other software, and not as light.
  case composed(red: UInt8, green: UInt8, blue: UInt8)
}

/// What Y, U and V of an image mean.
///
/// A group of pixels that share U and V share them without interpolation.
public enum YUVEncoding: String, Sendable, Hashable, Codable, CaseIterable {
  /// BT.601, luma 16...235 and chroma 16...240: what most cameras of computers deliver.
  case bt601Video = "bt601-video"
  /// BT.601, all of 0...255: JPEG, and cameras that deliver it.
  case bt601Full = "bt601-full"
  /// BT.709, luma 16...235 and chroma 16...240: high-definition video.
  case bt709Video = "bt709-video"
  /// BT.709, all of 0...255.
  case bt709Full = "bt709-full"

  var core: fov_yuv_encoding {
    switch self {
    case .bt601Video: .bt601_video
    case .bt601Full: .bt601_full
    case .bt709Video: .bt709_video
    case .bt709Full: .bt709_full
    }
  }
}

/// How pixels of an image become pixels of another size.
public enum ResamplingFilter: String, Sendable, Hashable, Codable, CaseIterable {
  /// The nearest four pixels, however many a new pixel covers: quick, and noisy where images
  /// shrink a lot.
  case bilinear
  /// All pixels that a new pixel covers, by a triangle twice as wide; like `bilinear` where
  /// images grow.
  case area

  var core: fov_image_filter {
    switch self {
    case .bilinear: .bilinear
    case .area: .area
    }
  }
}
