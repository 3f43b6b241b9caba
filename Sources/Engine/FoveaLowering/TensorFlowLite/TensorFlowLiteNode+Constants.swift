// Fovea - constants of TensorFlow Lite, and what follows from shapes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension TensorFlowLiteNode {
  /// Arrays that are known when the model is loaded.
  static let constantRules: [String: TensorFlowLiteRule] = [
    "const": { node throws(FoveaError) in
      let constant = try TensorFlowLiteConstant(node.operation)
      node.values.set(
        TensorFlowLiteValue(shape: constant.shape, constant: constant),
        for: node.operation.result)
    },
    "SHAPE": { node throws(FoveaError) in try node.give(integers: node.shape(0)) },
    "RANK": { node throws(FoveaError) in
      let rank = try node.shape(0).count
      try node.give(
        [Step("const", ["val": [.integer(rank)]])], in: .file)
    },
    "RANGE": { node throws(FoveaError) in
      let arguments: [String: [TensorProgram.Argument]] = [
        "start": [try node.argument(0, as: .file)], "end": [try node.argument(1, as: .file)],
        "step": [try node.argument(2, as: .file)],
      ]
      try node.give([Step("range_1d", arguments)], in: .file)
    },
    "FILL": { node throws(FoveaError) in
      let arguments: [String: [TensorProgram.Argument]] = [
        "shape": [.integers(try node.integers(0))], "value": [try node.argument(1, as: .file)],
      ]
      try node.give([Step("fill", arguments)], in: .file)
    },
    "ZEROS_LIKE": { node throws(FoveaError) in
      let zero: TensorProgram.Argument =
        try node.elementClass(0) == .float ? .float(0) : .integer(0)
      let arguments: [String: [TensorProgram.Argument]] = [
        "shape": [.integers(try node.shape(0))], "value": [zero],
      ]
      try node.give([Step("fill", arguments)], in: .file)
    },
    "ONE_HOT": { node throws(FoveaError) in try node.oneHot() },
  ]

  private func give(integers: [Int]) throws(FoveaError) {
    try give([Step("const", ["val": [.integers(integers)]])], in: .file)
  }

  /// One number where an index is met along a new dimension, another elsewhere.
  private func oneHot() throws(FoveaError) {
    let depth = try integer(1)
    let rank = try shape(0).count + 1
    let axis = try operation.axis(operation.integer("axis", default: -1), ofRank: rank)
    guard (1...1 << 20).contains(depth) else {
      throw operation.mismatch("a new dimension of \(depth) elements")
    }
    let classes = TensorProgram.Argument.constant(
      .integers(Array(0..<depth), shape: (0..<rank).map { $0 == axis ? depth : 1 }))
    let indices = Step(
      "expand_dims", ["x": [try argument(0, as: .file)], "axes": [.integers([axis])]])
    let chosen = Step(
      "select", ["a": [try argument(2, as: .file)], "b": [try argument(3, as: .file)]],
      input: "cond")
    try give([indices, Step("equal", ["y": [classes]]), chosen], in: .file)
  }
}
