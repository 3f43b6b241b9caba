// Fovea - tests of sums behind convolutions of 16-bit integers.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

@Suite struct Int16SumTests {
  /// y = relu(a * image); sum = relu(c * relu(b * y) + y); result = d * sum. Layers are 1x1.
  private struct Bottleneck: TestNetwork {
    static let channels = 32, side = 7

    var input: [Float] {
      var random = SplitMix(seed: 11)
      return (0..<Self.channels * Self.side * Self.side).map { _ in
        Float.random(in: -1...1, using: &random)
      }
    }

    func build(_ graph: OpaquePointer) throws {
      var random = SplitMix(seed: 12)
      var shape = fov_shape(sizes: [1, Self.channels, Self.side, Self.side])
      let image = try addedValue { fov_graph_add_input(graph, "image", .float32, &shape, $0, $1) }
      let y = try relu(graph, try layer("a", graph, image, &random))
      let inner = try relu(graph, try layer("b", graph, y, &random))
      let projected = try layer("c", graph, inner, &random)
      let sum = try relu(
        graph, try addedValue { fov_graph_add_binary(graph, .add, projected, y, $0, $1) })
      let result = try layer("d", graph, sum, &random)
      try check { fov_graph_mark_output(graph, result, "result", $0) }
    }

    private func layer(
      _ label: String, _ graph: OpaquePointer, _ input: fov_value, _ random: inout SplitMix
    ) throws -> fov_value {
      try #require(fov_graph_set_label(graph, label) == .ok)
      return try addedPointConvolution(
        graph, input, inputs: Self.channels, outputs: Self.channels, limit: 0.3, random: &random)
    }

    private func relu(_ graph: OpaquePointer, _ input: fov_value) throws -> fov_value {
      var unary = fov_unary(function: .relu, alpha: 0, beta: 0)
      return try addedValue { fov_graph_add_unary(graph, &unary, input, $0, $1) }
    }
  }

  /// What layer c reads is never codes, but what it writes is: the sum is computed before it is
  /// rounded.
  @Test func aSumBehindTwoLayersIsCodes() throws {
    let network = Bottleneck()
    let exact = try NetworkRun(network, .reference).outputs[0]
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let scalar = try NetworkRun(
      network, .int8, instructionSet: .scalar, ranges: ranges, int16Layers: ["b", "c"])
    #expect(!scalar.operations.contains("add"), "\(scalar.operations)")
    // Two values are rounded to 8 bits.
    #expect(signalToNoise(scalar.outputs[0], exact) > 33)
    for set in NetworkVariety.instructionSets {
      let found = try NetworkRun(
        network, .int8, threads: 2, instructionSet: set, ranges: ranges, int16Layers: ["b", "c"],
        isCompiled: true)
      #expect(found.bits == scalar.bits, "\(set)")
    }
  }
}
