// Fovea - a color over another, in double precision.
// SPDX-License-Identifier: Apache-2.0

enum CompositionFormula {
  /// Three samples with an alpha of 0...255 over an opaque color, to nearest.
  static func mix(_ samples: [UInt8], alpha: UInt8, over below: [UInt8]) -> [UInt8] {
    let share = Double(alpha) / 255
    return zip(samples, below).map { sample, under in
      let level = Double(sample) * share + Double(under) * (1 - share)
      return UInt8(level.rounded())
    }
  }
}
