// Fovea - activations of programs.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension OperationLowering {
  /// Nonlinear functions between layers.
  static let activationRules: [String: OperationRule] = [
    "relu": { op throws(FoveaError) in try op.unary(.relu) },
    "relu6": { op throws(FoveaError) in try op.unary(.clip, alpha: 0, beta: 6) },
    "leaky_relu": { op throws(FoveaError) in
      try op.unary(.leaky_relu, alpha: op.float("alpha", default: 0.01))
    },
    "clamped_relu": { op throws(FoveaError) in
      try op.unary(
        .clamped_relu, alpha: op.float("alpha", default: 1), beta: op.float("beta", default: 1))
    },
    "thresholded_relu": { op throws(FoveaError) in
      try op.unary(.thresholded_relu, alpha: op.float("alpha", default: 1))
    },
    "prelu": { op throws(FoveaError) in try op.prelu() },
    "elu": { op throws(FoveaError) in
      try op.unary(.elu, alpha: op.float("alpha", default: 1))
    },
    "gelu": { op throws(FoveaError) in
      try op.unary(
        op.choice(
          "mode", default: "EXACT",
          [
            "EXACT": .gelu, "TANH_APPROXIMATION": .gelu_tanh,
            "SIGMOID_APPROXIMATION": .gelu_sigmoid,
          ]))
    },
    "sigmoid": { op throws(FoveaError) in try op.unary(.sigmoid) },
    "sigmoid_hard": { op throws(FoveaError) in
      try op.unary(
        .hard_sigmoid, alpha: op.float("alpha", default: 0.2),
        beta: op.float("beta", default: 0.5))
    },
    "silu": { op throws(FoveaError) in try op.unary(.silu) },
    "softplus": { op throws(FoveaError) in try op.softplus() },
    "tanh": { op throws(FoveaError) in try op.hyperbolicTangent() },
    "softplus_parametric": { op throws(FoveaError) in try op.parametricSoftplus() },
    "softsign": { op throws(FoveaError) in try op.unary(.softsign) },
    "scaled_tanh": { op throws(FoveaError) in
      try op.unary(
        .scaled_tanh, alpha: op.float("alpha", default: 1), beta: op.float("beta", default: 1))
    },
    "linear_activation": { op throws(FoveaError) in
      try op.unary(.linear, alpha: op.float("alpha"), beta: op.float("beta", default: 0))
    },
    "softmax": { op throws(FoveaError) in
      let x = try op.tensor("x")
      let axis = try op.dimension(op.integer("axis", default: -1), ofRank: x.rank)
      return op.result(try op.graph.softmax(x, axis: axis))
    },
  ]

  /// x for x >= 0, alpha[c] * x below: relu(x) - alpha * relu(-x).
  private func prelu() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let alpha = try perChannel("alpha", of: x)
    let below = try graph.unary(graph.unary(x, .linear, alpha: -1), .relu)
    let bent = try graph.binary(.multiply, below, alpha)
    return result(try graph.binary(.subtract, graph.unary(x, .relu), bent))
  }

  /// log(1 + exp(x)).
  private func softplus() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let value = try graph.unary(x, .softplus)
    graph.softplusInputs[value.value.index] = x
    return result(value)
  }

  /// tanh(x). Behind a softplus it is the gate of mish, which a sigmoid gives ten times faster. With
  /// s the sigmoid of what softplus reads, exp(softplus) is 1 / (1 - s), and the gate is
  /// p / (2 - p) for p = s (2 - s).
  private func hyperbolicTangent() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    guard let given = graph.softplusInputs[x.value.index] else { return try unary(.tanh) }
    let sigmoid = try graph.unary(given, .sigmoid)
    let rest = try graph.unary(sigmoid, .linear, alpha: -1, beta: 2)
    let product = try graph.binary(.multiply, sigmoid, rest)
    let divisor = try graph.unary(product, .linear, alpha: -1, beta: 2)
    return result(try graph.binary(.divide, product, divisor))
  }

  /// alpha[c] * log(1 + exp(beta[c] * x)).
  private func parametricSoftplus() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let scaled = try graph.binary(.multiply, x, perChannel("beta", of: x))
    let curved = try graph.unary(scaled, .softplus)
    return result(try graph.binary(.multiply, curved, perChannel("alpha", of: x)))
  }

  /// A constant of one number for each channel, which is the second dimension.
  func perChannel(_ name: String, of x: GraphValue) throws(FoveaError) -> GraphValue {
    let constant = try constant(name)
    guard x.rank >= 2, constant.count == x.shape[1] || constant.count == 1 else {
      throw mismatch("\"\(name)\" has \(constant.count) numbers for an input of shape \(x.shape)")
    }
    let ones = Array(repeating: 1, count: x.rank - 2)
    return try graph.constant(constant.floats(), shape: [constant.count] + ones)
  }
}
