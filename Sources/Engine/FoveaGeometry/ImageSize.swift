// Fovea - the size of an image in pixels.
// SPDX-License-Identifier: Apache-2.0

/// The size of an image in whole pixels.
public struct ImageSize: Hashable, Codable, Sendable {
  /// Number of columns.
  public var width: Int
  /// Number of rows.
  public var height: Int

  /// Creates a size of `width` columns and `height` rows.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Whether there are no pixels: one of the sides is zero or negative.
  package var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The size after a quarter turn.
  package var withSidesSwapped: ImageSize { ImageSize(width: height, height: width) }
}

extension ImageSize: CustomStringConvertible {
  /// For example `640 x 480`.
  public var description: String { "\(width) x \(height)" }
}
