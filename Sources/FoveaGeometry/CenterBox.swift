// Fovea - a box by its center, as detectors put it out.
// SPDX-License-Identifier: Apache-2.0

/// A box as most detectors put it out: center and size, y counted downwards from the top.
///
/// The unit is the caller's: fractions of the network input, or pixels. Values are `Double`, into
/// which the float32 numbers of a network fit exactly, so that overlaps are those of the stored
/// reference answers and not those of a particular order of float32 roundings.
public struct CenterBox: Hashable, Codable, Sendable {
  /// x of the center.
  public var centerX: Double
  /// y of the center.
  public var centerY: Double
  /// Full width, not half of it.
  public var width: Double
  /// Full height, not half of it.
  public var height: Double

  /// The box of `width` by `height` around (`centerX`, `centerY`).
  public init(centerX: Double, centerY: Double, width: Double, height: Double) {
    self.centerX = centerX
    self.centerY = centerY
    self.width = width
    self.height = height
  }
}
