// Fovea - operations element by element, and reductions.
// SPDX-License-Identifier: Apache-2.0
package import CFovea

extension GraphBuilder {
  /// A function of one element; alpha and beta mean what the core's table says.
  package func unary(
    _ input: GraphValue, _ function: fov_unary_function, alpha: Float = 0, beta: Float = 0
  ) throws(FoveaError) -> GraphValue {
    if let source = beforeChannelsMoved(input) {
      return try transpose(
        unary(source, function, alpha: alpha, beta: beta), axes: Self.channelsToEnd)
    }
    var parameters = fov_unary(function: function, alpha: alpha, beta: beta)
    return try add { fov_graph_add_unary($0, &parameters, input.value, $1, $2) }
  }

  /// x * scale[c] + bias[c] over channels; `nil` stands for ones or zeros.
  package func channelAffine(
    _ input: GraphValue, scale: [Float]? = nil, bias: [Float]? = nil
  ) throws(FoveaError) -> GraphValue {
    guard let channels = (scale ?? bias)?.count, bias.map({ $0.count == channels }) ?? true else {
      throw FoveaError(.invalidArgument, "scale and bias differ in their number of channels")
    }
    return try add { graph, value, diagnostic in
      Self.lending(scale) { scale in
        Self.lending(bias) { bias in
          fov_graph_add_channel_affine(
            graph, channels, scale, bias, input.value, value, diagnostic)
        }
      }
    }
  }

  /// A function of two values with broadcast.
  package func binary(
    _ function: fov_binary_function, _ left: GraphValue, _ right: GraphValue
  ) throws(FoveaError) -> GraphValue {
    if let moved = try binaryBeforeChannelsMoved(function, left, right) { return moved }
    return try add { fov_graph_add_binary($0, function, left.value, right.value, $1, $2) }
  }

  /// A reduction over some dimensions, counted from the front.
  package func reduce(
    _ input: GraphValue, _ function: fov_reduce_function, axes: [Int],
    keepsDimensions: Bool = true, epsilon: Float = 0
  ) throws(FoveaError) -> GraphValue {
    var mask: UInt32 = 0
    for axis in axes { mask |= 1 << UInt32(truncatingIfNeeded: axis) }
    var parameters = fov_reduce(
      function: function, axes: mask, keep_dimensions: keepsDimensions, epsilon: epsilon)
    return try add { fov_graph_add_reduce($0, &parameters, input.value, $1, $2) }
  }

  /// Exponentials divided by their sum along a dimension.
  package func softmax(_ input: GraphValue, axis: Int) throws(FoveaError) -> GraphValue {
    try add { fov_graph_add_softmax($0, axis, input.value, $1, $2) }
  }

  private static func lending(
    _ floats: [Float]?, _ body: (UnsafePointer<Float>?) -> fov_status
  ) -> fov_status {
    guard let floats else { return body(nil) }
    return floats.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}
