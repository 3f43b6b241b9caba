// Fovea - operations that ONNX files write in parts.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// Recognizes a few operations by the last of their parts. What the parts gave is not read any more,
/// and is removed from the graph.
///
///     x / sqrt(2), Erf, + 1, * x, * 0.5                            -> gelu(x)
///     mean, x - mean, ^ 2, mean, + e, Sqrt, Div, * gamma, + beta   -> layer_norm(x)
///     x * a, + b, numbers                                          -> linear_activation(x)
///     x * 1, x + 0, x - 0, x / 1                                   -> x
///     Concat, channels of the inputs in turn                       -> concat with interleaving
struct ONNXPatterns {
  private typealias Argument = TensorProgram.Argument

  /// The operations by what they give first.
  private var producers: [String: TensorProgram.Operation] = [:]

  init() {}

  /// Looks for patterns in a function.
  init(_ function: TensorProgram.Function) {
    for operation in function.operations where operation.kind != "const" {
      producers[operation.firstResult] = operation
    }
  }

  /// Translates an operation that is the last part of a pattern; `false` for another one.
  func translate(_ node: ForeignOperation) throws(FoveaError) -> Bool {
    guard ["Add", "Sub", "Mul", "Div", "Reshape"].contains(node.kind), node.inputCount == 2 else {
      return false
    }
    if node.kind == "Reshape" { return try interleaving(node) }
    if try isNeutral(node) { return true }
    switch node.kind {
    case "Mul": return try gelu(node)
    case "Add":
      if try layerNormalization(node) { return true }
      return try linear(node)
    default: return false
    }
  }

  // MARK: Parts

  /// What gives a value, if it is an operation of a kind.
  private func producer(_ argument: Argument?, _ kind: String) -> TensorProgram.Operation? {
    guard case .value(let name)? = argument, let operation = producers[name],
      operation.kind == kind
    else { return nil }
    return operation
  }

  private func inputs(_ operation: TensorProgram.Operation) -> (Argument, Argument)? {
    guard let first = operation.arguments["0"]?.first,
      let second = operation.arguments["1"]?.first
    else { return nil }
    return (first, second)
  }

  /// The number that a value is, whatever its shape of ones.
  private func number(_ argument: Argument?, _ node: ForeignOperation) -> Float? {
    guard let argument, let constant = try? node.program.value(argument).constant,
      constant.count == 1
    else { return nil }
    return try? constant.floats().first
  }

  /// The other of two inputs beside a number.
  private func beside(
    _ operation: TensorProgram.Operation, _ node: ForeignOperation
  ) -> (value: Argument, number: Float)? {
    guard let (first, second) = inputs(operation) else { return nil }
    if let number = number(second, node) { return (first, number) }
    return number(first, node).map { (second, $0) }
  }

  // MARK: Neutral numbers

  private func isNeutral(_ node: ForeignOperation) throws(FoveaError) -> Bool {
    guard let (x, number) = beside(node.operation, node),
      number == (["Mul", "Div"].contains(node.kind) ? 1 : 0)
    else { return false }
    let comesFirst = try node.input(0) == x
    guard comesFirst || ["Mul", "Add"].contains(node.kind) else { return false }
    let value = try node.program.value(x)
    let other = try node.program.value(node.input(comesFirst ? 1 : 0))
    // A number of more dimensions gives the result more.
    guard value.constant == nil, other.shape.count <= value.shape.count,
      value.elementClass == other.elementClass
    else { return false }
    node.handOn(x)
    return true
  }

  // MARK: Channels in turn

  /// Concat, then [N, inputs, C, ...] turned to [N, C, inputs, ...] and put together.
  private func interleaving(_ node: ForeignOperation) throws(FoveaError) -> Bool {
    guard let transpose = producer(node.operation.arguments["0"]?.first, "Transpose"),
      let parts = producer(transpose.arguments["0"]?.first, "Reshape"),
      let joined = producer(parts.arguments["0"]?.first, "Concat")
    else { return false }
    let source = ForeignOperation(joined, version: node.version, program: node.program)
    let values = try source.inputs()
    let shape = try source.shape(0)
    guard values.count >= 2, shape.count >= 3, try source.integer("axis", default: 0) == 1 else {
      return false
    }
    for index in values.indices {
      if try source.shape(index) != shape { return false }
    }
    let rest = Array(shape.dropFirst(2))
    let given = try node.shape(0)
    let order = try ForeignOperation(transpose, version: node.version, program: node.program)
      .integers("perm")
    guard given == [shape[0], shape[1], values.count] + rest,
      order == [0, 2, 1] + Array(3..<given.count),
      try node.reshapedShape() == [shape[0], shape[1] * values.count] + rest
    else { return false }
    try node.program.write(
      "concat",
      ["values": values, "axis": [.integer(1)], "interleave": [.boolean(true)]],
      to: [node.result])
    return true
  }

  // MARK: Linear functions

  private func linear(_ node: ForeignOperation) throws(FoveaError) -> Bool {
    guard let (sum, offset) = beside(node.operation, node), let product = producer(sum, "Mul"),
      let (x, factor) = beside(product, node)
    else { return false }
    let value = try node.program.value(x)
    // Images are scaled and shifted while they are read.
    guard case .computed(_, .float) = value,
      try node.shape(of: sum) == value.shape,
      try node.shape(0).count <= value.shape.count, try node.shape(1).count <= value.shape.count
    else { return false }
    try node.give(
      "linear_activation", ["x": x, "alpha": .float(factor), "beta": .float(offset)])
    return true
  }

  // MARK: Gaussian error linear unit

  private func gelu(_ node: ForeignOperation) throws(FoveaError) -> Bool {
    guard let factors = factors(of: node.operation, depth: 2), factors.count == 3,
      let half = factors.firstIndex(where: { number($0, node) == 0.5 })
    else { return false }
    let rest = factors.indices.filter { $0 != half }.map { factors[$0] }
    for (x, sum) in [(rest[0], rest[1]), (rest[1], rest[0])] {
      guard let sum = producer(sum, "Add"), let (error, one) = beside(sum, node), one == 1,
        let error = producer(error, "Erf"), isScaledByRoot(error.arguments["0"]?.first, x, node),
        try node.program.value(x).constant == nil
      else { continue }
      try node.give("gelu", ["x": x, "mode": .string("EXACT")])
      return true
    }
    return false
  }

  /// The factors of products inside products.
  private func factors(of product: TensorProgram.Operation, depth: Int) -> [Argument]? {
    guard let (first, second) = inputs(product) else { return nil }
    guard depth > 1 else { return [first, second] }
    for (inner, outer) in [(first, second), (second, first)] {
      if let operation = producer(inner, "Mul"),
        let factors = factors(of: operation, depth: depth - 1)
      {
        return factors + [outer]
      }
    }
    return [first, second]
  }

  private func isScaledByRoot(
    _ argument: Argument?, _ x: Argument, _ node: ForeignOperation
  ) -> Bool {
    let root = Float(2).squareRoot()
    if let quotient = producer(argument, "Div"), let (value, divisor) = inputs(quotient) {
      return value == x && abs((number(divisor, node) ?? 0) - root) < 1e-6
    }
    guard let product = producer(argument, "Mul"), let (value, factor) = beside(product, node)
    else { return false }
    return value == x && abs(factor - 1 / root) < 1e-6
  }

  // MARK: Layer normalization

  private func layerNormalization(_ node: ForeignOperation) throws(FoveaError) -> Bool {
    guard let (first, second) = inputs(node.operation) else { return false }
    for (scaled, beta) in [(first, second), (second, first)] {
      guard let product = producer(scaled, "Mul"), let (left, right) = inputs(product) else {
        continue
      }
      for (quotient, gamma) in [(left, right), (right, left)] {
        guard let quotient = producer(quotient, "Div"),
          let (x, epsilon) = standardized(quotient, node),
          let size = try node.shape(of: x).last,
          try isVector(gamma, size, node), try isVector(beta, size, node)
        else { continue }
        try node.give(
          "layer_norm",
          [
            "x": x, "axes": .integers([-1]), "gamma": gamma, "beta": beta,
            "epsilon": .float(epsilon),
          ])
        return true
      }
    }
    return false
  }

  private func isVector(
    _ argument: Argument, _ size: Int, _ node: ForeignOperation
  ) throws(FoveaError) -> Bool {
    try node.program.value(argument).constant?.shape == [size]
  }

  /// The input of (x - mean) / sqrt(mean of squares + epsilon) along the last dimension.
  private func standardized(
    _ quotient: TensorProgram.Operation, _ node: ForeignOperation
  ) -> (x: Argument, epsilon: Float)? {
    guard let (centered, deviation) = inputs(quotient), let x = centeredInput(centered, node),
      let root = producer(deviation, "Sqrt"),
      let sum = producer(root.arguments["0"]?.first, "Add"),
      let (variance, epsilon) = beside(sum, node), let mean = producer(variance, "ReduceMean"),
      isAlongLast(mean, node), let squares = mean.arguments["0"]?.first
    else { return nil }
    let base: Argument
    if let power = producer(squares, "Pow"), let (value, exponent) = inputs(power),
      number(exponent, node) == 2
    {
      base = value
    } else if let product = producer(squares, "Mul"), let (a, b) = inputs(product), a == b {
      base = a
    } else {
      return nil
    }
    guard base == centered || centeredInput(base, node) == x else { return nil }
    return (x, epsilon)
  }

  private func centeredInput(_ argument: Argument, _ node: ForeignOperation) -> Argument? {
    guard let difference = producer(argument, "Sub"), let (x, mean) = inputs(difference),
      let reduction = producer(mean, "ReduceMean"), isAlongLast(reduction, node),
      reduction.arguments["0"]?.first == x
    else { return nil }
    return x
  }

  private func isAlongLast(
    _ reduction: TensorProgram.Operation, _ node: ForeignOperation
  ) -> Bool {
    let reduction = ForeignOperation(reduction, version: node.version, program: node.program)
    guard let rank = try? reduction.shape(0).count,
      (try? reduction.integer("keepdims", default: 1)) == 1,
      let axes = try? reduction.integers("axes", orInput: 1), axes.count == 1
    else { return false }
    return axes == [-1] || axes == [rank - 1]
  }
}
