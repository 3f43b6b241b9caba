// Fovea - lowering of normalization layers.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension LayerLowering {
  /// gamma * (x - mean) / sqrt(variance + epsilon) + beta, with stored or computed statistics.
  func batchNormalization(_ parameters: BatchNormalizationLayer) throws(FoveaError) -> GraphValue {
    let input = try planes()
    let channels = input.size(fromEnd: 3)
    guard channels == parameters.channels else {
      throw mismatch("it has \(parameters.channels) channels, the input has \(channels)")
    }
    let gamma = try decoded(parameters.gamma, count: channels)
    let beta = try decoded(parameters.beta, count: channels)
    guard !parameters.computesMeanAndVariance, let mean = parameters.mean,
      let variance = parameters.variance
    else { return try computedNormalization(input, parameters, gamma: gamma, beta: beta) }
    let means = try decoded(mean, count: channels)
    let variances = try decoded(variance, count: channels)
    let factors = ChannelFactors(
      mean: means, variance: variances, gamma: gamma, beta: beta, epsilon: parameters.epsilon)
    return try graph.channelAffine(input, scale: factors.scales, bias: factors.biases)
  }

  /// Statistics of the input itself: per instance, or over the whole batch.
  private func computedNormalization(
    _ input: GraphValue, _ parameters: BatchNormalizationLayer, gamma: [Float], beta: [Float]
  ) throws(FoveaError) -> GraphValue {
    let last = input.rank
    let axes =
      parameters.instanceNormalization
      ? [last - 2, last - 1] : Array(0..<last).filter { $0 != last - 3 }
    let normalized = try graph.standardized(input, axes: axes, epsilon: parameters.epsilon)
    return try graph.channelAffine(normalized, scale: gamma, bias: beta)
  }

  /// x - mean, or (x - mean) / (standard deviation + epsilon).
  ///
  /// The specification states no formula; this is that of Caffe's MVN, from which the layer comes.
  func meanVarianceNormalization(
    _ parameters: MeanVarianceNormalizationLayer
  ) throws(FoveaError) -> GraphValue {
    let input = try planes()
    let axes = lastDimensions(parameters.acrossChannels ? 3 : 2, of: input)
    let centered = try graph.centered(input, axes: axes)
    guard parameters.normalizesVariance else { return centered }
    let deviation = try graph.unary(graph.meanOfSquares(centered, axes: axes), .sqrt)
    let factor = try graph.unary(deviation, .inverse, alpha: parameters.epsilon)
    return try graph.binary(.multiply, centered, factor)
  }

  /// x / sqrt(sum of squares + epsilon), the sum over channels, rows and columns.
  func l2Normalization(_ parameters: L2NormalizationLayer) throws(FoveaError) -> GraphValue {
    let input = try planes()
    let squares = try graph.reduce(input, .sum_square, axes: lastDimensions(3, of: input))
    let factor = try graph.unary(squares, .rsqrt, alpha: parameters.epsilon)
    return try graph.binary(.multiply, input, factor)
  }

  /// x / (k + alpha / size * sum of squares over neighboring channels) ^ beta.
  func localResponseNormalization(
    _ parameters: LocalResponseNormalizationLayer
  ) throws(FoveaError) -> GraphValue {
    try graph.localResponseNormalization(
      planes(), size: parameters.size, alpha: parameters.alpha, beta: parameters.beta,
      k: parameters.k)
  }

  /// gamma * (x - mean) / sqrt(variance + epsilon) + beta over the last dimensions.
  func layerNormalization(_ parameters: LayerNormalizationLayer) throws(FoveaError) -> GraphValue {
    let input = try onlyInput(minimumRank: max(parameters.shape.count, 1))
    let shape = parameters.shape
    guard !shape.isEmpty, input.shape.suffix(shape.count) == shape[...] else {
      throw mismatch("a normalized shape of \(shape) does not end the input's, \(input.shape)")
    }
    let axes = lastDimensions(shape.count, of: input)
    let normalized = try graph.standardized(input, axes: axes, epsilon: parameters.epsilon)
    let count = try product(shape)
    let gamma = try graph.constant(decoded(parameters.gamma, count: count), shape: shape)
    let beta = try graph.constant(decoded(parameters.beta, count: count), shape: shape)
    return try graph.binary(.add, graph.binary(.multiply, normalized, gamma), beta)
  }

  /// Exponentials divided by their sum, over channels.
  func softmax() throws(FoveaError) -> GraphValue {
    let input = try planes()
    return try graph.softmax(input, axis: input.rank - 3)
  }

  /// Exponentials divided by their sum, over any dimension.
  func softmaxND(axis: Int) throws(FoveaError) -> GraphValue {
    let input = try onlyInput(minimumRank: 1)
    return try graph.softmax(input, axis: dimension(axis, ofRank: input.rank))
  }

  private func lastDimensions(_ count: Int, of value: GraphValue) -> [Int] {
    Array(value.rank - count..<value.rank)
  }
}
