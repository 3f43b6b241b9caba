// Fovea - parameters of pooling.
// SPDX-License-Identifier: Apache-2.0

/// Maximum, mean or root of squares over windows.
public struct PoolingLayer: Sendable, Hashable {
  /// What is computed over a window.
  public var operation: PoolingOperation
  /// Rows and columns of the window.
  public var kernelSize: SpatialSize
  /// Step between windows.
  public var stride: SpatialSize
  /// Treatment of the border.
  public var padding: PoolingPadding
  /// Whether a mean divides by the samples inside the image only.
  public var excludesPadding: Bool
  /// Whether one window covers the whole plane. Size, stride and padding are then ignored.
  public var isGlobal: Bool

  /// Creates the parameters.
  public init(
    operation: PoolingOperation, kernelSize: SpatialSize, stride: SpatialSize,
    padding: PoolingPadding, excludesPadding: Bool = false, isGlobal: Bool = false
  ) {
    self.operation = operation
    self.kernelSize = kernelSize
    self.stride = stride
    self.padding = padding
    self.excludesPadding = excludesPadding
    self.isGlobal = isGlobal
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
