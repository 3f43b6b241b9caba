// Fovea - reductions of ONNX.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// Sums, extremes and norms along axes.
  static let onnxReductionRules: [String: ONNXRule] = [
    "ReduceL1": { node throws(FoveaError) in try node.reduction("reduce_l1_norm") },
    "ReduceL2": { node throws(FoveaError) in try node.reduction("reduce_l2_norm") },
    "ReduceLogSum": { node throws(FoveaError) in try node.reduction("reduce_log_sum") },
    "ReduceLogSumExp": { node throws(FoveaError) in try node.reduction("reduce_log_sum_exp") },
    "ReduceMax": { node throws(FoveaError) in try node.reduction("reduce_max") },
    "ReduceMean": { node throws(FoveaError) in try node.reduction("reduce_mean") },
    "ReduceMin": { node throws(FoveaError) in try node.reduction("reduce_min") },
    "ReduceProd": { node throws(FoveaError) in try node.reduction("reduce_prod") },
    "ReduceSum": { node throws(FoveaError) in try node.reduction("reduce_sum") },
    "ReduceSumSquare": { node throws(FoveaError) in try node.reduction("reduce_sum_square") },
    "ArgMax": { node throws(FoveaError) in try node.argument("reduce_argmax") },
    "ArgMin": { node throws(FoveaError) in try node.argument("reduce_argmin") },
    "CumSum": { node throws(FoveaError) in
      let axis = try node.integers(ofInput: 1).first ?? 0
      try node.give(
        "cumsum",
        [
          "x": node.input(0),
          "axis": .integer(node.axis(axis, ofRank: node.shape(0).count)),
          "exclusive": .boolean(node.integer("exclusive", default: 0) != 0),
          "reverse": .boolean(node.integer("reverse", default: 0) != 0),
        ])
    },
  ]

  /// Axes are an attribute in older sets, an input in newer ones; without any, all are meant.
  private func reduction(_ kind: String) throws(FoveaError) {
    let rank = try shape(0).count
    let stated = try integers("axes", orInput: 1) ?? []
    if stated.isEmpty, try integer("noop_with_empty_axes", default: 0) != 0 {
      return handOn(try input(0))
    }
    let axes = try stated.isEmpty ? Array(0..<rank) : axes(stated, ofRank: rank)
    try give(
      kind,
      [
        "x": input(0), "axes": .integers(axes),
        "keep_dims": .boolean(integer("keepdims", default: 1) != 0),
      ])
  }

  /// The index of the first of the extremes along an axis, or of the last.
  private func argument(_ kind: String) throws(FoveaError) {
    var x = try input(0)
    let shape = try shape(0)
    let axis = try axis(integer("axis", default: 0), ofRank: shape.count)
    let takesLast = try integer("select_last_index", default: 0) != 0
    if takesLast { x = try step("reverse", ["x": x, "axes": .integers([axis])]) }
    let arguments: [String: TensorProgram.Argument] = [
      "x": x, "axis": .integer(axis),
      "keep_dims": .boolean(try integer("keepdims", default: 1) != 0),
    ]
    guard takesLast else { return try give(kind, arguments) }
    try give("sub", ["x": .integer(shape[axis] - 1), "y": step(kind, arguments)])
  }
}
