// Fovea - lowering of arithmetic element by element.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension LayerLowering {
  /// A function of scale * x + shift.
  func unary(_ parameters: UnaryFunctionLayer) throws(FoveaError) -> GraphValue {
    var value = try onlyInput()
    if parameters.scale != 1 || parameters.shift != 0 {
      value = try graph.unary(
        value, .linear, alpha: parameters.scale, beta: parameters.shift)
    }
    return switch parameters.operation {
    case .squareRoot: try graph.unary(value, .sqrt)
    case .reciprocalSquareRoot: try graph.unary(value, .rsqrt, alpha: parameters.epsilon)
    case .inverse: try graph.unary(value, .inverse, alpha: parameters.epsilon)
    case .power: try graph.unary(value, .power, alpha: parameters.alpha)
    case .exponential: try graph.unary(value, .exp)
    case .logarithm: try logarithm(value, epsilon: parameters.epsilon)
    case .absolute: try graph.unary(value, .abs)
    case .threshold: try graph.unary(value, .threshold, alpha: parameters.alpha)
    }
  }

  /// log(x + epsilon), as Core ML computes it; the comment of the format says log(x).
  private func logarithm(_ value: GraphValue, epsilon: Float) throws(FoveaError) -> GraphValue {
    let shifted =
      epsilon == 0 ? value : try graph.unary(value, .linear, alpha: 1, beta: epsilon)
    return try graph.unary(shifted, .log)
  }

  /// A function without parameters.
  func elementwise(_ function: ElementwiseFunction) throws(FoveaError) -> GraphValue {
    let core: fov_unary_function =
      switch function {
      case .ceil: .ceil
      case .floor: .floor
      case .sign: .sign
      case .round: .round
      case .exp2: .exp2
      case .sin: .sin
      case .cos: .cos
      case .tan: .tan
      case .asin: .asin
      case .acos: .acos
      case .atan: .atan
      case .sinh: .sinh
      case .cosh: .cosh
      case .tanh: .tanh
      case .asinh: .asinh
      case .acosh: .acosh
      case .atanh: .atanh
      case .erf: .erf
      }
    return try graph.unary(onlyInput(), core)
  }

  /// The sum of the inputs, or x + alpha.
  func add(alpha: Float) throws(FoveaError) -> GraphValue {
    if inputs.count == 1 { return try graph.unary(inputs[0], .linear, alpha: 1, beta: alpha) }
    return try folded(.add)
  }

  /// The product of the inputs, or alpha * x.
  func multiply(alpha: Float) throws(FoveaError) -> GraphValue {
    if inputs.count == 1 { return try graph.unary(inputs[0], .linear, alpha: alpha) }
    return try folded(.multiply)
  }

  /// The mean of the inputs.
  func average() throws(FoveaError) -> GraphValue {
    let sum = try folded(.add)
    return inputs.count == 1
      ? sum : try graph.unary(sum, .linear, alpha: 1 / Float(inputs.count))
  }

  /// The inputs joined from left to right by a function of two values.
  func folded(_ function: fov_binary_function) throws(FoveaError) -> GraphValue {
    guard var result = inputs.first else {
      throw FoveaError(.invalidGraph, "it has no input; \(FoveaError.damaged)")
    }
    for input in inputs.dropFirst() { result = try graph.binary(function, result, input) }
    return result
  }

  /// Arithmetic on two values whose shapes are aligned at their last dimension.
  func broadcastable(_ operation: BroadcastableOperation) throws(FoveaError) -> GraphValue {
    let (left, right) = try bothInputs()
    let function: fov_binary_function =
      switch operation {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      case .divide: .divide
      case .power: .power
      case .maximum: .maximum
      case .minimum: .minimum
      case .modulo: .modulo
      case .floorDivide: .floor_divide
      }
    return try graph.binary(function, left, right)
  }
}
