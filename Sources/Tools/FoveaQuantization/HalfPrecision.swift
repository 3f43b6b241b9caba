// Fovea - numbers of half precision.
// SPDX-License-Identifier: Apache-2.0

/// IEEE 754 binary16 without a hardware type, which not every platform has.
enum HalfPrecision {
  /// The greatest finite half.
  static let greatest: Float = 65504

  /// The nearest half; infinite beyond 65504.
  static func rounded(_ value: Float) -> Float {
    let half = pattern(of: value)
    let exponent = UInt32(half >> 10 & 0x1F)
    let fraction = UInt32(half & 0x3FF)
    let sign = UInt32(half & 0x8000) << 16
    switch exponent {
    case 0: return Float(bitPattern: (Float(fraction) * 0x1p-24).bitPattern | sign)
    case 31: return Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
    default: return Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
    }
  }

  /// The pattern of the nearest half, ties to even; values beyond 65504 become infinite.
  static func pattern(of value: Float) -> UInt16 {
    let sign = UInt16(truncatingIfNeeded: value.bitPattern >> 16) & 0x8000
    let magnitude = value.magnitude
    if value.isNaN { return sign | 0x7E00 }
    if magnitude >= 65520 { return sign | 0x7C00 }
    if magnitude < 0x1p-14 {
      // Multiples of 2^-24; a sum that reaches 1024 is the least normal number, as it should be.
      return sign | UInt16((magnitude * 0x1p24).rounded(.toNearestOrEven))
    }
    let bits = magnitude.bitPattern
    let rounded = bits + 0xFFF + (bits >> 13 & 1)
    return sign | UInt16(truncatingIfNeeded: (rounded >> 13) - (112 << 10))
  }
}
