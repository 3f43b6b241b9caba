// Fovea - element-wise nonlinear functions of activation layers.
// SPDX-License-Identifier: Apache-2.0

/// An element-wise function of an activation layer.
///
/// Parameters of type `WeightData` have one value, or one per channel.
public enum ActivationFunction: Sendable, Equatable {
  /// alpha * x + beta.
  case linear(alpha: Float, beta: Float)
  /// max(0, x).
  case relu
  /// x for x >= 0, alpha * x below.
  case leakyReLU(alpha: Float)
  /// x for x >= alpha, 0 below.
  case thresholdedReLU(alpha: Float)
  /// x for x >= 0, alpha[c] * x below.
  case prelu(alpha: WeightData)
  /// tanh(x).
  case tanh
  /// alpha * tanh(beta * x).
  case scaledTanh(alpha: Float, beta: Float)
  /// 1 / (1 + exp(-x)).
  case sigmoid
  /// min(max(alpha * x + beta, 0), 1).
  case hardSigmoid(alpha: Float, beta: Float)
  /// x for x >= 0, alpha * (exp(x) - 1) below.
  case elu(alpha: Float)
  /// x / (1 + |x|).
  case softsign
  /// log(1 + exp(x)).
  case softplus
  /// alpha[c] * log(1 + exp(beta[c] * x)).
  case parametricSoftplus(alpha: WeightData, beta: WeightData)
}

/// x for x >= 0, alpha * x below; then at most beta.
public struct ClampedReLULayer: Sendable, Hashable {
  /// Slope below 0.
  public var alpha: Float
  /// Upper bound.
  public var beta: Float

  /// Creates the parameters.
  public init(alpha: Float, beta: Float) {
    self.alpha = alpha
    self.beta = beta
  }
}

/// min(max(x, minimum), maximum).
public struct ClipLayer: Sendable, Hashable {
  /// Lower bound.
  public var minimum: Float
  /// Upper bound.
  public var maximum: Float

  /// Creates the parameters.
  public init(minimum: Float, maximum: Float) {
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// How the Gaussian error linear unit is computed.
public enum GELUMode: Sendable, Hashable {
  /// x / 2 * (1 + erf(x / sqrt(2))).
  case exact
  /// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))).
  case tanhApproximation
  /// x * sigmoid(1.702 x).
  case sigmoidApproximation
}
