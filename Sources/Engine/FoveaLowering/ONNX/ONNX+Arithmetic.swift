// Fovea - arithmetic, comparisons and functions of one element of ONNX.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// Functions of one or more elements.
  static let onnxArithmeticRules: [String: ONNXRule] = [
    "Add": { node throws(FoveaError) in try node.binary("add") },
    "Sub": { node throws(FoveaError) in try node.binary("sub") },
    "Mul": { node throws(FoveaError) in try node.binary("mul") },
    "Div": { node throws(FoveaError) in try node.binary("real_div") },
    "Mod": { node throws(FoveaError) in try node.modulo() },
    "Pow": { node throws(FoveaError) in try node.binary("pow") },
    "Max": { node throws(FoveaError) in try node.chained("maximum") },
    "Min": { node throws(FoveaError) in try node.chained("minimum") },
    "Sum": { node throws(FoveaError) in try node.chained("add") },
    "Mean": { node throws(FoveaError) in try node.mean() },
    "Equal": { node throws(FoveaError) in try node.binary("equal") },
    "Greater": { node throws(FoveaError) in try node.binary("greater") },
    "GreaterOrEqual": { node throws(FoveaError) in try node.binary("greater_equal") },
    "Less": { node throws(FoveaError) in try node.binary("less") },
    "LessOrEqual": { node throws(FoveaError) in try node.binary("less_equal") },
    "And": { node throws(FoveaError) in try node.binary("logical_and") },
    "Or": { node throws(FoveaError) in try node.binary("logical_or") },
    "Xor": { node throws(FoveaError) in try node.binary("logical_xor") },
    "Not": { node throws(FoveaError) in try node.unary("logical_not") },
    "Where": { node throws(FoveaError) in
      try node.give(
        "select", ["cond": node.input(0), "a": node.input(1), "b": node.input(2)])
    },
    "IsNaN": { node throws(FoveaError) in
      try node.give("not_equal", ["x": node.input(0), "y": node.input(0)])
    },
    "Abs": { node throws(FoveaError) in try node.unary("abs") },
    "Acos": { node throws(FoveaError) in try node.unary("acos") },
    "Asin": { node throws(FoveaError) in try node.unary("asin") },
    "Atan": { node throws(FoveaError) in try node.unary("atan") },
    "Atanh": { node throws(FoveaError) in try node.unary("atanh") },
    "Ceil": { node throws(FoveaError) in try node.unary("ceil") },
    "Cos": { node throws(FoveaError) in try node.unary("cos") },
    "Cosh": { node throws(FoveaError) in try node.unary("cosh") },
    "Erf": { node throws(FoveaError) in try node.unary("erf") },
    "Exp": { node throws(FoveaError) in try node.unary("exp") },
    "Floor": { node throws(FoveaError) in try node.unary("floor") },
    "Log": { node throws(FoveaError) in
      try node.give("log", ["x": node.input(0), "epsilon": .float(0)])
    },
    "Neg": { node throws(FoveaError) in
      let isInteger = try node.elementClass(0) == .integer
      try node.give("mul", ["x": node.input(0), "y": isInteger ? .integer(-1) : .float(-1)])
    },
    "Reciprocal": { node throws(FoveaError) in
      try node.give("inverse", ["x": node.input(0), "epsilon": .float(0)])
    },
    "Round": { node throws(FoveaError) in try node.unary("round") },
    "Sign": { node throws(FoveaError) in try node.unary("sign") },
    "Sin": { node throws(FoveaError) in try node.unary("sin") },
    "Sinh": { node throws(FoveaError) in try node.unary("sinh") },
    "Sqrt": { node throws(FoveaError) in try node.unary("sqrt") },
    "Tan": { node throws(FoveaError) in try node.unary("tan") },
    "Tanh": { node throws(FoveaError) in try node.unary("tanh") },
    "Clip": { node throws(FoveaError) in try node.clip() },
  ]

  /// A function of the first input.
  func unary(_ kind: String) throws(FoveaError) {
    try give(kind, ["x": input(0)])
  }

  /// A function of two inputs.
  private func binary(_ kind: String) throws(FoveaError) {
    try give(kind, ["x": input(0), "y": input(1)])
  }

  /// A function of two elements over all inputs, one after another.
  private func chained(_ kind: String) throws(FoveaError) {
    let inputs = try inputs()
    guard inputs.count > 1 else { return handOn(try input(0)) }
    var value = inputs[0]
    for next in inputs[1..<(inputs.count - 1)] {
      value = try step(kind, ["x": value, "y": next])
    }
    try give(kind, ["x": value, "y": inputs[inputs.count - 1]])
  }

  private func mean() throws(FoveaError) {
    let inputs = try inputs()
    var value = try input(0)
    for next in inputs.dropFirst() { value = try step("add", ["x": value, "y": next]) }
    try give("real_div", ["x": value, "y": .float(Float(inputs.count))])
  }

  /// The rest has the sign of the divisor, or that of the dividend (fmod).
  private func modulo() throws(FoveaError) {
    let (x, y) = (try input(0), try input(1))
    guard try integer("fmod", default: 0) != 0 else { return try binary("mod") }
    let rest = try step(
      "mod", ["x": step("abs", ["x": x]), "y": step("abs", ["x": y])])
    try give("mul", ["x": rest, "y": step("sign", ["x": x])])
  }

  /// Bounds are attributes until set 10, and inputs from 11 on; each may be absent.
  private func clip() throws(FoveaError) {
    var value = try input(0)
    guard version >= 11 else {
      let (lower, upper) = (
        try float("min", default: -.infinity), try float("max", default: .infinity)
      )
      return try give("clip", ["x": value, "alpha": .float(lower), "beta": .float(upper)])
    }
    if let lower = try bound(1, absent: -.infinity), let upper = try bound(2, absent: .infinity) {
      return try give("clip", ["x": value, "alpha": .float(lower), "beta": .float(upper)])
    }
    if has(1) { value = try step("maximum", ["x": value, "y": input(1)]) }
    if has(2) { value = try step("minimum", ["x": value, "y": input(2)]) }
    handOn(value)
  }

  /// The number that an input is, or the one for an absent input; `nil` for computed bounds.
  private func bound(_ index: Int, absent: Float) throws(FoveaError) -> Float? {
    guard has(index) else { return absent }
    guard let constant = try knownConstant(index), constant.count == 1 else { return nil }
    return try constant.floats().first
  }
}
