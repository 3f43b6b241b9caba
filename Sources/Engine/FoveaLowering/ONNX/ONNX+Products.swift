// Fovea - products of matrices of ONNX.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// Products of two inputs. Those with weights are dense layers, see `ONNXDenseLayers`; attention has
  /// a file of its own.
  static let onnxProductRules: [String: ONNXRule] = [
    "MatMul": { node throws(FoveaError) in
      try node.give("matmul", ["x": node.input(0), "y": node.input(1)])
    },
    "Gemm": { node throws(FoveaError) in try node.generalProduct() },
    "Einsum": { node throws(FoveaError) in try node.einsum() },
    "Attention": { node throws(FoveaError) in try node.attention() },
  ]

  /// alpha A B + beta C, of matrices that may be turned.
  private func generalProduct() throws(FoveaError) {
    guard try shape(0).count == 2, try shape(1).count == 2 else {
      throw mismatch("matrices of shapes \(try shape(0)) and \(try shape(1))")
    }
    var value = try step(
      "matmul",
      [
        "x": input(0), "y": input(1),
        "transpose_x": .boolean(integer("transA", default: 0) != 0),
        "transpose_y": .boolean(integer("transB", default: 0) != 0),
      ])
    let alpha = try float("alpha", default: 1)
    if alpha != 1 { value = try step("mul", ["x": value, "y": .float(alpha)]) }
    if has(2) { value = try step("add", ["x": value, "y": scaledAddend()]) }
    handOn(value)
  }

  /// beta C of a general product.
  func scaledAddend() throws(FoveaError) -> TensorProgram.Argument {
    let beta = try float("beta", default: 1)
    return beta == 1 ? try input(2) : try step("mul", ["x": input(2), "y": .float(beta)])
  }
}
