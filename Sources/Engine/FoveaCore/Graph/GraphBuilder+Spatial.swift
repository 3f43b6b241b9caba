// Fovea - operations on planes: pixels, convolution, pooling, resizing.
// SPDX-License-Identifier: Apache-2.0
package import CFovea
package import FoveaModelValues

extension GraphBuilder {
  /// Bytes of an image as planes of floats.
  package func pixels(_ input: GraphValue, _ parameters: fov_pixels) throws(FoveaError)
    -> GraphValue
  {
    var parameters = parameters
    return try add { fov_graph_add_pixels($0, &parameters, input.value, $1, $2) }
  }

  /// A convolution, or a transposed one. Weights stay as the file stores them.
  package func convolution(
    _ input: GraphValue, _ parameters: fov_convolution, weights: WeightData, bias: WeightData?,
    isTransposed: Bool = false
  ) throws(FoveaError) -> GraphValue {
    if let budget {
      let (kernel, groups) = (parameters.kernel, max(parameters.groups, 1))
      guard input.rank >= 3 else { throw FoveaError(.shapeMismatch, "shape \(input.shape)") }
      try budget.spend(
        input.size(fromEnd: 3) / groups * parameters.output_channels * kernel.0 * kernel.1)
    }
    let addition = isTransposed ? fov_graph_add_transposed_convolution : fov_graph_add_convolution
    var parameters = parameters
    return try weights.withCoreWeights { (weights) throws(FoveaError) in
      guard let bias else {
        return try add { addition($0, &parameters, weights, nil, input.value, $1, $2) }
      }
      return try bias.withCoreWeights { (bias) throws(FoveaError) in
        try add { addition($0, &parameters, weights, bias, input.value, $1, $2) }
      }
    }
  }

  /// Maximum, mean or root of squares over windows.
  package func pooling(_ input: GraphValue, _ parameters: fov_pooling) throws(FoveaError)
    -> GraphValue
  {
    var parameters = parameters
    return try add { fov_graph_add_pooling($0, &parameters, input.value, $1, $2) }
  }

  /// The same over whole planes: one window covers each.
  package func globalPooling(
    _ input: GraphValue, _ parameters: fov_pooling
  ) throws(FoveaError) -> GraphValue {
    var parameters = parameters
    parameters.kernel = input.plane
    parameters.stride = (1, 1)
    parameters.output = (1, 1)
    return try pooling(input, parameters)
  }

  /// A plane sampled at evenly spaced places.
  package func resize(_ input: GraphValue, _ parameters: fov_resize) throws(FoveaError)
    -> GraphValue
  {
    var parameters = parameters
    return try add { fov_graph_add_resize($0, &parameters, input.value, $1, $2) }
  }

  /// x / (k + alpha / size * sum of squares over neighboring channels) ^ beta.
  package func localResponseNormalization(
    _ input: GraphValue, size: Int, alpha: Float, beta: Float, k: Float
  ) throws(FoveaError) -> GraphValue {
    var parameters = fov_local_response_normalization(size: size, alpha: alpha, beta: beta, k: k)
    return try add {
      fov_graph_add_local_response_normalization($0, &parameters, input.value, $1, $2)
    }
  }
}
