// Fovea - lowering of activation layers.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension LayerLowering {
  /// A nonlinear function of an activation layer.
  func activation(_ function: ActivationFunction) throws(FoveaError) -> GraphValue {
    let input = try onlyInput()
    return switch function {
    case .linear(let alpha, let beta):
      try graph.unary(input, .linear, alpha: alpha, beta: beta)
    case .relu: try graph.unary(input, .relu)
    case .leakyReLU(let alpha): try graph.unary(input, .leaky_relu, alpha: alpha)
    case .thresholdedReLU(let alpha): try graph.unary(input, .thresholded_relu, alpha: alpha)
    case .prelu(let alpha): try parametricReLU(input, alpha: alpha)
    case .tanh: try graph.unary(input, .tanh)
    case .scaledTanh(let alpha, let beta):
      try graph.unary(input, .scaled_tanh, alpha: alpha, beta: beta)
    case .sigmoid: try graph.unary(input, .sigmoid)
    case .hardSigmoid(let alpha, let beta):
      try graph.unary(input, .hard_sigmoid, alpha: alpha, beta: beta)
    case .elu(let alpha): try graph.unary(input, .elu, alpha: alpha)
    case .softsign: try graph.unary(input, .softsign)
    case .softplus: try graph.unary(input, .softplus)
    case .parametricSoftplus(let alpha, let beta):
      try parametricSoftplus(input, alpha: alpha, beta: beta)
    }
  }

  /// max(x, 0) + alpha[c] * min(x, 0); with one alpha, a leaky rectifier.
  private func parametricReLU(
    _ input: GraphValue, alpha: WeightData
  ) throws(FoveaError) -> GraphValue {
    let slopes = try channelVector(alpha, for: input)
    if slopes.count == 1 { return try graph.unary(input, .leaky_relu, alpha: slopes[0]) }
    let positive = try graph.unary(input, .relu)
    let negative = try graph.unary(input, .clip, alpha: -.infinity, beta: 0)
    let sloped = try graph.channelAffine(negative, scale: slopes)
    return try graph.binary(.add, positive, sloped)
  }

  /// alpha[c] * log(1 + exp(beta[c] * x)).
  private func parametricSoftplus(
    _ input: GraphValue, alpha: WeightData, beta: WeightData
  ) throws(FoveaError) -> GraphValue {
    let factors = try channelVector(beta, for: input)
    let results = try channelVector(alpha, for: input)
    let inner = try scaled(input, by: factors)
    return try scaled(graph.unary(inner, .softplus), by: results)
  }

  /// x * factor, or x * factor[c].
  private func scaled(_ input: GraphValue, by factors: [Float]) throws(FoveaError) -> GraphValue {
    factors.count == 1
      ? try graph.unary(input, .linear, alpha: factors[0])
      : try graph.channelAffine(input, scale: factors)
  }

  /// One value, or one per channel of `input`.
  private func channelVector(
    _ weights: WeightData, for input: GraphValue
  ) throws(FoveaError) -> [Float] {
    if weights.storedValueCount == 1 { return try decoded(weights, count: 1) }
    guard input.rank >= 3 else {
      throw mismatch("its input has shape \(input.shape), without channels")
    }
    return try decoded(weights, count: input.size(fromEnd: 3))
  }

  /// The Gaussian error linear unit in one of its three forms.
  func gelu(_ mode: GELUMode) throws(FoveaError) -> GraphValue {
    let input = try onlyInput()
    return switch mode {
    case .exact: try graph.unary(input, .gelu)
    case .tanhApproximation: try graph.unary(input, .gelu_tanh)
    case .sigmoidApproximation: try graph.unary(input, .gelu_sigmoid)
    }
  }
}
