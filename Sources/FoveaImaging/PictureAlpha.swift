// Fovea - what becomes of transparent pixels.
// SPDX-License-Identifier: Apache-2.0

/// A colour of 8-bit samples in sRGB.
public struct PictureColor: Hashable, Sendable {
  /// Red, 0...255.
  public var red: UInt8
  /// Green, 0...255.
  public var green: UInt8
  /// Blue, 0...255.
  public var blue: UInt8

  /// A colour of three samples.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// No light.
  public static let black = PictureColor(red: 0, green: 0, blue: 0)
  /// All light.
  public static let white = PictureColor(red: 255, green: 255, blue: 255)
}

/// What becomes of the alpha of a PNG or WebP picture.
public enum PictureAlpha: Hashable, Sendable {
  /// Colours stay as they are stored, even below an alpha of 0. Detectors are trained on pictures
  /// whose alpha was thrown away, and a background would have to be invented.
  case dropped
  /// Pixels lie over an opaque colour: (sample * alpha + colour * (255 - alpha)) / 255, rounded to
  /// nearest, on the samples as they are stored (not in linear light), as browsers do. Samples and
  /// alpha of 16 bits are rounded to 8 first.
  case composed(over: PictureColor)

  /// Makes RGB of RGBA in place.
  func apply(to samples: inout [UInt8]) {
    switch self {
    case .dropped: PixelPacking.dropAlpha(&samples)
    case .composed(let color): PixelPacking.compose(&samples, over: color)
    }
  }
}
