// Fovea - a color, and how well it is read on another.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// A color in sRGB.
public struct DrawingColor: Hashable, Sendable {
  /// Red, 0...255.
  public var red: UInt8
  /// Green, 0...255.
  public var green: UInt8
  /// Blue, 0...255.
  public var blue: UInt8
  /// The opacity: 0 (transparent) to 1 (opaque).
  public var opacity: Double

  /// Creates a color from its components.
  public init(red: UInt8, green: UInt8, blue: UInt8, opacity: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.opacity = opacity
  }

  /// The color 0xRRGGBB.
  package init(hexadecimal value: UInt32, opacity: Double = 1) {
    self.init(
      red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
      blue: UInt8(truncatingIfNeeded: value), opacity: opacity)
  }

  /// Black.
  public static let black = DrawingColor(red: 0, green: 0, blue: 0)
  /// White.
  public static let white = DrawingColor(red: 255, green: 255, blue: 255)

  /// The relative luminance of WCAG 2.1, from 0 (black) to 1 (white), without regard to opacity.
  package var relativeLuminance: Double {
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The contrast ratio of WCAG, from 1 (none) to 21 (black and white): (L1 + 0.05) / (L2 + 0.05),
  /// where L1 is the luminance of the lighter color.
  package func contrastRatio(with other: DrawingColor) -> Double {
    let (one, two) = (relativeLuminance, other.relativeLuminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// Black or white, whichever is easier to read on this color. The contrast is at least 4.58, the
  /// square root of 21; WCAG asks for 4.5.
  package var readableTextColor: DrawingColor {
    contrastRatio(with: .black) >= contrastRatio(with: .white) ? .black : .white
  }

  /// `#RRGGBB`, without the opacity.
  package var hexadecimal: String {
    "#"
      + [red, green, blue].map { part in
        let digits = String(part, radix: 16, uppercase: true)
        return part < 16 ? "0" + digits : digits
      }.joined()
  }
}

/// A part of a color as light, 0...1: sRGB's curve, with WCAG's constants.
private func linear(_ part: UInt8) -> Double {
  let value = Double(part) / 255
  return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
}
