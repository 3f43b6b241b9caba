// Fovea - lowering of dense layers and matrix products.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaModelFormat

extension LayerLowering {
  /// A dense layer, as a 1x1 convolution so that its weights stay coded.
  ///
  /// Shapes by the Core ML specification: ranks 1 to 3 multiply the last dimension; ranks 4 and
  /// 5 multiply the last three together and write [..., outputChannels, 1, 1].
  func innerProduct(_ parameters: InnerProductLayer) throws(FoveaError) -> GraphValue {
    let input = try onlyInput(minimumRank: 1)
    let consumed = input.rank >= 4 ? 3 : 1
    let kept = Array(input.shape.dropLast(consumed))
    let read = try product(input.shape.suffix(consumed))
    guard read == parameters.inputChannels else {
      throw mismatch(
        "inputChannels is \(parameters.inputChannels), the input of shape \(input.shape) has"
          + " \(read)")
    }
    let rows = try product(kept)
    let matrix = try graph.reshape(input, to: [rows, read])
    let result = try dense(
      matrix, outputs: parameters.outputChannels, weights: parameters.weights,
      bias: parameters.bias)
    let ones = input.rank >= 4 ? [1, 1] : []
    return try graph.reshape(result, to: kept + [parameters.outputChannels] + ones)
  }

  /// [rows, inputs] times weights [outputs, inputs], transposed: [rows, outputs].
  ///
  /// The rows lie along the plane of the convolution, so that coded weights are read once and
  /// not once per row.
  private func dense(
    _ matrix: GraphValue, outputs: Int, weights: WeightData, bias: WeightData?
  ) throws(FoveaError) -> GraphValue {
    let (rows, columns) = matrix.plane
    let parameters = fov_convolution(
      output_channels: outputs, groups: 1, kernel: (1, 1), stride: (1, 1), dilation: (1, 1),
      before: (0, 0), after: (0, 0), output_extension: (0, 0))
    let turned = rows == 1 ? matrix : try graph.transpose(matrix, axes: [1, 0])
    let planes = try graph.reshape(turned, to: [1, columns, 1, rows])
    let product = try graph.convolution(planes, parameters, weights: weights, bias: bias)
    if rows == 1 { return try graph.reshape(product, to: [1, outputs]) }
    let result = try graph.reshape(product, to: [outputs, rows])
    return try graph.transpose(result, axes: [1, 0])
  }

  /// Products of the matrices in the last two dimensions: of one input with stored weights, or
  /// of two inputs whose other dimensions are broadcast.
  func batchedMatrixProduct(
    _ parameters: BatchedMatrixProductLayer
  ) throws(FoveaError) -> GraphValue {
    if inputs.count == 1, let weights = parameters.weights {
      return try storedMatrixProduct(parameters, weights: weights)
    }
    let (first, second) = try bothInputs()
    guard first.rank >= 2, second.rank >= 2 else {
      throw mismatch("its inputs have shapes \(first.shape) and \(second.shape), not matrices")
    }
    let left = parameters.transposesFirst ? try swappingLastTwo(first) : first
    let right = parameters.transposesSecond ? try swappingLastTwo(second) : second
    guard left.size(fromEnd: 1) == right.size(fromEnd: 2) else {
      throw mismatch("matrices of shapes \(left.shape) and \(right.shape) cannot be multiplied")
    }
    // x[..., m, k, 1] * y[..., 1, k, n], summed over k.
    let columns = try graph.reshape(left, to: left.shape + [1])
    let rows = try graph.reshape(
      right, to: right.shape.dropLast(2) + [1] + right.shape.suffix(2))
    let products = try graph.binary(.multiply, columns, rows)
    return try graph.reduce(products, .sum, axes: [products.rank - 2], keepsDimensions: false)
  }

  private func storedMatrixProduct(
    _ parameters: BatchedMatrixProductLayer, weights: WeightData
  ) throws(FoveaError) -> GraphValue {
    let given = try onlyInput(minimumRank: 2)
    let input = parameters.transposesFirst ? try swappingLastTwo(given) : given
    let (rows, columns) = (parameters.rows, parameters.columns)
    guard input.size(fromEnd: 1) == rows else {
      throw mismatch("its stored matrix has \(rows) rows, the input has shape \(input.shape)")
    }
    let kept = Array(input.shape.dropLast())
    let matrix = try graph.reshape(input, to: [product(kept), rows])
    let result = try dense(matrix, outputs: columns, weights: weights, bias: parameters.bias)
    return try graph.reshape(result, to: kept + [columns])
  }

  private func swappingLastTwo(_ value: GraphValue) throws(FoveaError) -> GraphValue {
    var axes = Array(0..<value.rank)
    axes.swapAt(value.rank - 1, value.rank - 2)
    return try graph.transpose(value, axes: axes)
  }
}
