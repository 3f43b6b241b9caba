// Fovea - tests of gates of channels in 8 bits (squeeze and excitation).
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// y = 1x1 of the image; result = 1x1 of (y * sigmoid(1x1 of the means of y)).
private struct GatedNetwork: TestNetwork {
  static let channels = 37, rows = 9, columns = 7
  var gateIsFirst: Bool
  var activation: fov_unary

  var input: [Float] {
    var random = SplitMix(seed: 7)
    return (0..<Self.channels * Self.rows * Self.columns).map { _ in
      Float.random(in: -1...2, using: &random)
    }
  }

  func build(_ graph: OpaquePointer) throws {
    var random = SplitMix(seed: 8)
    var shape = fov_shape(sizes: [1, Self.channels, Self.rows, Self.columns])
    let image = try addedValue { fov_graph_add_input(graph, "image", .float32, &shape, $0, $1) }
    let sums = try convolution(graph, image, &random)
    var unary = activation
    let y = try addedValue { fov_graph_add_unary(graph, &unary, sums, $0, $1) }
    var pooling = fov_pooling()
    pooling.function = .average
    pooling.kernel = (Self.rows, Self.columns)
    pooling.stride = (1, 1)
    pooling.output = (1, 1)
    let means = try addedValue { fov_graph_add_pooling(graph, &pooling, y, $0, $1) }
    let logits = try convolution(graph, means, &random)
    var sigmoid = fov_unary(function: .sigmoid, alpha: 0, beta: 0)
    let gate = try addedValue { fov_graph_add_unary(graph, &sigmoid, logits, $0, $1) }
    let gated = try addedValue {
      fov_graph_add_binary(
        graph, .multiply, gateIsFirst ? gate : y, gateIsFirst ? y : gate, $0, $1)
    }
    let result = try convolution(graph, gated, &random)
    try check { fov_graph_mark_output(graph, result, "result", $0) }
  }

  private func convolution(
    _ graph: OpaquePointer, _ input: fov_value, _ random: inout SplitMix
  ) throws -> fov_value {
    try addedPointConvolution(
      graph, input, inputs: Self.channels, outputs: Self.channels, limit: 0.4, random: &random)
  }
}

/// As files with codes write SiLU: every value is rounded to codes of powers of two.
private struct CodedSiLUNetwork: TestNetwork {
  static let channels = 37, step: Float = 0x1p-4
  var input: [Float] {
    var random = SplitMix(seed: 9)
    return (0..<Self.channels * 63).map { _ in Float.random(in: -3...3, using: &random) }
  }

  func build(_ graph: OpaquePointer) throws {
    var random = SplitMix(seed: 10)
    var shape = fov_shape(sizes: [1, Self.channels, 9, 7])
    let image = try addedValue { fov_graph_add_input(graph, "image", .float32, &shape, $0, $1) }
    let sums = try addedPointConvolution(
      graph, codes(graph, image), inputs: Self.channels, outputs: Self.channels, limit: 0.3,
      random: &random)
    let x = try codes(graph, sums)
    var sigmoid = fov_unary(function: .sigmoid, alpha: 0, beta: 0)
    let sigmoids = try addedValue { fov_graph_add_unary(graph, &sigmoid, x, $0, $1) }
    let gate = try codes(graph, sigmoids, scale: 0x1p-8, zero: 0)
    let product = try addedValue { fov_graph_add_binary(graph, .multiply, x, gate, $0, $1) }
    let result = try codes(graph, product)
    try check { fov_graph_mark_output(graph, result, "result", $0) }
  }

  private func codes(
    _ graph: OpaquePointer, _ input: fov_value, scale: Float = step, zero: Float = 100
  ) throws -> fov_value {
    var unary = fov_unary(function: .quantized, alpha: scale, beta: zero)
    return try addedValue { fov_graph_add_unary(graph, &unary, input, $0, $1) }
  }
}

@Suite struct GateTests {
  /// The first two leave each channel a zero point of its own. SiLU is a table, which needs one.
  private static let activations = [
    fov_unary(function: .linear, alpha: 1.5, beta: 0.25),
    fov_unary(function: .relu, alpha: 0, beta: 0),
    fov_unary(function: .silu, alpha: 0, beta: 0),
  ]

  /// The image stays codes, and the gate floats: nothing as large as the image is converted.
  @Test(arguments: [false, true], activations)
  func codesTimesAGateAreCodes(_ gateIsFirst: Bool, _ activation: fov_unary) throws {
    let network = GatedNetwork(gateIsFirst: gateIsFirst, activation: activation)
    let exact = try NetworkRun(network, .reference).outputs[0]
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let scalar = try NetworkRun(network, .int8, instructionSet: .scalar, ranges: ranges)
    let body = scalar.operations.drop { $0 != "convolution" }
    #expect(body.filter { $0 == "multiply" }.count == 1, "\(scalar.operations)")
    #expect(body.filter { $0 == "dequantize" }.count <= 1, "\(scalar.operations)")
    #expect(!body.contains("quantize"), "\(scalar.operations)")
    // Three values are rounded to 8 bits, one after another.
    #expect(signalToNoise(scalar.outputs[0], exact) > 33)
    for set in NetworkVariety.instructionSets {
      let found = try NetworkRun(network, .int8, threads: 2, instructionSet: set, ranges: ranges)
      #expect(found.bits == scalar.bits, "\(set)")
    }
  }

  /// Four functions of the file become one table behind the convolution.
  @Test func codedSiLUIsATable() throws {
    let network = CodedSiLUNetwork()
    let exact = try NetworkRun(network, .reference, keepsAllNodes: true)
    #expect(exact.operations.contains("binary"), "\(exact.operations)")
    let scalar = try NetworkRun(network, .int8, instructionSet: .scalar)
    #expect(scalar.operations.suffix(2) == ["convolution", "to_planes"], "\(scalar.operations)")
    let pairs = zip(scalar.outputs[0], exact.outputs[0])
    #expect(pairs.allSatisfy { abs($0 - $1) <= CodedSiLUNetwork.step })
    let different = pairs.count { $0 != $1 }
    #expect(different * 100 <= exact.outputs[0].count, "\(different)")
    for set in NetworkVariety.instructionSets {
      let found = try NetworkRun(network, .int8, threads: 2, instructionSet: set)
      #expect(found.bits == scalar.bits, "\(set)")
    }
  }
}
