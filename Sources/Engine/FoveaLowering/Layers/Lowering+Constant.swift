// Fovea - lowering of constants.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension LayerLowering {
  /// A constant of shape [C, H, W] as [1, 1, C, H, W], in old and new networks alike.
  func loadConstant(_ parameters: ConstantLayer) throws(FoveaError) -> GraphValue {
    try graph.constant(parameters.data, shape: [1, 1] + parameters.shape)
  }

  /// A constant of any shape.
  func loadConstantND(_ parameters: ConstantLayer) throws(FoveaError) -> GraphValue {
    try graph.constant(parameters.data, shape: parameters.shape)
  }

  /// One value everywhere: repeated by the core, so that a large shape costs no stored bytes.
  func fillStatic(_ parameters: FillStaticLayer) throws(FoveaError) -> GraphValue {
    let shape = parameters.shape.isEmpty ? [1] : parameters.shape
    let value = try graph.constant(
      [parameters.value], shape: Array(repeating: 1, count: shape.count))
    return try graph.broadcast(value, to: shape)
  }

  /// The shape of the input as a vector; known when the model is loaded.
  func getShape() throws(FoveaError) -> GraphValue {
    let shape = try onlyInput(minimumRank: 1).shape
    return try graph.constant(shape.map { Float($0) }, shape: [shape.count])
  }
}
