// Fovea - tests of the functions of one element.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Foundation
import FoveaTestSupport
import Testing

/// A function with its parameters, the arguments it takes and what it should give.
struct UnaryCase: CustomTestStringConvertible {
  var function: fov_unary_function
  var alpha: Float = 0
  var beta: Float = 0
  var range: ClosedRange<Float> = -6...6
  var expected: @Sendable (Double) -> Double

  var testDescription: String { "function \(function.rawValue)" }

  var add: AddOperation {
    var parameters = fov_unary(function: function, alpha: alpha, beta: beta)
    return { fov_graph_add_unary($0, &parameters, $1[0], $2, $3) }
  }
}

private let unaryCases: [UnaryCase] = [
  UnaryCase(function: .linear, alpha: 0.5, beta: -2) { 0.5 * $0 - 2 },
  UnaryCase(function: .relu) { max($0, 0) },
  UnaryCase(function: .leaky_relu, alpha: 0.125) { $0 >= 0 ? $0 : 0.125 * $0 },
  UnaryCase(function: .thresholded_relu, alpha: 1.5) { $0 >= 1.5 ? $0 : 0 },
  UnaryCase(function: .clip, alpha: -1, beta: 2) { min(max($0, -1), 2) },
  UnaryCase(function: .clamped_relu, alpha: 0.25, beta: 3) { min($0 >= 0 ? $0 : 0.25 * $0, 3) },
  UnaryCase(function: .sigmoid, range: -90...90) { 1 / (1 + exp(-$0)) },
  UnaryCase(function: .hard_sigmoid, alpha: 0.25, beta: 0.5) { min(max(0.25 * $0 + 0.5, 0), 1) },
  UnaryCase(function: .tanh) { tanh($0) },
  UnaryCase(function: .scaled_tanh, alpha: 1.75, beta: 0.5) { 1.75 * tanh(0.5 * $0) },
  UnaryCase(function: .elu, alpha: 1.5) { $0 >= 0 ? $0 : 1.5 * expm1($0) },
  UnaryCase(function: .softsign) { $0 / (1 + abs($0)) },
  UnaryCase(function: .softplus, range: -80...800) { $0 > 40 ? $0 : log1p(exp($0)) },
  UnaryCase(function: .gelu, range: -2...6) { $0 * (1 + erf($0 / 2.0.squareRoot())) / 2 },
  UnaryCase(function: .gelu_tanh, range: -2...6) {
    $0 * (1 + tanh((2 / Double.pi).squareRoot() * ($0 + 0.044715 * $0 * $0 * $0))) / 2
  },
  UnaryCase(function: .gelu_sigmoid) { $0 / (1 + exp(-Double(1.702 as Float) * $0)) },
  UnaryCase(function: .sqrt, range: 0...1000) { $0.squareRoot() },
  UnaryCase(function: .rsqrt, alpha: 0.5, range: 0...1000) { 1 / ($0 + 0.5).squareRoot() },
  UnaryCase(function: .inverse, alpha: 0.5, range: 0...9) { 1 / ($0 + 0.5) },
  UnaryCase(function: .power, alpha: 2.5, range: 0...9) { pow($0, 2.5) },
  UnaryCase(function: .exp, range: -90...90) { Double(Float(exp($0))) },
  UnaryCase(function: .exp2, range: -140...120) { exp2($0) },
  UnaryCase(function: .log, range: 2...1000) { log($0) },
  UnaryCase(function: .abs) { abs($0) },
  UnaryCase(function: .threshold, alpha: -0.5) { max($0, -0.5) },
  UnaryCase(function: .ceil) { $0.rounded(.up) },
  UnaryCase(function: .floor) { $0.rounded(.down) },
  UnaryCase(function: .round) { $0.rounded(.toNearestOrEven) },
  UnaryCase(function: .sign) { $0 > 0 ? 1 : $0 < 0 ? -1 : 0 },
  UnaryCase(function: .sin, range: -1...1) { sin($0) },
  UnaryCase(function: .cos, range: -1...1) { cos($0) },
  UnaryCase(function: .tan, range: -1...1) { tan($0) },
  UnaryCase(function: .asin, range: -1...1) { asin($0) },
  UnaryCase(function: .acos, range: -1...0.9) { acos($0) },
  UnaryCase(function: .atan) { atan($0) },
  UnaryCase(function: .sinh) { sinh($0) },
  UnaryCase(function: .cosh) { cosh($0) },
  UnaryCase(function: .asinh) { asinh($0) },
  UnaryCase(function: .acosh, range: 1.1...1000) { acosh($0) },
  UnaryCase(function: .atanh, range: -0.9...0.9) { atanh($0) },
  UnaryCase(function: .erf, range: -3...3) { erf($0) },
  UnaryCase(function: .logical_not) { $0 == 0 ? 1 : 0 },
  UnaryCase(function: .truncate) { $0.rounded(.towardZero) },
  UnaryCase(function: .silu) { $0 / (1 + exp(-$0)) },
  UnaryCase(function: .quantized, alpha: 0.125, beta: 3) {
    0.125 * (min(max(($0 / 0.125).rounded(.toNearestOrEven) + 3, 0), 255) - 3)
  },
  UnaryCase(function: .hard_silu, alpha: 0.25, beta: -1.5) {
    $0 < -1.5 ? 0 : $0 * min(max(0.25 * $0 + 0.5, 0), 1)
  },
  UnaryCase(function: .coded_silu, alpha: 0.125, beta: 3) {
    $0 * 0.125 * (1 / (1 + exp(-$0)) / 0.125).rounded(.toNearestOrEven)
  },
]

@Suite struct UnaryTests {
  @Test func everyFunctionHasACase() {
    #expect(unaryCases.map(\.function.rawValue) == Array(0...46))
  }

  @Test(arguments: unaryCases, InputPlace.allCases)
  func matchesDoublePrecision(_ sample: UnaryCase, _ place: InputPlace) throws {
    var generator = SplitMix(seed: UInt64(sample.function.rawValue))
    for rank in 1...5 {
      let input = generator.array(generator.shape(rank: rank, limit: 2000), in: sample.range)
      let result = try GraphRunner.run([input], from: place, add: sample.add)
      let expected = DenseArray(
        input.shape, input.values.map { Float(sample.expected(Double($0))) })
      expectClose(result, expected, relative: 4e-6, absolute: 4e-7)
    }
  }

  @Test(arguments: unaryCases.filter { $0.function != .logical_not })
  func notANumberStays(_ sample: UnaryCase) throws {
    // A row long enough for the vectorized part and its remainder.
    let row = [Float](repeating: .nan, count: 21)
    let result = try GraphRunner.run([DenseArray([21], row)], add: sample.add)
    #expect(result.values.allSatisfy { $0.isNaN })
  }

  @Test func valuesWhereFunctionsTurn() throws {
    func values(
      _ function: fov_unary_function, alpha: Float = 0, beta: Float = 0, of x: [Float]
    ) throws -> [Float] {
      let sample = UnaryCase(function: function, alpha: alpha, beta: beta) { $0 }
      return try GraphRunner.run([DenseArray([x.count], x)], add: sample.add).values
    }
    let infinity = Float.infinity
    // Halves go to the even number before the zero point is added.
    #expect(
      try values(
        .quantized, alpha: 0.5, beta: 1, of: [0.25, 0.75, -0.25, -0.5, -9, 1e30, -1e30, infinity])
        == [0, 1, 0, -0.5, -0.5, 127, -0.5, 127])
    #expect(try values(.round, of: [0.5, 1.5, 2.5, -0.5, -1.5, 1e9]) == [0, 2, 2, 0, -2, 1e9])
    let tiny = Float.leastNonzeroMagnitude
    #expect(try values(.sign, of: [0, -0.0, tiny, -tiny, infinity]) == [0, 0, 1, -1, 1])
    #expect(try values(.sigmoid, of: [-infinity, -200, 0, 200, infinity]) == [0, 0, 0.5, 1, 1])
    #expect(try values(.softplus, of: [-infinity, infinity, 1000]) == [0, infinity, 1000])
    #expect(try values(.thresholded_relu, alpha: 1, of: [1, Float(1).nextDown, 2]) == [1, 0, 2])
    #expect(try values(.clip, alpha: -infinity, beta: 1, of: [-1e38, 2]) == [-1e38, 1])
    #expect(try values(.clamped_relu, alpha: -1, beta: 6, of: [-9, -2, 9]) == [6, 2, 6])
    #expect(try values(.power, alpha: 0.5, of: [4, 0, infinity]) == [2, 0, infinity])
    #expect(try values(.inverse, of: [0, -4]) == [infinity, -0.25])
    #expect(try values(.log, of: [0, 1]) == [-infinity, 0])
    #expect(try values(.logical_not, of: [0, -0.0, 1, -infinity, .nan]) == [1, 1, 0, 0, 0])
    #expect(try values(.truncate, of: [1.9, -1.9, 1e9, -infinity]) == [1, -1, 1e9, -infinity])
  }

  @Test func refusals() throws {
    let bad = UnaryCase(function: fov_unary_function(rawValue: 46)!) { $0 }
    #expect(try GraphRunner.status(shapes: [[3]], add: bad.add) == .invalid_argument)
    // The number of these bits is 1e-42, whose reciprocal is infinite.
    let codes: [(Float, Float)] = [
      (0, 3), (-1, 3), (.infinity, 3), (Float(bitPattern: 714), 3), (1, -1), (1, 256), (1, 0.5),
    ]
    for (alpha, beta) in codes {
      let sample = UnaryCase(function: .quantized, alpha: alpha, beta: beta) { $0 }
      #expect(try GraphRunner.status(shapes: [[3]], add: sample.add) == .invalid_argument)
    }
    for (alpha, beta) in [(Float.nan, Float(0)), (0, .nan)] {
      let sample = UnaryCase(function: .clip, alpha: alpha, beta: beta) { $0 }
      #expect(try GraphRunner.status(shapes: [[3]], add: sample.add) == .invalid_argument)
    }
  }
}
