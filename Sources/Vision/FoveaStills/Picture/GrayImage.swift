// Fovea - the gray levels of a picture.
// SPDX-License-Identifier: Apache-2.0

/// The gray levels of a picture: rows from the top, without padding.
package struct GrayImage: Hashable, Sendable {
  /// The number of columns.
  package let width: Int
  /// The number of rows.
  package let height: Int
  /// `width` x `height` levels, 0 for black.
  package let pixels: [UInt8]

  /// Levels whose count is right by construction.
  package init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(width > 0 && height > 0 && pixels.count == width * height)
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  /// The picture with black and white exchanged.
  package var inverted: GrayImage {
    GrayImage(width: width, height: height, pixels: pixels.map { 255 - $0 })
  }
}
