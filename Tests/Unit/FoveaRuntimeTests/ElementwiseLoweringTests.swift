// Fovea - activations and arithmetic against closed forms.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import Foundation
import Testing

@Suite struct ElementwiseLoweringTests {
  static let samples: [Float] = [-3, -1.5, -0.25, 0, 0.5, 1, 2.25, 8]

  /// Checks a layer against a function of one element.
  static func check(
    _ kind: LayerKind, _ function: (Double) -> Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let input = try Tensor(shape: [2, 2, 2], floats: samples)
    let output = try LayerRunner().run(kind, [input], sourceLocation: sourceLocation)
    #expect(output.shape == [2, 2, 2], sourceLocation: sourceLocation)
    expectClose(
      output.floats(), samples.map { Float(function(Double($0))) }, tolerance: 2e-5,
      sourceLocation: sourceLocation)
  }

  @Test func activations() throws {
    try Self.check(.activation(.linear(alpha: 2, beta: -1))) { 2 * $0 - 1 }
    try Self.check(.activation(.relu)) { max($0, 0) }
    try Self.check(.activation(.leakyReLU(alpha: 0.1))) { $0 >= 0 ? $0 : Double(Float(0.1)) * $0 }
    try Self.check(.activation(.thresholdedReLU(alpha: 1))) { $0 >= 1 ? $0 : 0 }
    try Self.check(.activation(.tanh)) { tanh($0) }
    try Self.check(.activation(.scaledTanh(alpha: 3, beta: 0.5))) { 3 * tanh(0.5 * $0) }
    try Self.check(.activation(.sigmoid)) { 1 / (1 + exp(-$0)) }
    try Self.check(.activation(.hardSigmoid(alpha: 0.25, beta: 0.5))) {
      min(max(0.25 * $0 + 0.5, 0), 1)
    }
    try Self.check(.activation(.elu(alpha: 0.5))) { $0 >= 0 ? $0 : 0.5 * (exp($0) - 1) }
    try Self.check(.activation(.softsign)) { $0 / (1 + abs($0)) }
    try Self.check(.activation(.softplus)) { log(1 + exp($0)) }
    try Self.check(.clampedReLU(ClampedReLULayer(alpha: 0.5, beta: 2))) {
      min($0 >= 0 ? $0 : 0.5 * $0, 2)
    }
    try Self.check(.clip(ClipLayer(minimum: -1, maximum: 2))) { min(max($0, -1), 2) }
    try Self.check(.gelu(.exact)) { $0 / 2 * (1 + erf($0 / 2.0.squareRoot())) }
    try Self.check(.gelu(.tanhApproximation)) {
      $0 / 2 * (1 + tanh((2 / Double.pi).squareRoot() * ($0 + 0.044715 * $0 * $0 * $0)))
    }
    try Self.check(.gelu(.sigmoidApproximation)) { $0 / (1 + exp(-1.702 * $0)) }
  }

  @Test func activationsPerChannel() throws {
    let (one, two) = (weights([0.5, -2]), weights([1, 0.25]))
    let input = try Tensor(shape: [2, 2, 2], floats: Self.samples)
    let prelu = try LayerRunner().run(.activation(.prelu(alpha: one)), [input])
    expectClose(prelu.floats(), [-1.5, -0.75, -0.125, 0, 0.5, 1, 2.25, 8])
    let negative = try Tensor(shape: [2, 1, 2], floats: [-1, 2, -3, 4])
    #expect(
      try LayerRunner().run(.activation(.prelu(alpha: one)), [negative]).floats()
        == [-0.5, 2, 6, 4])
    #expect(
      try LayerRunner().run(.activation(.prelu(alpha: weights([0.25]))), [negative]).floats()
        == [-0.25, 2, -0.75, 4])
    let softplus = try LayerRunner().run(
      .activation(.parametricSoftplus(alpha: one, beta: two)), [negative])
    expectClose(
      softplus.floats(),
      [
        0.5 * log(1 + exp(-1)), 0.5 * log(1 + exp(2)), -2 * log(1 + exp(-0.75)),
        -2 * log(1 + exp(1)),
      ])
    let error = try LayerRunner().failure(
      .activation(.prelu(alpha: weights([1, 2, 3]))), [[2, 1, 1]])
    #expect(error.code == .invalidWeights)
  }

  @Test func unaryFunctionsOfScaledValues() throws {
    func unary(_ operation: UnaryOperation, alpha: Float = 0) -> LayerKind {
      .unary(
        UnaryFunctionLayer(operation: operation, alpha: alpha, epsilon: 0.5, shift: 4, scale: 1))
    }
    try Self.check(unary(.squareRoot)) { ($0 + 4).squareRoot() }
    try Self.check(unary(.reciprocalSquareRoot)) { 1 / ($0 + 4.5).squareRoot() }
    try Self.check(unary(.inverse)) { 1 / ($0 + 4.5) }
    try Self.check(unary(.power, alpha: 1.5)) { pow($0 + 4, 1.5) }
    try Self.check(unary(.exponential)) { exp($0 + 4) }
    try Self.check(unary(.logarithm)) { log($0 + 4.5) }
    try Self.check(unary(.absolute)) { abs($0 + 4) }
    try Self.check(unary(.threshold, alpha: 5)) { max($0 + 4, 5) }
    let scaled = UnaryFunctionLayer(operation: .absolute, shift: -1, scale: -2)
    try Self.check(.unary(scaled)) { abs(-2 * $0 - 1) }
  }

  @Test func functionsWithoutParameters() throws {
    let cases: [(ElementwiseFunction, (Double) -> Double)] = [
      (.ceil, { $0.rounded(.up) }), (.floor, { $0.rounded(.down) }),
      (.round, { $0.rounded(.toNearestOrEven) }), (.sign, { $0 > 0 ? 1 : $0 < 0 ? -1 : 0 }),
      (.exp2, { exp2($0) }), (.sin, { sin($0) }), (.cos, { cos($0) }), (.tan, { tan($0) }),
      (.asin, { asin($0) }), (.acos, { acos($0) }), (.atan, { atan($0) }),
      (.sinh, { sinh($0) }), (.cosh, { cosh($0) }), (.tanh, { tanh($0) }),
      (.asinh, { asinh($0) }), (.acosh, { acosh($0) }), (.atanh, { atanh($0) }),
      (.erf, { erf($0) }),
    ]
    #expect(cases.count == ElementwiseFunction.allCases.count)
    for (function, answer) in cases { try Self.check(.elementwise(function), answer) }
  }

  @Test func arithmeticWithOneInput() throws {
    try Self.check(.add(alpha: 1.5)) { $0 + 1.5 }
    try Self.check(.multiply(alpha: -3)) { $0 * -3 }
  }

  @Test func arithmeticWithSeveralInputs() throws {
    let inputs = [
      try tensor([1, 2, 3, 4], seed: 1), try tensor([1, 2, 1, 1], seed: 2),
      try tensor([1, 1, 3, 4], seed: 3),
    ]
    let cases: [(LayerKind, (Double, Double, Double) -> Double)] = [
      (.add(alpha: 9), { $0 + $1 + $2 }), (.multiply(alpha: 9), { $0 * $1 * $2 }),
      (.average, { ($0 + $1 + $2) / 3 }), (.maximum, { max($0, $1, $2) }),
      (.minimum, { min($0, $1, $2) }),
    ]
    for (kind, answer) in cases {
      let output = try LayerRunner().run(kind, inputs)
      #expect(output.shape == [1, 2, 3, 4])
      for c in 0..<2 {
        for r in 0..<3 {
          for k in 0..<4 {
            let expected = answer(
              inputs[0][0, c, r, k], inputs[1][0, c, 0, 0], inputs[2][0, 0, r, k])
            #expect(abs(output[0, c, r, k] - expected) < 1e-5)
          }
        }
      }
    }
  }

  @Test func broadcastableArithmetic() throws {
    let left = try Tensor(shape: [2, 1], floats: [7, -7])
    let right = try Tensor(shape: [3], floats: [2, -2, 3])
    let answers: [(BroadcastableOperation, [Float])] = [
      (.add, [9, 5, 10, -5, -9, -4]), (.subtract, [5, 9, 4, -9, -5, -10]),
      (.multiply, [14, -14, 21, -14, 14, -21]),
      (.divide, [3.5, -3.5, 7 / 3, -3.5, 3.5, -7 / 3]),
      (.power, [49, 1 / 49, 343, 49, 1 / 49, -343]), (.maximum, [7, 7, 7, 2, -2, 3]),
      (.minimum, [2, -2, 3, -7, -7, -7]), (.modulo, [1, -1, 1, 1, -1, 2]),
      (.floorDivide, [3, -4, 2, -4, 3, -3]),
    ]
    #expect(answers.count == BroadcastableOperation.allCases.count)
    for (operation, expected) in answers {
      let output = try LayerRunner().run(.broadcastable(operation), [left, right])
      #expect(output.shape == [2, 3])
      expectClose(output.floats(), expected)
    }
    let error = try LayerRunner().failure(.broadcastable(.add), [[2], [3]])
    #expect(error.code == .shapeMismatch)
  }

  @Test func scaleAndBiasOfEveryShape() throws {
    let input = try tensor([1, 2, 2, 3])
    let shapes = [[1], [2], [2, 1, 1], [1, 2, 3], [2, 2, 3]]
    for scaleShape in shapes {
      for biasShape in shapes {
        let scale = numbers(scaleShape.reduce(1, *), seed: 5)
        let bias = numbers(biasShape.reduce(1, *), seed: 6)
        let layer = ScaleLayer(
          scaleShape: scaleShape, scale: weights(scale), biasShape: biasShape, bias: weights(bias))
        let output = try LayerRunner().run(.scale(layer), [input]).floats()
        let expected = input.floats().enumerated().map { index, x in
          x * Self.at(index, scale, scaleShape) + Self.at(index, bias, biasShape)
        }
        expectClose(output, expected)
      }
    }
    let only = BiasLayer(shape: [2], bias: weights([10, 20]))
    let output = try LayerRunner().run(.bias(only), [input]).floats()
    expectClose(output, input.floats().enumerated().map { $1 + ($0 < 6 ? 10 : 20) })
    let wrong = try LayerRunner().failure(
      .bias(BiasLayer(shape: [3], bias: weights([1, 2, 3]))), [[1, 2, 2, 3]])
    #expect(wrong.code == .shapeMismatch)
  }

  /// The value of a stored array at element `index` of [2, 2, 3].
  static func at(_ index: Int, _ values: [Float], _ shape: [Int]) -> Float {
    switch shape {
    case [1]: values[0]
    case [2], [2, 1, 1]: values[index / 6]
    case [1, 2, 3]: values[index % 6]
    default: values[index]
    }
  }
}
