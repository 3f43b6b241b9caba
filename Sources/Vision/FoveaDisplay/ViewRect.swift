// Fovea - sizes, points and rectangles of a view on a screen.
// SPDX-License-Identifier: Apache-2.0

/// The size of a view in points.
public struct ViewSize: Hashable, Codable, Sendable {
  /// Width in points.
  public var width: Double
  /// Height in points.
  public var height: Double

  /// Creates a size of `width` by `height` points.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

extension ViewSize: CustomStringConvertible {
  /// For example `390.0 x 844.0 points`.
  public var description: String { "\(width) x \(height) points" }
}

/// A point of a view, in points counted from the **upper left**.
public struct ViewPoint: Hashable, Codable, Sendable {
  /// Distance from the left edge in points.
  public var x: Double
  /// Distance from the upper edge in points.
  public var y: Double

  /// Creates the point at (`x`, `y`), counted from the upper left.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A rectangle of a view, in points counted from the **upper left**.
public struct ViewRect: Hashable, Codable, Sendable {
  /// Left edge in points.
  public var x: Double
  /// Upper edge in points.
  public var y: Double
  /// Width in points.
  public var width: Double
  /// Height in points.
  public var height: Double

  /// Creates the rectangle whose upper left corner is (`x`, `y`).
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
