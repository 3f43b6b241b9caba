// Fovea - statistics and normalization that layers and operations of programs share.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

extension GraphBuilder {
  /// x - mean over some dimensions.
  package func centered(_ input: GraphValue, axes: [Int]) throws(FoveaError) -> GraphValue {
    try binary(.subtract, input, reduce(input, .mean, axes: axes))
  }

  /// The mean of squares over some dimensions.
  package func meanOfSquares(_ input: GraphValue, axes: [Int]) throws(FoveaError) -> GraphValue {
    try reduce(binary(.multiply, input, input), .mean, axes: axes)
  }

  /// (x - mean) / sqrt(variance + epsilon) over any dimensions, step by step.
  package func standardized(
    _ input: GraphValue, axes: [Int], epsilon: Float
  ) throws(FoveaError) -> GraphValue {
    let centered = try centered(input, axes: axes)
    let variance = try meanOfSquares(centered, axes: axes)
    return try binary(.multiply, centered, unary(variance, .rsqrt, alpha: epsilon))
  }

  /// The same over dimensions in ascending order; in one step where they are the last ones.
  package func layerNormalization(
    _ input: GraphValue, axes: [Int], epsilon: Float
  ) throws(FoveaError) -> GraphValue {
    guard axes == Array(input.rank - axes.count..<input.rank) else {
      return try standardized(input, axes: axes, epsilon: epsilon)
    }
    var mask: UInt32 = 0
    for axis in axes { mask |= 1 << UInt32(truncatingIfNeeded: axis) }
    var parameters = fov_layer_normalization(axes: mask, epsilon: epsilon)
    return try add { fov_graph_add_layer_normalization($0, &parameters, input.value, $1, $2) }
  }
}

/// Stored statistics of channels as y = x * scale + bias.
package struct ChannelFactors {
  package private(set) var scales: [Float] = []
  package private(set) var biases: [Float] = []

  /// gamma * (x - mean) / sqrt(variance + epsilon) + beta, all of one number for each channel.
  ///
  /// In double precision, because scale and bias may be folded into a convolution before it.
  package init(mean: [Float], variance: [Float], gamma: [Float], beta: [Float], epsilon: Float) {
    for channel in mean.indices {
      let deviation = (Double(variance[channel]) + Double(epsilon)).squareRoot()
      let scale = Double(gamma[channel]) / deviation
      scales.append(Float(scale))
      biases.append(Float(Double(beta[channel]) - Double(mean[channel]) * scale))
    }
  }
}
