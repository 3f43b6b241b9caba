// Fovea - one color for each label.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

extension DrawingColor {
  /// The colors of labels.
  ///
  /// They are vivid colors of medium and high lightness (OKLab: L in 0.62...0.88, chroma in
  /// 0.13...0.245). Each is as far as possible from those before it, with lightness weighted by
  /// 0.6. The first colors are thus the easiest to tell apart, and all stand out from a dark
  /// casing.
  package static let labelPalette: [DrawingColor] = [
    0xFF5A2D, 0x00FF78, 0x1E87FF, 0xF069FF, 0xFFD200, 0x3CE1F0, 0xF01E87, 0x96961E, 0xFF96C3,
    0xA587E1, 0x00B400, 0x2DB487, 0xA5E187, 0xFFA569, 0x965AFF, 0xC35AA5, 0xC3780F, 0x69B4FF,
    0xD25A69, 0x00F0B4,
  ].map { DrawingColor(hexadecimal: $0) }

  /// Creates the color of a label: the same in every image, process and release.
  ///
  /// A class index k gives entry k mod 20 of `labelPalette`: up to 20 classes have different
  /// colors. Without an index, or with a negative one, k is the 64-bit FNV-1a hash of the label in
  /// UTF-8.
  public init(label: String, classIndex: Int? = nil) {
    let count = Self.labelPalette.count
    if let classIndex, classIndex >= 0 {
      self = Self.labelPalette[classIndex % count]
    } else {
      self = Self.labelPalette[Int(StableHash.of(Array(label.utf8)) % UInt64(count))]
    }
  }
}
