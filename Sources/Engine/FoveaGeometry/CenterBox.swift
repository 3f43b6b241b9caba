// Fovea - a box by its center, as detectors put it out.
// SPDX-License-Identifier: Apache-2.0

/// A box in the form of most detectors: center and size, with y counted downwards from the top.
///
/// The caller chooses the unit: fractions of the network's input, or pixels. Values are `Double`,
/// which represents the float32 numbers of a network exactly. Overlaps therefore do not depend on
/// the order of float32 roundings.
package struct CenterBox: Hashable, Codable, Sendable {
  /// x of the center.
  package var centerX: Double
  /// y of the center.
  package var centerY: Double
  /// The full width.
  package var width: Double
  /// The full height.
  package var height: Double

  /// Creates the box of `width` by `height` around (`centerX`, `centerY`).
  package init(centerX: Double, centerY: Double, width: Double, height: Double) {
    self.centerX = centerX
    self.centerY = centerY
    self.width = width
    self.height = height
  }
}
