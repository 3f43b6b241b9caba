// Fovea - the part of a network's input that shows no image.
// SPDX-License-Identifier: Apache-2.0

/// The part of a network's input that shows no image, in pixels of the input.
///
/// Values are fractional: 383 columns in an input of 416 leave 16.5 at each end.
package struct ImagePadding: Hashable, Codable, Sendable {
  /// Pixels above the image.
  package var top: Double
  /// Pixels left of the image.
  package var left: Double
  /// Pixels below the image.
  package var bottom: Double
  /// Pixels right of the image.
  package var right: Double

  /// No padding.
  package static let none = ImagePadding(top: 0, left: 0, bottom: 0, right: 0)

  /// Creates padding of so many pixels at each edge.
  package init(top: Double, left: Double, bottom: Double, right: Double) {
    (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
  }
}
