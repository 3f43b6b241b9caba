// Fovea - parameters of layers that change the size of a plane.
// SPDX-License-Identifier: Apache-2.0

/// A plane enlarged.
public struct UpsampleLayer: Sendable, Hashable {
  /// By how much.
  public var scale: UpsampleScale
  /// How samples are found.
  public var mode: UpsampleMode

  /// Creates the parameters.
  public init(scale: UpsampleScale, mode: UpsampleMode) {
    self.scale = scale
    self.mode = mode
  }
}

/// The factor of an `UpsampleLayer`.
public enum UpsampleScale: Sendable, Hashable {
  /// Whole factors.
  case integer(SpatialSize)
  /// Any factors; size out = size * factor, rounded down.
  case fractional(height: Float, width: Float)
}

/// How an `UpsampleLayer` finds samples.
public enum UpsampleMode: Sendable, Hashable {
  /// The nearest sample.
  case nearestNeighbor
  /// Weighted means of four samples.
  case bilinear(LinearUpsampleMode)
}

/// The grid of bilinear enlargement.
public enum LinearUpsampleMode: Sendable, Hashable {
  /// Spacing (size - size / size out) / (size out - 1), beginning at 0.
  case standard
  /// Corner samples fall on each other.
  case alignCorners
  /// Centers of samples, not corners, fall on each other.
  case halfPixelCenters
}

/// A plane brought to a size.
public struct ResizeBilinearLayer: Sendable, Hashable {
  /// The size.
  public var targetSize: SpatialSize
  /// The grid.
  public var sampling: SamplingMode

  /// Creates the parameters.
  public init(targetSize: SpatialSize, sampling: SamplingMode) {
    self.targetSize = targetSize
    self.sampling = sampling
  }
}

/// The grid of bilinear resizing.
public enum SamplingMode: Sendable, Hashable {
  /// Spacing (size - 1) / (size out - 1); the middle for one sample.
  case strictAlignEndpoints
  /// As strict, but beginning at 0 for one sample.
  case alignEndpoints
  /// Spacing (size - size / size out) / (size out - 1).
  case upsample
  /// Sample i lies at (i + 0.5) * max(1, size - 1) / size out.
  case regionOfInterestAlign
}
