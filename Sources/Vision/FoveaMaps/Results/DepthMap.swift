// Fovea - a depth for every pixel of a picture.
// SPDX-License-Identifier: Apache-2.0

/// A depth for every pixel of the upright picture.
public struct DepthMap: Hashable, Sendable {
  /// What the numbers count.
  public enum Unit: String, Hashable, Sendable, CaseIterable {
    /// Meters; larger is farther.
    case meters
    /// The network's own measure, which only compares pixels of one picture. Of most networks larger is
    /// nearer.
    case relative
  }

  /// The number of columns of the upright picture.
  public let width: Int
  /// The number of rows of the upright picture.
  public let height: Int
  /// The depth of each pixel, row by row from the top. NaN where the network did not see the pixel,
  /// because the region or the crop leaves it out.
  public let values: [Float]
  /// What the numbers count.
  public let unit: Unit
  /// The least and the greatest finite depth; `nil` where there is none.
  public let range: ClosedRange<Float>?

  /// A map of `width` x `height` depths.
  package init(width: Int, height: Int, values: [Float], unit: Unit) {
    (self.width, self.height, self.values, self.unit) = (width, height, values, unit)
    var (least, greatest) = (Float.infinity, -Float.infinity)
    for value in values where value.isFinite {
      (least, greatest) = (min(least, value), max(greatest, value))
    }
    range = least <= greatest ? least...greatest : nil
  }

  /// The depth of a pixel, counted from the upper left; NaN for one that was not seen.
  ///
  /// - Precondition: The pixel lies in the picture.
  public subscript(x x: Int, y y: Int) -> Float {
    precondition((0..<width).contains(x) && (0..<height).contains(y), "no such pixel")
    return values[y * width + x]
  }
}
