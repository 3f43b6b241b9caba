// Fovea - arithmetic of TensorFlow Lite.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension TensorFlowLiteNode {
  /// Functions of one, two or three elements.
  static let arithmeticRules: [String: TensorFlowLiteRule] =
    ownRules.merging(unaryKinds.mapValues(unaryRule)) { first, _ in first }
    .merging(binaryKinds.mapValues(binaryRule)) { first, _ in first }

  private static let ownRules: [String: TensorFlowLiteRule] = [
    "SQUARED_DIFFERENCE": { node throws(FoveaError) in
      let (form, arguments) = try node.elements([0, 1])
      let difference = Step("sub", ["x": [arguments[0]], "y": [arguments[1]]])
      try node.give([difference, Step("square")], in: form)
    },
    "NEG": { node throws(FoveaError) in try node.function("mul", ["y": .float(-1)]) },
    "RSQRT": { node throws(FoveaError) in
      try node.function("rsqrt", ["epsilon": .float(0)])
    },
    "LOG": { node throws(FoveaError) in try node.function("log", ["epsilon": .float(0)]) },
    "ADD_N": { node throws(FoveaError) in try node.sum() },
    "SELECT": { node throws(FoveaError) in try node.select() },
    "SELECT_V2": { node throws(FoveaError) in try node.select() },
    "CAST": { node throws(FoveaError) in try node.cast() },
  ]

  private static func unaryRule(_ kind: String) -> TensorFlowLiteRule {
    { node throws(FoveaError) in try node.function(kind) }
  }

  private static func binaryRule(_ kind: String) -> TensorFlowLiteRule {
    { node throws(FoveaError) in
      let (form, arguments) = try node.elements([0, 1])
      try node.give([Step(kind, ["x": [arguments[0]], "y": [arguments[1]]])], in: form)
    }
  }

  private static let unaryKinds = [
    "ABS": "abs", "CEIL": "ceil", "COS": "cos", "EXP": "exp", "FLOOR": "floor",
    "LOGICAL_NOT": "logical_not", "ROUND": "round", "SIGN": "sign", "SIN": "sin", "SQRT": "sqrt",
    "SQUARE": "square",
  ]

  private static let binaryKinds = [
    "ADD": "add", "SUB": "sub", "MUL": "mul", "DIV": "real_div", "POW": "pow",
    "MAXIMUM": "maximum", "MINIMUM": "minimum", "FLOOR_DIV": "floor_div", "FLOOR_MOD": "mod",
    "EQUAL": "equal", "NOT_EQUAL": "not_equal", "GREATER": "greater",
    "GREATER_EQUAL": "greater_equal", "LESS": "less", "LESS_EQUAL": "less_equal",
    "LOGICAL_AND": "logical_and", "LOGICAL_OR": "logical_or",
  ]

  private func sum() throws(FoveaError) {
    let (form, arguments) = try elements(Array(0..<operation.inputCount))
    guard let first = arguments.first else { throw operation.mismatch("no input") }
    let additions = arguments.dropFirst().map { Step("add", ["y": [$0]]) }
    try give([Step("identity", ["x": [first]])] + additions, in: form)
  }

  /// The first form takes a condition for each index of the first dimension, too.
  private func select() throws(FoveaError) {
    let (condition, first) = (try shape(0), try shape(1))
    if operation.kind == "SELECT", condition.count == 1, first.count > 1 {
      let sizes = condition + Array(repeating: 1, count: first.count - 1)
      let rows = try step(
        "reshape", ["x": [argument(0, as: .file)], "shape": [.integers(sizes)]])
      let arguments: [String: [TensorProgram.Argument]] = [
        "cond": [rows], "a": [try argument(1, as: .file)], "b": [try argument(2, as: .file)],
      ]
      return try give([Step("select", arguments)], in: .file)
    }
    let (form, arguments) = try elements([0, 1, 2])
    try give(
      [
        Step(
          "select", ["cond": [arguments[0]], "a": [arguments[1]], "b": [arguments[2]]])
      ], in: form)
  }

  private func cast() throws(FoveaError) {
    guard try value(0).codes == nil else {
      throw operation.unsupported("it turns codes into integers")
    }
    let number = try operation.integer("out_data_type", default: 0)
    guard let word = Self.castTypes[number] else {
      throw operation.unsupported("it casts to the type with the number \(number)")
    }
    try function("cast", ["dtype": .string(word)])
  }

  /// All integers are computed with as one kind.
  private static let castTypes = [
    0: "fp32", 1: "fp32", 2: "int32", 3: "int32", 4: "int32", 6: "bool", 7: "int32", 9: "int32",
    10: "fp32", 12: "int32", 15: "int32", 16: "int32",
  ]
}
