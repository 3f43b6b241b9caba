// Fovea - reductions of TensorFlow Lite.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension TensorFlowLiteNode {
  /// Sums, means and extremes along axes.
  static let reductionRules: [String: TensorFlowLiteRule] = [
    "MEAN": { node throws(FoveaError) in try node.reduction("reduce_mean") },
    "SUM": { node throws(FoveaError) in try node.reduction("reduce_sum") },
    "REDUCE_MAX": { node throws(FoveaError) in try node.reduction("reduce_max") },
    "REDUCE_MIN": { node throws(FoveaError) in try node.reduction("reduce_min") },
    "REDUCE_PROD": { node throws(FoveaError) in try node.reduction("reduce_prod") },
    "REDUCE_ANY": { node throws(FoveaError) in try node.reduction("reduce_max") },
    "REDUCE_ALL": { node throws(FoveaError) in try node.reduction("reduce_min") },
    "ARG_MAX": { node throws(FoveaError) in try node.index("reduce_argmax") },
    "ARG_MIN": { node throws(FoveaError) in try node.index("reduce_argmin") },
    "CUMSUM": { node throws(FoveaError) in
      let arguments: [String: [TensorProgram.Argument]] = [
        "x": [try node.argument(0, as: .file)], "axis": [.integer(try node.integer(1))],
        "exclusive": [.boolean(try node.flag("exclusive"))],
        "reverse": [.boolean(try node.flag("reverse"))],
      ]
      try node.give([Step("cumsum", arguments)], in: .file)
    },
  ]

  private func reduction(_ kind: String) throws(FoveaError) {
    let shape = try shape(0)
    var axes: [Int] = []
    for axis in try integers(1) {
      let axis = try operation.axis(axis, ofRank: shape.count)
      if !axes.contains(axis) { axes.append(axis) }
    }
    let keeps = try flag("keep_dims")
    let form = try form(0)
    if axes.isEmpty { return try hand(argument(0, as: form), in: form) }
    let reduced = Step(
      kind,
      [
        "x": [try argument(0, as: form)],
        "axes": [.integers(axes.map { Self.axis($0, in: form) }.sorted())],
        "keep_dims": [.boolean(true)],
      ])
    if keeps { return try give([reduced], in: form) }
    // Dimensions of 1 go in the order of the file.
    var steps = [reduced]
    let ones = shape.indices.map { axes.contains($0) ? 1 : shape[$0] }
    if form == .planes, ones[3] != 1, ones[1] * ones[2] != 1 {
      steps.append(Step("transpose", ["perm": [.integers([0, 2, 3, 1])]]))
    }
    let kept = shape.indices.filter { !axes.contains($0) }.map { shape[$0] }
    steps.append(Step("reshape", ["shape": [.integers(kept)]]))
    try give(steps, in: .file)
  }

  /// The index of the first extreme.
  private func index(_ kind: String) throws(FoveaError) {
    let axis = try operation.axis(integer(1), ofRank: shape(0).count)
    // Without channels, planes are in the order of the file.
    let form: TensorFlowLiteForm = try axis == 3 ? form(0) : .file
    let arguments: [String: [TensorProgram.Argument]] = [
      "x": [try argument(0, as: form)], "axis": [.integer(Self.axis(axis, in: form))],
      "keep_dims": [.boolean(false)],
    ]
    try give([Step(kind, arguments)], in: .file)
  }
}
