// Fovea - parameters of pooling.
// SPDX-License-Identifier: Apache-2.0

/// Maximum, mean or root of squares over windows.
public struct PoolingLayer: Sendable, Hashable {
  /// What is computed over a window.
  public var operation: PoolingOperation
  /// The windows; `nil` for global pooling, where one window covers the whole plane.
  public var windows: PoolingWindows?
  /// Whether a mean divides by the samples inside the image only.
  public var excludesPadding: Bool

  /// Creates the parameters.
  public init(
    operation: PoolingOperation, windows: PoolingWindows?, excludesPadding: Bool = false
  ) {
    self.operation = operation
    self.windows = windows
    self.excludesPadding = excludesPadding
  }
}

/// Where the windows of pooling lie.
public struct PoolingWindows: Sendable, Hashable {
  /// Rows and columns of a window.
  public var size: SpatialSize
  /// Step between windows.
  public var stride: SpatialSize
  /// Treatment of the border.
  public var padding: PoolingPadding

  /// Creates the parameters.
  public init(size: SpatialSize, stride: SpatialSize, padding: PoolingPadding) {
    self.size = size
    self.stride = stride
    self.padding = padding
  }
}

/// What pooling computes over a window.
public enum PoolingOperation: Sendable, Hashable {
  /// The greatest sample.
  case maximum
  /// The mean.
  case average
  /// The root of the sum of squares.
  case l2
}
