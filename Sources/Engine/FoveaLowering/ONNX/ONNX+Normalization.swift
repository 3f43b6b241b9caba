// Fovea - normalizations of ONNX.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// Operations that divide by a deviation or a norm.
  static let onnxNormalizationRules: [String: ONNXRule] = [
    "BatchNormalization": { node throws(FoveaError) in
      guard try node.integer("training_mode", default: 0) == 0 else {
        throw node.unsupported("it is in training mode; export the model in evaluation mode")
      }
      try node.give(
        "batch_norm",
        [
          "x": node.input(0), "gamma": node.input(1), "beta": node.input(2),
          "mean": node.input(3), "variance": node.input(4),
          "epsilon": .float(node.float("epsilon", default: 1e-5)),
        ])
    },
    "InstanceNormalization": { node throws(FoveaError) in
      try node.give(
        "instance_norm",
        [
          "x": node.input(0), "gamma": node.input(1), "beta": node.input(2),
          "epsilon": .float(node.float("epsilon", default: 1e-5)),
        ])
    },
    "LayerNormalization": { node throws(FoveaError) in try node.layerNormalization() },
    "GroupNormalization": { node throws(FoveaError) in try node.groupNormalization() },
    "RMSNormalization": { node throws(FoveaError) in
      let rank = try node.shape(0).count
      let axis = try node.axis(node.integer("axis", default: -1), ofRank: rank)
      let squares = try node.step("square", ["x": node.input(0)])
      let mean = try node.step(
        "reduce_mean",
        ["x": squares, "axes": .integers(Array(axis..<rank)), "keep_dims": .boolean(true)])
      let factor = try node.step(
        "rsqrt", ["x": mean, "epsilon": .float(node.float("epsilon", default: 1e-5))])
      let value = try node.step("mul", ["x": node.input(0), "y": factor])
      try node.give("mul", ["x": value, "y": node.input(1)])
    },
    "LpNormalization": { node throws(FoveaError) in
      let axis = try node.axis(node.integer("axis", default: -1), ofRank: node.shape(0).count)
      let kind = try node.integer("p", default: 2) == 1 ? "reduce_l1_norm" : "reduce_l2_norm"
      let norm = try node.step(
        kind,
        ["x": node.input(0), "axes": .integers([axis]), "keep_dims": .boolean(true)])
      // Where all elements are 0, the norm is 0, and they stay what they are.
      let isZero = try node.step("equal", ["x": norm, "y": .float(0)])
      let divisor = try node.step("select", ["cond": isZero, "a": .float(1), "b": norm])
      try node.give("real_div", ["x": node.input(0), "y": divisor])
    },
    "MeanVarianceNormalization": { node throws(FoveaError) in
      let axes = try node.integers("axes") ?? [0, 2, 3]
      let reduction = { (x: TensorProgram.Argument) throws(FoveaError) in
        try node.step(
          "reduce_mean", ["x": x, "axes": .integers(axes), "keep_dims": .boolean(true)])
      }
      let centered = try node.step("sub", ["x": node.input(0), "y": reduction(node.input(0))])
      let variance = try reduction(node.step("square", ["x": centered]))
      let deviation = try node.step("sqrt", ["x": variance])
      let divisor = try node.step("add", ["x": deviation, "y": .float(1e-9)])
      try node.give("real_div", ["x": centered, "y": divisor])
    },
  ]

  /// The statistics over the axis and all behind it, then scale and bias of their shape.
  private func layerNormalization() throws(FoveaError) {
    let shape = try shape(0)
    let axis = try axis(integer("axis", default: -1), ofRank: shape.count)
    var arguments: [String: TensorProgram.Argument] = [
      "x": try input(0), "axes": .integers(Array(axis..<shape.count)),
      "epsilon": .float(try float("epsilon", default: 1e-5)),
    ]
    let inner = Array(shape[axis...])
    var isPlain = true
    for index in 1...2 where has(index) {
      if try knownConstant(index)?.shape != inner { isPlain = false }
    }
    if isPlain {
      if has(1) { arguments["gamma"] = try input(1) }
      if has(2) { arguments["beta"] = try input(2) }
      return try give("layer_norm", arguments)
    }
    var value = try step("layer_norm", arguments)
    if has(1) { value = try step("mul", ["x": value, "y": input(1)]) }
    if has(2) { value = try step("add", ["x": value, "y": input(2)]) }
    handOn(value)
  }

  /// The statistics of groups of channels. Scales and biases are those of groups until set 20, those
  /// of channels from 21 on.
  private func groupNormalization() throws(FoveaError) {
    let shape = try shape(0)
    let groups = try integer("num_groups", default: 1)
    guard shape.count >= 3, groups >= 1, shape[1] % groups == 0 else {
      throw mismatch("\(groups) groups of shape \(shape)")
    }
    let grouped = [shape[0], groups, shape[1..<shape.count].reduce(1, *) / groups]
    var value = try step("reshape", ["x": input(0), "shape": .integers(grouped)])
    value = try step(
      "layer_norm",
      [
        "x": value, "axes": .integers([2]),
        "epsilon": .float(float("epsilon", default: 1e-5)),
      ])
    let (scale, bias) = (try constant(1), try constant(2))
    try spend(scale.count + bias.count)
    let isOfGroups = scale.count == groups && scale.count != shape[1]
    let inner =
      isOfGroups ? [groups, 1] : [shape[1]] + Array(repeating: 1, count: shape.count - 2)
    guard scale.count == inner[0], bias.count == inner[0] else {
      throw mismatch("\(scale.count) scales and \(bias.count) biases for shape \(shape)")
    }
    if !isOfGroups { value = try step("reshape", ["x": value, "shape": .integers(shape)]) }
    value = try step("mul", ["x": value, "y": .floats(scale.floats(), shape: inner)])
    value = try step("add", ["x": value, "y": .floats(bias.floats(), shape: inner)])
    if isOfGroups { value = try step("reshape", ["x": value, "shape": .integers(shape)]) }
    handOn(value)
  }
}
