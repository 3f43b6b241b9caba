// Fovea - parameters of normalization layers.
// SPDX-License-Identifier: Apache-2.0

/// y = gamma * (x - mean) / sqrt(variance + epsilon) + beta, per channel.
public struct BatchNormalizationLayer: Sendable, Equatable {
  /// Channels.
  public var channels: Int
  /// Whether mean and variance come from the input instead of the file.
  public var computesMeanAndVariance: Bool
  /// Whether the input's own statistics are used, per instance and channel.
  public var instanceNormalization: Bool
  /// Added to the variance; 1e-5 where the file has 0.
  public var epsilon: Float
  /// Scale per channel.
  public var gamma: WeightData
  /// Offset per channel.
  public var beta: WeightData
  /// Mean per channel; `nil` when computed.
  public var mean: WeightData?
  /// Variance per channel; `nil` when computed.
  public var variance: WeightData?

  /// Creates the parameters.
  public init(
    channels: Int, computesMeanAndVariance: Bool = false, instanceNormalization: Bool = false,
    epsilon: Float = 1e-5, gamma: WeightData, beta: WeightData, mean: WeightData? = nil,
    variance: WeightData? = nil
  ) {
    self.channels = channels
    self.computesMeanAndVariance = computesMeanAndVariance
    self.instanceNormalization = instanceNormalization
    self.epsilon = epsilon
    self.gamma = gamma
    self.beta = beta
    self.mean = mean
    self.variance = variance
  }
}

/// (x - mean) / (standard deviation + epsilon) with the input's own statistics.
public struct MeanVarianceNormalizationLayer: Sendable, Hashable {
  /// Whether all channels share statistics.
  public var acrossChannels: Bool
  /// Whether to divide at all.
  public var normalizesVariance: Bool
  /// Added to the standard deviation; 1e-5 where the file has 0.
  public var epsilon: Float

  /// Creates the parameters.
  public init(
    acrossChannels: Bool = false, normalizesVariance: Bool = false, epsilon: Float = 1e-5
  ) {
    self.acrossChannels = acrossChannels
    self.normalizesVariance = normalizesVariance
    self.epsilon = epsilon
  }
}

/// x / sqrt(sum of squares + epsilon).
public struct L2NormalizationLayer: Sendable, Hashable {
  /// Added to the sum; 1e-6 where the file has 0.
  public var epsilon: Float

  /// Creates the parameters.
  public init(epsilon: Float = 1e-6) {
    self.epsilon = epsilon
  }
}

/// x / (k + alpha / size * sum of squares over neighboring channels) ^ beta.
public struct LocalResponseNormalizationLayer: Sendable, Hashable {
  /// Weight of the sum.
  public var alpha: Float
  /// Exponent.
  public var beta: Float
  /// Channels in the window.
  public var size: Int
  /// Offset; 1 where the file has 0.
  public var k: Float

  /// Creates the parameters.
  public init(alpha: Float, beta: Float, size: Int, k: Float = 1) {
    self.alpha = alpha
    self.beta = beta
    self.size = size
    self.k = k
  }
}

/// Normalization over the last dimensions, then gamma * x + beta.
public struct LayerNormalizationLayer: Sendable, Equatable {
  /// The last dimensions, normalized together.
  public var shape: [Int]
  /// Added to the variance.
  public var epsilon: Float
  /// Scale per element of `shape`.
  public var gamma: WeightData
  /// Offset per element of `shape`.
  public var beta: WeightData

  /// Creates the parameters.
  public init(shape: [Int], epsilon: Float, gamma: WeightData, beta: WeightData) {
    self.shape = shape
    self.epsilon = epsilon
    self.gamma = gamma
    self.beta = beta
  }
}
