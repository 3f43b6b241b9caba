// Fovea - arithmetic, comparisons and functions of one element in programs.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension OperationLowering {
  /// Functions of one or two elements.
  static let arithmeticRules: [String: OperationRule] = [
    "add": { op throws(FoveaError) in try op.add() },
    "sub": { op throws(FoveaError) in try op.subtract() },
    "mul": { op throws(FoveaError) in try op.multiply() },
    "real_div": { op throws(FoveaError) in try op.divide() },
    "floor_div": { op throws(FoveaError) in try op.binary(.floor_divide) },
    "mod": { op throws(FoveaError) in try op.binary(.modulo) },
    "pow": { op throws(FoveaError) in try op.power() },
    "maximum": { op throws(FoveaError) in try op.binary(.maximum) },
    "minimum": { op throws(FoveaError) in try op.binary(.minimum) },
    "equal": { op throws(FoveaError) in try op.binary(.equal, .boolean) },
    "not_equal": { op throws(FoveaError) in try op.binary(.not_equal, .boolean) },
    "greater": { op throws(FoveaError) in try op.binary(.greater, .boolean) },
    "greater_equal": { op throws(FoveaError) in try op.binary(.greater_equal, .boolean) },
    "less": { op throws(FoveaError) in try op.binary(.less, .boolean) },
    "less_equal": { op throws(FoveaError) in try op.binary(.less_equal, .boolean) },
    "logical_and": { op throws(FoveaError) in try op.binary(.logical_and, .boolean) },
    "logical_or": { op throws(FoveaError) in try op.binary(.logical_or, .boolean) },
    "logical_xor": { op throws(FoveaError) in try op.binary(.logical_xor, .boolean) },
    "logical_not": { op throws(FoveaError) in
      op.result(try op.graph.unary(op.tensor("x"), .logical_not), .boolean)
    },
    "select": { op throws(FoveaError) in try op.select() },
    "cast": { op throws(FoveaError) in try op.cast() },
    "identity": { op throws(FoveaError) in [try op.argument("x")] },
    "abs": { op throws(FoveaError) in try op.unary(.abs) },
    "acos": { op throws(FoveaError) in try op.unary(.acos) },
    "asin": { op throws(FoveaError) in try op.unary(.asin) },
    "atan": { op throws(FoveaError) in try op.unary(.atan) },
    "atanh": { op throws(FoveaError) in try op.unary(.atanh) },
    "ceil": { op throws(FoveaError) in try op.unary(.ceil) },
    "clip": { op throws(FoveaError) in
      try op.unary(.clip, alpha: op.float("alpha"), beta: op.float("beta"))
    },
    "cos": { op throws(FoveaError) in try op.unary(.cos) },
    "cosh": { op throws(FoveaError) in try op.unary(.cosh) },
    "erf": { op throws(FoveaError) in try op.unary(.erf) },
    "exp": { op throws(FoveaError) in try op.unary(.exp) },
    "exp2": { op throws(FoveaError) in try op.unary(.exp2) },
    "floor": { op throws(FoveaError) in try op.unary(.floor) },
    "inverse": { op throws(FoveaError) in
      try op.unary(.inverse, alpha: op.float("epsilon", default: 1e-4))
    },
    "log": { op throws(FoveaError) in try op.logarithm() },
    "round": { op throws(FoveaError) in try op.unary(.round) },
    "rsqrt": { op throws(FoveaError) in
      try op.unary(.rsqrt, alpha: op.float("epsilon", default: 1e-12))
    },
    "sign": { op throws(FoveaError) in try op.unary(.sign) },
    "sin": { op throws(FoveaError) in try op.unary(.sin) },
    "sinh": { op throws(FoveaError) in try op.unary(.sinh) },
    "sqrt": { op throws(FoveaError) in try op.unary(.sqrt) },
    "square": { op throws(FoveaError) in
      let x = try op.tensor("x")
      return op.result(try op.graph.binary(.multiply, x, x), try op.classOf("x"))
    },
    "tan": { op throws(FoveaError) in try op.unary(.tan) },
    "threshold": { op throws(FoveaError) in
      try op.unary(.threshold, alpha: op.float("alpha"))
    },
  ]

  /// What kind of numbers an argument has.
  func classOf(_ name: String) throws(FoveaError) -> ElementClass {
    try argument(name).elementClass ?? .float
  }

  /// A function of "x".
  func unary(
    _ function: fov_unary_function, alpha: Float = 0, beta: Float = 0
  ) throws(FoveaError) -> [ProgramValue] {
    let value = try graph.unary(tensor("x"), function, alpha: alpha, beta: beta)
    return result(value, try classOf("x"))
  }

  /// A function of "x" and "y", of the class of its arguments or of a stated one.
  private func binary(
    _ function: fov_binary_function, _ elementClass: ElementClass? = nil
  ) throws(FoveaError) -> [ProgramValue] {
    let value = try graph.binary(function, tensor("x"), tensor("y"))
    if let elementClass { return result(value, elementClass) }
    return result(value, try commonClass())
  }

  /// The class of what is computed of "x" and "y".
  func commonClass() throws(FoveaError) -> ElementClass {
    let classes = [try classOf("x"), try classOf("y")]
    return classes.contains(.float) ? .float : .integer
  }

  // MARK: Sums and products with constants

  private func add() throws(FoveaError) -> [ProgramValue] {
    for (name, other) in [("x", "y"), ("y", "x")] {
      guard let constant = try argument(other).constant else { continue }
      let given = try argument(name)
      if case .image(let image) = given, let shifted = try image.shifted(by: constant) {
        return [.image(shifted)]
      }
      if let value = try affine(given, scale: nil, bias: constant) {
        return result(value, try commonClass())
      }
    }
    return try binary(.add)
  }

  private func subtract() throws(FoveaError) -> [ProgramValue] {
    if case .image(let image) = try argument("x"), let constant = try argument("y").constant,
      let shifted = try image.shifted(by: constant, isSubtracted: true)
    {
      return [.image(shifted)]
    }
    if let constant = try argument("y").constant, constant.count == 1,
      constant.shape.count <= (try argument("x").shape.count)
    {
      let value = try graph.unary(tensor("x"), .linear, alpha: 1, beta: -constant.floats()[0])
      return result(value, try commonClass())
    }
    return try binary(.subtract)
  }

  private func multiply() throws(FoveaError) -> [ProgramValue] {
    for (name, other) in [("x", "y"), ("y", "x")] {
      guard let constant = try argument(other).constant else { continue }
      let given = try argument(name)
      if case .image(let image) = given, let scaled = try image.scaled(by: constant) {
        return [.image(scaled)]
      }
      if let value = try affine(given, scale: constant, bias: nil) {
        return result(value, try commonClass())
      }
    }
    return try binary(.multiply)
  }

  /// A value times or plus a constant that has one element, or one for each channel: forms that the
  /// core moves into convolutions. `nil` for other constants.
  private func affine(
    _ given: ProgramValue, scale: ConstantValue?, bias: ConstantValue?
  ) throws(FoveaError) -> GraphValue? {
    guard let constant = scale ?? bias, constant.shape.count <= given.shape.count else {
      return nil
    }
    if constant.count == 1 {
      let number = try constant.floats()[0]
      return try graph.unary(
        value(given), .linear, alpha: scale == nil ? 1 : number, beta: bias == nil ? 0 : number)
    }
    // [..., channels, 1, 1] beside planes.
    guard given.shape.count >= 3, constant.shape.count >= 3,
      constant.count == given.shape[given.shape.count - 3],
      constant.shape[constant.shape.count - 3] == constant.count
    else { return nil }
    return try graph.channelAffine(
      value(given), scale: scale?.floats(), bias: bias?.floats())
  }

  // MARK: Functions with rules of their own

  /// Quotients of integers are cut towards zero.
  private func divide() throws(FoveaError) -> [ProgramValue] {
    if case .image(let image) = try argument("x"), let constant = try argument("y").constant,
      let divided = try image.divided(by: constant)
    {
      return [.image(divided)]
    }
    return try commonClass() == .integer ? binary(.truncated_divide) : binary(.divide)
  }

  private func power() throws(FoveaError) -> [ProgramValue] {
    if let constant = try argument("y").constant, constant.count == 1,
      constant.shape.count <= (try argument("x").shape.count)
    {
      let exponent = try constant.floats()[0]
      let x = try tensor("x")
      let value =
        exponent == 2
        ? try graph.binary(.multiply, x, x) : try graph.unary(x, .power, alpha: exponent)
      return result(value, try commonClass())
    }
    return try binary(.power)
  }

  /// log(x + epsilon).
  private func logarithm() throws(FoveaError) -> [ProgramValue] {
    let epsilon = try float("epsilon", default: .leastNonzeroMagnitude)
    let x = try tensor("x")
    // Less than any sum can show: log(0) stays minus infinity only without it.
    let shifted = epsilon == 0 ? x : try graph.unary(x, .linear, alpha: 1, beta: epsilon)
    return result(try graph.unary(shifted, .log))
  }

  private func select() throws(FoveaError) -> [ProgramValue] {
    let value = try graph.select(tensor("cond"), tensor("a"), tensor("b"))
    return result(value, try classOf("a"))
  }

  /// Floats become integers by cutting off fractions, and truth values by being 0 or not. Other
  /// casts change nothing, since all numbers are floats in the core.
  private func cast() throws(FoveaError) -> [ProgramValue] {
    let given = try argument("x")
    let word = try string("dtype")
    guard let type = ElementType(rawValue: word), let wanted = ElementClass(type),
      let found = given.elementClass
    else { throw mismatch("\"dtype\" is \"\(ModelText.readable(word))\"") }
    switch (found, wanted) {
    case (.float, .integer): return result(try graph.unary(value(given), .truncate), .integer)
    case (.float, .boolean), (.integer, .boolean):
      let zero = try graph.constant([0], shape: [])
      return result(try graph.binary(.not_equal, value(given), zero), .boolean)
    case _ where found == wanted: return [given]
    default:
      guard let constant = given.constant else { return result(try value(given), wanted) }
      try graph.budget?.spend(constant.count)
      return [
        .constant(ConstantValue(try constant.floats(), shape: constant.shape, as: wanted))
      ]
    }
  }
}
