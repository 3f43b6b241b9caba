// Fovea - attention of ONNX.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// softmax(q k^T scale + mask) v of heads: [batch, heads, rows, size], or [batch, rows, heads *
  /// size] with the number of heads as an attribute.
  func attention() throws(FoveaError) {
    try checkAttention()
    let given = try shape(0)
    let count = try integer("q_num_heads", default: 0)
    var heads: [TensorProgram.Argument] = []
    for index in 0..<3 { heads.append(try attentionHeads(ofInput: index, count)) }
    let shape = try shape(of: heads[0])
    guard let size = shape.last, size >= 1 else { throw mismatch("queries of shape \(given)") }
    guard shape[1] == (try self.shape(of: heads[1])[1]) else { throw unsupported(Self.plainOnly) }
    // The operation of ML Programs divides by the root of the size itself.
    let root = Float(size).squareRoot()
    let scale = try float("scale", default: 1 / root)
    if scale * root != 1, has("scale") {
      heads[0] = try step("mul", ["x": heads[0], "y": .float(scale * root)])
    }
    var arguments = ["query": heads[0], "key": heads[1], "value": heads[2]]
    if has(3) { arguments["attn_mask"] = try input(3) }
    var value = try step("scaled_dot_product_attention", arguments)
    if has(3) { value = try withoutHiddenRows(value) }
    guard given.count == 3 else { return handOn(value) }
    let turned = try step("transpose", ["x": value, "perm": .integers([0, 2, 1, 3])])
    let width = try self.shape(of: value)[3] * count
    try give("reshape", ["x": turned, "shape": .integers([given[0], given[1], width])])
  }

  private static let plainOnly =
    "attention can be run without causal masks, windows, soft caps, earlier keys and shared heads"

  /// Refuses what attention of ML Programs cannot say.
  private func checkAttention() throws(FoveaError) {
    let extras = [
      try integer("is_causal", default: 0), try integer("qk_matmul_output_mode", default: 0),
    ]
    // Windows without a border are -1.
    let windows = [
      try integer("left_window_size", default: -1), try integer("right_window_size", default: -1),
    ]
    let softCap = try float("softcap", default: 0)
    let count = try integer("q_num_heads", default: 0)
    guard extras == [0, 0], windows.allSatisfy({ $0 < 0 }), softCap == 0, inputCount <= 4,
      try integer("kv_num_heads", default: count) == count
    else { throw unsupported(Self.plainOnly) }
  }

  /// An input as [batch, heads, rows, size].
  private func attentionHeads(
    ofInput index: Int, _ count: Int
  ) throws(FoveaError) -> TensorProgram.Argument {
    let shape = try shape(index)
    if shape.count == 4 { return try input(index) }
    guard shape.count == 3, count >= 1, shape[2] % count == 0 else {
      throw mismatch("\(count) heads of shape \(shape)")
    }
    let split = try step(
      "reshape",
      [
        "x": input(index), "shape": .integers([shape[0], shape[1], count, shape[2] / count]),
      ])
    return try step("transpose", ["x": split, "perm": .integers([0, 2, 1, 3])])
  }

  /// Attention in which rows whose keys are all masked are 0: they have no softmax.
  private func withoutHiddenRows(
    _ value: TensorProgram.Argument
  ) throws(FoveaError) -> TensorProgram.Argument {
    guard let keys = try shape(3).last, keys >= 1 else { throw mismatch("a mask of no keys") }
    let isOfTruth = try elementClass(3) == .boolean
    var mask = try input(3)
    if isOfTruth {
      mask = try step("cast", ["x": mask, "dtype": .string(ElementClass.float.element.rawValue)])
    }
    let greatest = try step(
      "reduce_max", ["x": mask, "axes": .integers([-1]), "keep_dims": .boolean(true)])
    let isHidden = try step(
      "equal", ["x": greatest, "y": .float(isOfTruth ? 0 : -.infinity)])
    if let rows = try program.value(isHidden).constant {
      try spend(rows.count)
      if try !rows.floats().contains(where: { $0 != 0 }) { return value }
    }
    return try step("select", ["cond": isHidden, "a": .float(0), "b": value])
  }
}
