// Fovea - products of matrices of ONNX.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// Products of two inputs. Those with weights are dense layers, see `ONNXDenseLayers`.
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

  /// softmax(q k^T scale + mask) v of heads: [batch, heads, rows, size], or [batch, rows, heads *
  /// size] with the number of heads as an attribute.
  private func attention() throws(FoveaError) {
    let extras = [
      try integer("is_causal", default: 0), try integer("qk_matmul_output_mode", default: 0),
    ]
    let softCap = try float("softcap", default: 0)
    let isPlain = extras == [0, 0] && softCap == 0 && !has(4) && !has(5)
    let count = try integer("q_num_heads", default: 0)
    guard isPlain, try integer("kv_num_heads", default: count) == count else {
      throw unsupported(
        "attention can be run without causal masks, soft caps, earlier keys and shared heads")
    }
    let given = try shape(0)
    var heads: [TensorProgram.Argument] = []
    for index in 0..<3 {
      let shape = try shape(index)
      if shape.count == 4 {
        heads.append(try input(index))
        continue
      }
      guard shape.count == 3, count >= 1, shape[2] % count == 0 else {
        throw mismatch("\(count) heads of shape \(shape)")
      }
      let split = try step(
        "reshape",
        [
          "x": input(index), "shape": .integers([shape[0], shape[1], count, shape[2] / count]),
        ])
      heads.append(try step("transpose", ["x": split, "perm": .integers([0, 2, 1, 3])]))
    }
    guard let size = try shape(of: heads[0]).last, size >= 1,
      try shape(of: heads[0])[1] == (try shape(of: heads[1])[1])
    else { throw mismatch("queries of shape \(given)") }
    // The operation of ML Programs divides by the root of the size itself.
    let root = Float(size).squareRoot()
    let scale = try float("scale", default: 1 / root)
    if scale * root != 1, has("scale") {
      heads[0] = try step("mul", ["x": heads[0], "y": .float(scale * root)])
    }
    var arguments = ["query": heads[0], "key": heads[1], "value": heads[2]]
    if has(3) { arguments["attn_mask"] = try input(3) }
    let value = try step("scaled_dot_product_attention", arguments)
    guard given.count == 3 else { return handOn(value) }
    let turned = try step("transpose", ["x": value, "perm": .integers([0, 2, 1, 3])])
    let width = try shape(of: value)[3] * count
    try give("reshape", ["x": turned, "shape": .integers([given[0], given[1], width])])
  }

  /// beta C of a general product.
  func scaledAddend() throws(FoveaError) -> TensorProgram.Argument {
    let beta = try float("beta", default: 1)
    return beta == 1 ? try input(2) : try step("mul", ["x": input(2), "y": .float(beta)])
  }
}
