// Fovea - what becomes of transparent pixels.
// SPDX-License-Identifier: Apache-2.0

/// What becomes of the alpha of a PNG or WebP image.
public enum ImageAlpha: Hashable, Sendable {
  /// Colors stay as they are stored, even below an alpha of 0. Detectors are trained on images
  /// whose alpha was thrown away, and a background would have to be invented.
  case ignored
  /// Pixels lie over an opaque color of three samples: (sample * alpha + color * (255 - alpha)) /
  /// 255, rounded to nearest, on the samples as they are stored (not in linear light), as browsers
  /// do. Samples and alpha of 16 bits are rounded to 8 first.
  case composed(red: UInt8, green: UInt8, blue: UInt8)

  /// Makes RGB of RGBA in place.
  func apply(to samples: inout [UInt8]) {
    switch self {
    case .ignored: PixelPacking.dropAlpha(&samples)
    case .composed(let red, let green, let blue):
      PixelPacking.compose(&samples, over: (red, green, blue))
    }
  }
}
