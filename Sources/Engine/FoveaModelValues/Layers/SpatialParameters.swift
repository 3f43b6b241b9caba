// Fovea - sizes, borders and padding of spatial layers.
// SPDX-License-Identifier: Apache-2.0

/// A height and a width, in that order.
public struct SpatialSize: Sendable, Hashable {
  /// Rows.
  public var height: Int
  /// Columns.
  public var width: Int

  /// Creates the parameters.
  public init(height: Int, width: Int) {
    self.height = height
    self.width = width
  }
}

/// Amounts on the four sides of a plane, in rows and columns.
public struct BorderAmounts: Sendable, Hashable {
  /// Rows above.
  public var top: Int
  /// Rows below.
  public var bottom: Int
  /// Columns to the left.
  public var left: Int
  /// Columns to the right.
  public var right: Int

  /// Creates the parameters.
  public init(top: Int = 0, bottom: Int = 0, left: Int = 0, right: Int = 0) {
    self.top = top
    self.bottom = bottom
    self.left = left
    self.right = right
  }
}

/// Which side gets the odd row or column of `same` padding.
public enum SamePaddingHeaviness: Sendable, Hashable {
  /// top = total / 2, rounded down.
  case bottomRight
  /// bottom = total / 2, rounded down.
  case topLeft
}

/// How a convolution treats the border; padding samples are 0.
public enum ConvolutionPadding: Sendable, Hashable {
  /// Size out = (size + before + after - effective kernel) / stride, rounded down, + 1.
  case valid(BorderAmounts)
  /// Size out = size / stride, rounded up.
  case same(SamePaddingHeaviness)
}

/// How pooling treats the border; maximum pooling never lets padding win.
public enum PoolingPadding: Sendable, Hashable {
  /// As for a convolution.
  case valid(BorderAmounts)
  /// As for a convolution.
  case same(SamePaddingHeaviness)
  /// Size out = (size + 2p - kernel) / stride, rounded up, + 1, less one if
  /// (size out - 1) * stride >= size + p and p > 0.
  case includeLastPixel(height: Int, width: Int)
}
