// Fovea - lowering of stored scales and biases.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension LayerLowering {
  /// x * scale + bias.
  func scale(_ parameters: ScaleLayer) throws(FoveaError) -> GraphValue {
    let input = try planes()
    let scale = try factor(parameters.scale, shape: parameters.scaleShape, for: input)
    let bias = try parameters.bias.map { (bias) throws(FoveaError) in
      try factor(bias, shape: parameters.biasShape, for: input)
    }
    return try applied(scale: scale, bias: bias, to: input)
  }

  /// x + bias.
  func bias(_ parameters: BiasLayer) throws(FoveaError) -> GraphValue {
    let input = try planes()
    let bias = try factor(parameters.bias, shape: parameters.shape, for: input)
    return try applied(scale: nil, bias: bias, to: input)
  }

  /// A stored scale or bias, by how it is repeated over the input.
  private enum Factor {
    case scalar(Float)
    case perChannel([Float])
    case constant(WeightData, shape: [Int])

    /// One value per channel, unless the factor varies inside a plane.
    func channels(_ count: Int) -> [Float]? {
      switch self {
      case .scalar(let value): Array(repeating: value, count: count)
      case .perChannel(let values): values
      case .constant: nil
      }
    }
  }

  /// Core ML's shapes are [1], [C], [C, H, W] and these with ones among them; [C] lies along
  /// channels, not along columns.
  private func factor(
    _ weights: WeightData, shape: [Int], for input: GraphValue
  ) throws(FoveaError) -> Factor {
    let count = try product(shape)
    let channels = input.size(fromEnd: 3)
    if count == 1 { return .scalar(try decoded(weights, count: 1)[0]) }
    let padded = shape.count == 1 ? shape + [1, 1] : shape
    if padded.count == 3, padded[0] == channels, padded[1] == 1, padded[2] == 1 {
      return .perChannel(try decoded(weights, count: count))
    }
    let aligned = zip(padded.reversed(), input.shape.reversed())
    guard padded.count <= input.rank, aligned.allSatisfy({ $0 == 1 || $0 == $1 }) else {
      throw mismatch("a stored shape of \(shape) does not fit the input of shape \(input.shape)")
    }
    return .constant(weights, shape: padded)
  }

  private func applied(
    scale: Factor?, bias: Factor?, to input: GraphValue
  ) throws(FoveaError) -> GraphValue {
    let channels = input.size(fromEnd: 3)
    switch (scale ?? .scalar(1), bias ?? .scalar(0)) {
    case (.scalar(let alpha), .scalar(let beta)):
      return try graph.unary(input, .linear, alpha: alpha, beta: beta)
    case (let scale, let bias):
      if let scales = scale.channels(channels), let biases = bias.channels(channels) {
        return try graph.channelAffine(input, scale: scales, bias: biases)
      }
      let scaled = try combined(input, with: scale, by: .multiply, neutral: 1)
      return try combined(scaled, with: bias, by: .add, neutral: 0)
    }
  }

  private func combined(
    _ input: GraphValue, with factor: Factor, by function: fov_binary_function, neutral: Float
  ) throws(FoveaError) -> GraphValue {
    switch factor {
    case .scalar(let value):
      if value == neutral { return input }
      return function == .multiply
        ? try graph.unary(input, .linear, alpha: value)
        : try graph.unary(input, .linear, alpha: 1, beta: value)
    case .perChannel(let values):
      return function == .multiply
        ? try graph.channelAffine(input, scale: values)
        : try graph.channelAffine(input, bias: values)
    case .constant(let weights, let shape):
      return try graph.binary(function, input, graph.constant(weights, shape: shape))
    }
  }
}
