// Fovea - activations of ONNX.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// Nonlinear functions between layers.
  static let onnxActivationRules: [String: ONNXRule] = [
    "Relu": { node throws(FoveaError) in try node.unary("relu") },
    "LeakyRelu": { node throws(FoveaError) in
      try node.give(
        "leaky_relu", ["x": node.input(0), "alpha": .float(node.float("alpha", default: 0.01))])
    },
    "PRelu": { node throws(FoveaError) in try node.parametricRelu() },
    "Elu": { node throws(FoveaError) in
      try node.give(
        "elu", ["x": node.input(0), "alpha": .float(node.float("alpha", default: 1))])
    },
    "Selu": { node throws(FoveaError) in
      let bent = try node.step(
        "elu", ["x": node.input(0), "alpha": .float(node.float("alpha", default: 1.6732632))])
      try node.give("mul", ["x": bent, "y": .float(node.float("gamma", default: 1.050701))])
    },
    "Celu": { node throws(FoveaError) in
      let alpha = try node.float("alpha", default: 1)
      let scaled = try node.step("real_div", ["x": node.input(0), "y": .float(alpha)])
      let bent = try node.step("elu", ["x": scaled, "alpha": .float(1)])
      try node.give("mul", ["x": bent, "y": .float(alpha)])
    },
    "ThresholdedRelu": { node throws(FoveaError) in
      let alpha = try node.float("alpha", default: 1)
      let isAbove = try node.step("greater", ["x": node.input(0), "y": .float(alpha)])
      try node.give("select", ["cond": isAbove, "a": node.input(0), "b": .float(0)])
    },
    "Sigmoid": { node throws(FoveaError) in try node.unary("sigmoid") },
    "HardSigmoid": { node throws(FoveaError) in
      try node.give("sigmoid_hard", node.hardSigmoid(alpha: 0.2))
    },
    "HardSwish": { node throws(FoveaError) in
      let gate = try node.step(
        "sigmoid_hard",
        ["x": node.input(0), "alpha": .float(1 / 6), "beta": .float(0.5)])
      try node.give("mul", ["x": node.input(0), "y": gate])
    },
    "Mish": { node throws(FoveaError) in
      let gate = try node.step(
        "tanh", ["x": node.step("softplus", ["x": node.input(0)])])
      try node.give("mul", ["x": node.input(0), "y": gate])
    },
    "Softplus": { node throws(FoveaError) in try node.unary("softplus") },
    "Softsign": { node throws(FoveaError) in try node.unary("softsign") },
    "Gelu": { node throws(FoveaError) in
      let mode = try node.choice(
        "approximate", default: "none", ["none": "EXACT", "tanh": "TANH_APPROXIMATION"])
      try node.give("gelu", ["x": node.input(0), "mode": .string(mode)])
    },
    "Swish": { node throws(FoveaError) in
      let alpha = try node.float("alpha", default: 1)
      if alpha == 1 { return try node.unary("silu") }
      let scaled = try node.step("mul", ["x": node.input(0), "y": .float(alpha)])
      try node.give(
        "mul", ["x": node.input(0), "y": node.step("sigmoid", ["x": scaled])])
    },
    "Softmax": { node throws(FoveaError) in
      try node.alongAxis { (x, axis) throws(FoveaError) in
        try node.step("softmax", ["x": x, "axis": .integer(axis)])
      }
    },
    "LogSoftmax": { node throws(FoveaError) in
      try node.alongAxis { (x, axis) throws(FoveaError) in
        let sum = try node.step(
          "reduce_log_sum_exp",
          ["x": x, "axes": .integers([axis]), "keep_dims": .boolean(true)])
        return try node.step("sub", ["x": x, "y": sum])
      }
    },
  ]

  private func hardSigmoid(alpha: Float) throws(FoveaError) -> [String: TensorProgram.Argument] {
    [
      "x": try input(0), "alpha": .float(try float("alpha", default: alpha)),
      "beta": .float(try float("beta", default: 0.5)),
    ]
  }

  /// x for x >= 0, slope * x below; slopes of any shape that fits the input.
  private func parametricRelu() throws(FoveaError) {
    let x = try input(0)
    let shape = try shape(0)
    if let slope = try knownConstant(1), shape.count >= 3,
      slope.count == 1
        || (slope.count == shape[1] && slope.shape.count == shape.count - 1
          && slope.shape[0] == shape[1])
        || (slope.shape.count == shape.count && slope.shape[1] == slope.count
          && slope.count == shape[1])
    {
      try spend(slope.count)
      let alpha = TensorProgram.Argument.floats(try slope.floats(), shape: [slope.count])
      return try give("prelu", ["x": x, "alpha": alpha])
    }
    let above = try step("relu", ["x": x])
    let below = try step("minimum", ["x": x, "y": .float(0)])
    try give("add", ["x": above, "y": step("mul", ["x": below, "y": input(1)])])
  }

  /// Until set 12, everything from the axis on is one dimension, and the axis is 1 by default; from
  /// 13 on, the axis is one dimension, the last by default.
  private func alongAxis(
    _ body: (TensorProgram.Argument, Int) throws(FoveaError) -> TensorProgram.Argument
  ) throws(FoveaError) {
    let x = try input(0)
    let shape = try shape(0)
    let stated = try integer("axis", default: version >= 13 ? -1 : 1)
    // Flattening may begin behind the last dimension.
    let axis =
      version < 13 && stated == shape.count ? stated : try axis(stated, ofRank: shape.count)
    if version >= 13 || axis == shape.count - 1 {
      return handOn(try body(x, axis))
    }
    let rest = shape[axis...]
    // One dimension that is not 1 is what the newer sets mean.
    let wide = rest.indices.filter { rest[$0] > 1 }
    if wide.count <= 1, axis < shape.count { return handOn(try body(x, wide.first ?? axis)) }
    let flat = try step(
      "reshape",
      ["x": x, "shape": .integers([shape[..<axis].reduce(1, *), rest.reduce(1, *)])])
    try give("reshape", ["x": body(flat, 1), "shape": .integers(shape)])
  }
}
