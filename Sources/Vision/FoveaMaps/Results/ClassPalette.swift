// Fovea - the colors of classes in maps.
// SPDX-License-Identifier: Apache-2.0
package import FoveaDrawing

/// The colors of classes in maps whose files name none.
package enum ClassPalette {
  /// The color of a class: bits of its number become high bits of red, green and blue, as in the maps
  /// of Pascal VOC. Class 0 is black.
  package static func color(_ index: Int) -> DrawingColor {
    var (red, green, blue, rest) = (0, 0, 0, index)
    for bit in (0..<8).reversed() {
      red |= (rest & 1) << bit
      green |= (rest >> 1 & 1) << bit
      blue |= (rest >> 2 & 1) << bit
      rest >>= 3
    }
    return DrawingColor(
      red: UInt8(truncatingIfNeeded: red), green: UInt8(truncatingIfNeeded: green),
      blue: UInt8(truncatingIfNeeded: blue))
  }

  /// The color of pixels without a class.
  package static let unassigned = DrawingColor(red: 224, green: 224, blue: 192)
}
