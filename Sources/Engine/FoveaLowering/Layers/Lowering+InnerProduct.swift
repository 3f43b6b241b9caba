// Fovea - lowering of dense layers and matrix products.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

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
    let result = try graph.dense(
      matrix, outputs: parameters.outputChannels, weights: parameters.weights,
      bias: parameters.bias)
    let ones = input.rank >= 4 ? [1, 1] : []
    return try graph.reshape(result, to: kept + [parameters.outputChannels] + ones)
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
    return try graph.matrixProduct(
      first, second, transposesLeft: parameters.transposesFirst,
      transposesRight: parameters.transposesSecond)
  }

  private func storedMatrixProduct(
    _ parameters: BatchedMatrixProductLayer, weights: WeightData
  ) throws(FoveaError) -> GraphValue {
    // The format ignores both of its flags where there is one input; converters write them.
    let input = try onlyInput(minimumRank: 2)
    let (rows, columns) = (parameters.rows, parameters.columns)
    guard input.size(fromEnd: 1) == rows else {
      throw mismatch("its stored matrix has \(rows) rows, the input has shape \(input.shape)")
    }
    let kept = Array(input.shape.dropLast())
    let matrix = try graph.reshape(input, to: [product(kept), rows])
    let result = try graph.dense(matrix, outputs: columns, weights: weights, bias: parameters.bias)
    return try graph.reshape(result, to: kept + [columns])
  }
}
