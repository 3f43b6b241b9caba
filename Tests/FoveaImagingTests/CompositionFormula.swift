// Fovea - a colour over another, in double precision.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging

enum CompositionFormula {
  /// Three samples with an alpha of 0...255 over an opaque colour, to nearest.
  static func mix(_ samples: [UInt8], alpha: UInt8, over below: PictureColor) -> [UInt8] {
    let share = Double(alpha) / 255
    return zip(samples, [below.red, below.green, below.blue]).map { sample, under in
      let level = Double(sample) * share + Double(under) * (1 - share)
      return UInt8(level.rounded())
    }
  }
}
