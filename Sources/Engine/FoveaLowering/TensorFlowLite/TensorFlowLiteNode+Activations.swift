// Fovea - activations of TensorFlow Lite.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension TensorFlowLiteNode {
  /// Nonlinear functions between layers.
  static let activationRules: [String: TensorFlowLiteRule] = [
    "RELU": { node throws(FoveaError) in try node.function("relu") },
    "RELU6": { node throws(FoveaError) in try node.function("relu6") },
    "RELU_N1_TO_1": { node throws(FoveaError) in
      try node.function("clip", ["alpha": .float(-1), "beta": .float(1)])
    },
    "RELU_0_TO_1": { node throws(FoveaError) in
      try node.function("clip", ["alpha": .float(0), "beta": .float(1)])
    },
    "LEAKY_RELU": { node throws(FoveaError) in
      let slope = try node.operation.float("alpha", default: 0)
      try node.function("leaky_relu", ["alpha": .float(slope)])
    },
    "ELU": { node throws(FoveaError) in try node.function("elu", ["alpha": .float(1)]) },
    "GELU": { node throws(FoveaError) in
      let word = try node.flag("approximate") ? "TANH_APPROXIMATION" : "EXACT"
      try node.function("gelu", ["mode": .string(word)])
    },
    "LOGISTIC": { node throws(FoveaError) in try node.function("sigmoid") },
    "TANH": { node throws(FoveaError) in try node.function("tanh") },
    "HARD_SWISH": { node throws(FoveaError) in try node.hardSwish() },
    "PRELU": { node throws(FoveaError) in try node.prelu() },
    "SOFTMAX": { node throws(FoveaError) in try node.softmax() },
    "LOG_SOFTMAX": { node throws(FoveaError) in try node.logSoftmax() },
    "L2_NORMALIZATION": { node throws(FoveaError) in try node.l2Normalization() },
  ]

  /// A function of each element of the input 0.
  func function(
    _ kind: String, _ parameters: [String: TensorProgram.Argument] = [:]
  ) throws(FoveaError) {
    let form = try form(0)
    var arguments = parameters.mapValues { [$0] }
    arguments["x"] = [try argument(0, as: form)]
    try give([Step(kind, arguments)], in: form)
  }

  /// x * clip(x / 6 + 1 / 2, 0, 1).
  private func hardSwish() throws(FoveaError) {
    let form = try form(0)
    let x = try argument(0, as: form)
    let gate = Step(
      "sigmoid_hard", ["x": [x], "alpha": [.float(1 / 6)], "beta": [.float(0.5)]])
    try give([gate, Step("mul", ["x": [x]], input: "y")], in: form)
  }

  /// x for x >= 0, slope * x below; slopes differ by channel, or by element.
  private func prelu() throws(FoveaError) {
    let slopes = try values.constant(name(1))
    let count = slopes.shape.reduce(1, *)
    let form = try form(0)
    let x = try argument(0, as: form)
    if count == 1 {
      let slope = try slopes.numbers().floats()[0]
      return try give([Step("leaky_relu", ["x": [x], "alpha": [.float(slope)]])], in: form)
    }
    if form == .planes, slopes.shape.last == count {
      let slopes = TensorProgram.Argument.floats(try slopes.numbers().floats(), shape: [count])
      return try give([Step("prelu", ["x": [x], "alpha": [slopes]])], in: form)
    }
    let (common, arguments) = try elements([0, 1])
    let negative = try step("mul", ["x": [arguments[0]], "y": [.float(-1)]])
    let below = try step("relu", ["x": [negative]])
    let bent = try step("mul", ["x": [below], "y": [arguments[1]]])
    try give(
      [Step("relu", ["x": [arguments[0]]]), Step("sub", ["y": [bent]])], in: common)
  }

  /// The axis of channels, which come last in files.
  private func channelAxis(in form: TensorFlowLiteForm) throws(FoveaError) -> Int {
    let rank = try shape(0).count
    guard rank >= 1 else { throw operation.mismatch("a number, where an array was expected") }
    return Self.axis(rank - 1, in: form)
  }

  private func softmax() throws(FoveaError) {
    let form = try form(0)
    var x = try argument(0, as: form)
    let beta = try operation.float("beta", default: 1)
    if beta != 1 { x = try step("mul", ["x": [x], "y": [.float(beta)]]) }
    let axis = try channelAxis(in: form)
    try give([Step("softmax", ["x": [x], "axis": [.integer(axis)]])], in: form)
  }

  /// x - log(sum of exp(x)).
  private func logSoftmax() throws(FoveaError) {
    let form = try form(0)
    let x = try argument(0, as: form)
    let axis = try channelAxis(in: form)
    let sum = Step(
      "reduce_log_sum_exp",
      ["x": [x], "axes": [.integers([axis])], "keep_dims": [.boolean(true)]])
    try give([sum, Step("sub", ["x": [x]], input: "y")], in: form)
  }

  /// x divided by the length of the channels of each pixel.
  private func l2Normalization() throws(FoveaError) {
    let form = try form(0)
    let x = try argument(0, as: form)
    let axis = try channelAxis(in: form)
    let length = Step(
      "reduce_l2_norm", ["x": [x], "axes": [.integers([axis])], "keep_dims": [.boolean(true)]])
    let bounded = Step("maximum", ["y": [.float(1e-6)]])
    try give([length, bounded, Step("real_div", ["x": [x]], input: "y")], in: form)
  }
}
