// Fovea - normalizations of programs.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension OperationLowering {
  /// Operations that divide by a deviation or a norm.
  static let normalizationRules: [String: OperationRule] = [
    "batch_norm": { op throws(FoveaError) in try op.batchNormalization() },
    "instance_norm": { op throws(FoveaError) in try op.instanceNormalization() },
    "layer_norm": { op throws(FoveaError) in try op.layerNormalization() },
    "l2_norm": { op throws(FoveaError) in try op.l2Normalization() },
    "local_response_norm": { op throws(FoveaError) in
      op.result(
        try op.graph.localResponseNormalization(
          op.tensor("x"), size: op.positive("size", default: 1),
          alpha: op.float("alpha", default: 1e-4), beta: op.float("beta", default: 0.75),
          k: op.float("k", default: 1)))
    },
  ]

  /// gamma * (x - mean) / sqrt(variance + epsilon) + beta with stored statistics.
  private func batchNormalization() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    guard x.rank >= 2 else { throw mismatch("its input has shape \(x.shape)") }
    let channels = x.shape[1]
    let mean = try channelNumbers("mean", channels)
    let variance = try channelNumbers("variance", channels)
    let gamma = try channelNumbers("gamma", channels, default: 1)
    let beta = try channelNumbers("beta", channels, default: 0)
    let factors = ChannelFactors(
      mean: mean, variance: variance, gamma: gamma, beta: beta,
      epsilon: try float("epsilon", default: 1e-5))
    return result(try affine(x, factors.scales, factors.biases))
  }

  /// The statistics of each channel of each image.
  private func instanceNormalization() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    guard x.rank >= 3 else { throw mismatch("its input has shape \(x.shape)") }
    let normalized = try graph.layerNormalization(
      x, axes: Array(2..<x.rank), epsilon: float("epsilon", default: 1e-5))
    let gamma = try channelNumbers("gamma", x.shape[1], default: 1)
    let beta = try channelNumbers("beta", x.shape[1], default: 0)
    return result(try affine(normalized, gamma, beta))
  }

  /// The statistics over some dimensions, then gamma and beta of their shape.
  private func layerNormalization() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let axes = try axes("axes", ofRank: x.rank).sorted()
    var value = try graph.layerNormalization(
      x, axes: axes, epsilon: float("epsilon", default: 1e-5))
    for (name, function) in [("gamma", fov_binary_function.multiply), ("beta", .add)] {
      guard has(name) else { continue }
      let numbers = try constant(name)
      guard numbers.shape == axes.map({ x.shape[$0] }) else {
        throw mismatch("\"\(name)\" has shape \(numbers.shape) for axes \(axes) of \(x.shape)")
      }
      let shape = (0..<x.rank).map { axes.contains($0) ? x.shape[$0] : 1 }
      value = try graph.binary(
        function, value, graph.constant(numbers.floats(), shape: shape))
    }
    return result(value)
  }

  /// x / sqrt(sum of squares + epsilon), the sum over the last three dimensions.
  private func l2Normalization() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let squares = try graph.reduce(
      x, .sum_square, axes: Array(max(x.rank - 3, 0)..<x.rank))
    let factor = try graph.unary(
      squares, .rsqrt, alpha: float("epsilon", default: 1e-6))
    return result(try graph.binary(.multiply, x, factor))
  }

  /// x * scale[c] + bias[c], where channels are the second dimension.
  private func affine(
    _ x: GraphValue, _ scales: [Float], _ biases: [Float]
  ) throws(FoveaError) -> GraphValue {
    if x.rank == 4 { return try graph.channelAffine(x, scale: scales, bias: biases) }
    let shape = [scales.count] + Array(repeating: 1, count: x.rank - 2)
    let scaled = try graph.binary(.multiply, x, graph.constant(scales, shape: shape))
    return try graph.binary(.add, scaled, graph.constant(biases, shape: shape))
  }

  private func channelNumbers(
    _ name: String, _ count: Int, default value: Float? = nil
  ) throws(FoveaError) -> [Float] {
    if !has(name), let value { return Array(repeating: value, count: count) }
    let numbers = try constant(name)
    guard numbers.count == count else {
      throw mismatch("\"\(name)\" has \(numbers.count) numbers for \(count) channels")
    }
    return try numbers.floats()
  }
}
