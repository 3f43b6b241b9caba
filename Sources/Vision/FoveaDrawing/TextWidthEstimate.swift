// Fovea - how wide a text is, without a font.
// SPDX-License-Identifier: Apache-2.0

/// Advance widths of the characters 0x20...0x7E of DejaVu Sans Bold, whose widths Verdana Bold
/// nearly has, in thousandths of the font's size.
private let advances: [UInt16] = [
  348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365,
  696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580,
  1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995, 837, 850,
  733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500,
  500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687,
  716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
]

extension DrawingInstructions {
  /// An estimate of the width of a text: the sum of the widths of its characters in DejaVu Sans
  /// Bold.
  ///
  /// The estimate is exact for printable ASCII in that font. Other characters count as 0.7 of the
  /// font size, East Asian ones and emoji (from U+1100) as the full size, and combining marks as 0.
  ///
  /// - Parameters:
  ///   - text: One line.
  ///   - fontSize: The size of the font, in the units of the result.
  package static func estimatedTextWidth(_ text: String, fontSize: Double) -> Double {
    let thousandths = text.unicodeScalars.reduce(0) { sum, scalar in
      switch scalar.value {
      case 0x20...0x7E: return sum + Int(advances[Int(scalar.value) - 0x20])
      case ..<0x20: return sum
      default: break
      }
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: return sum
      default: return sum + (scalar.value < 0x1100 ? 700 : 1000)
      }
    }
    return Double(thousandths) / 1000 * fontSize
  }
}
