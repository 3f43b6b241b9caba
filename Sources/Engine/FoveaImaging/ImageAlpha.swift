// Fovea - what becomes of transparent pixels.
// SPDX-License-Identifier: Apache-2.0

/// How the alpha of an image is removed.
public enum ImageAlpha: Hashable, Sendable {
  /// Colors stay as stored, even at an alpha of 0. Detectors are trained on such images.
  case ignored
  /// Pixels are composed over an opaque color: (sample * alpha + color * (255 - alpha)) / 255,
  /// rounded to the nearest. Like browsers, this uses the samples as stored, not linear light.
  /// Samples and alpha of 16 bits are rounded to 8 bits first.
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
