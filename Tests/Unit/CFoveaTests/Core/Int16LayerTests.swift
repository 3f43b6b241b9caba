// Fovea - tests of convolutions of 16-bit integers between layers of 8 bits.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

@Suite struct Int16LayerTests {
  /// An empty line: that of all convolutions, which have no label in these networks.
  private static let all = [""]

  /// One layer of 16-bit integers: `result = weights * image`, 1x1.
  private struct Product: TestNetwork {
    static let inputs = 40, outputs = 20, side = 6
    var input: [Float] = {
      var random = SplitMix(seed: 3)
      return (0..<inputs * side * side).map { _ in Float.random(in: -2...3, using: &random) }
    }()
    var weights: [Float] = {
      var random = SplitMix(seed: 4)
      return (0..<inputs * outputs).map { _ in Float.random(in: -1...1, using: &random) }
    }()

    func build(_ graph: OpaquePointer) throws {
      var shape = fov_shape(sizes: [1, Self.inputs, Self.side, Self.side])
      let image = try addedValue {
        fov_graph_add_input(graph, "image", .float32, &shape, $0, $1)
      }
      var convolution = fov_convolution()
      convolution.output_channels = Self.outputs
      convolution.groups = 1
      convolution.kernel = (1, 1)
      convolution.stride = (1, 1)
      convolution.dilation = (1, 1)
      let result = try addedValue { out, diagnostic in
        StoredWeights.float32(weights).withDescription {
          fov_graph_add_convolution(graph, &convolution, $0, nil, image, out, diagnostic)
        }
      }
      try check { fov_graph_mark_output(graph, result, "result", $0) }
    }

    /// Of the image, each value held within `limit`.
    func exact(limit: Float = .infinity) -> [Double] {
      let plane = Self.side * Self.side
      return (0..<Self.outputs * plane).map { place in
        (0..<Self.inputs).reduce(0.0) { sum, channel in
          let value = max(-limit, min(limit, input[channel * plane + place % plane]))
          return sum + Double(weights[place / plane * Self.inputs + channel]) * Double(value)
        }
      }
    }
  }

  /// Two layers of 16-bit integers with an activation between them: `result = second * activation(first * image)`.
  private struct Chain: TestNetwork {
    static let sizes = [24, 21, 13], side = 9
    var activation: fov_unary
    /// Whether both layers double the size.
    var isTransposed = false

    var input: [Float] {
      var random = SplitMix(seed: 5)
      return (0..<Self.sizes[0] * Self.side * Self.side).map { _ in
        Float.random(in: -1...1, using: &random)
      }
    }

    func build(_ graph: OpaquePointer) throws {
      var random = SplitMix(seed: 6)
      var shape = fov_shape(sizes: [1, Self.sizes[0], Self.side, Self.side])
      var value = try addedValue { fov_graph_add_input(graph, "image", .float32, &shape, $0, $1) }
      for layer in 0..<2 {
        var convolution = fov_convolution()
        convolution.output_channels = Self.sizes[layer + 1]
        convolution.groups = 1
        convolution.kernel = (3, 3)
        convolution.stride = isTransposed ? (2, 2) : (1, 1)
        convolution.dilation = (1, 1)
        convolution.before = (1, 1)
        convolution.after = (1, 1)
        let weights = (0..<Self.sizes[layer] * Self.sizes[layer + 1] * 9).map { _ in
          Float.random(in: -0.2...0.2, using: &random)
        }
        let read = value
        let add = isTransposed ? fov_graph_add_transposed_convolution : fov_graph_add_convolution
        value = try addedValue { out, diagnostic in
          StoredWeights.float32(weights).withDescription {
            add(graph, &convolution, $0, nil, read, out, diagnostic)
          }
        }
        guard layer == 0 else { continue }
        var unary = activation
        let sums = value
        value = try addedValue { fov_graph_add_unary(graph, &unary, sums, $0, $1) }
      }
      try check { fov_graph_mark_output(graph, value, "result", $0) }
    }
  }

  private func worst(_ found: [Float], _ exact: [Double]) -> Double {
    zip(found, exact).map { abs(Double($0) - $1) }.max() ?? .infinity
  }

  /// Half a step for each of 40 activations of at most 3, where words have 8191 steps for 6, and for each weight.
  @Test func errorsAreThoseOfRoundingToInt16() throws {
    let network = Product()
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let bytes = try NetworkRun(network, .int8, ranges: ranges)
    let words = try NetworkRun(network, .int8, ranges: ranges, int16Layers: Self.all)
    let largestSum = (0..<Product.outputs).map { row in
      network.weights[row * Product.inputs..<(row + 1) * Product.inputs].reduce(0) { $0 + abs($1) }
    }.max()!
    let step = Double(6.0 / 8191), weightStep = Double(largestSum) * 8191 / 0x1p31 * 1.001
    let bound =
      0.5 * step * Double(largestSum) + 0.5 * weightStep * 3 * Double(Product.inputs)
    let exact = network.exact()
    #expect(worst(words.outputs[0], exact) <= bound)
    #expect(worst(words.outputs[0], exact) < 0.1 * worst(bytes.outputs[0], exact))
  }

  /// Words reach to twice what a calibration saw; beyond it values are held, and sums of the largest do not overflow.
  @Test(arguments: [Float(2), 4, 1000]) func valuesBeyondTheRangesAreHeld(_ factor: Float) throws {
    var network = Product()
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let largest = network.input.map(abs).max()!
    network.input = network.input.map { $0 * factor }
    let found = try NetworkRun(network, .int8, ranges: ranges, int16Layers: Self.all)
    let exact = network.exact(limit: 2 * largest)
    let size = exact.map(abs).max()!
    #expect(worst(found.outputs[0], exact) < 0.002 * size)
  }

  /// Weights of one sign, all as large as they can be, and activations that are held at the largest word.
  @Test func theLargestSumsFit() throws {
    var network = Product()
    network.weights = network.weights.map { _ in 0.75 }
    network.input = network.input.map { _ in 1 }
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    network.input = network.input.map { _ in 1e6 }
    let found = try NetworkRun(network, .int8, ranges: ranges, int16Layers: Self.all)
    #expect(found.outputs[0].allSatisfy { abs($0 - 2 * 0.75 * 40) < 0.01 })
  }

  @Test func nothingChangesWithoutRanges() throws {
    let expected = try NetworkRun(Product(), .int8)
    let found = try NetworkRun(Product(), .int8, int16Layers: Self.all)
    #expect(found.bits == expected.bits && found.operations == expected.operations)
  }

  /// Noise of the words of bottlenecks, whose depthwise layers stay in 8 bits. Shares of single ones
  /// are from 0.27 to 0.71; the sum over 24 of them is known to 0.03.
  @Test func lessIsLost() throws {
    var (bytes, words) = (0.0, 0.0)
    for draw in 0..<24 {
      let network = UnevenBottleneck(spread: 8, draw: UInt64(draw))
      let exact = try NetworkRun(network, .reference).outputs[0]
      let ranges = try NetworkRun(network, .float32, measures: true).ranges
      func noise(_ int16Layers: [String]) throws -> Double {
        let found = try NetworkRun(
          network, .int8, ranges: ranges, int16Layers: int16Layers, floatSums: true)
        return zip(found.outputs[0], exact).reduce(0) {
          $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1))
        }
      }
      bytes += try noise([])
      words += try noise(Self.all)
    }
    #expect(words < 0.5 * bytes, "\(words) of \(bytes)")
  }

  /// What layers of 16-bit integers read is written as 16-bit integers: only the image is converted. Bounds hold as in floats.
  @Test(
    arguments: [
      fov_unary(function: .leaky_relu, alpha: 0.1, beta: 0),
      fov_unary(function: .relu, alpha: 0, beta: 0),
      fov_unary(function: .clip, alpha: -0.25, beta: 0.5),
      fov_unary(function: .threshold, alpha: 7, beta: 0),
    ], [false, true])
  func int16ValuesGoFromLayerToLayer(_ activation: fov_unary, _ isTransposed: Bool) throws {
    let network = Chain(activation: activation, isTransposed: isTransposed)
    let layer = isTransposed ? "transposed convolution" : "convolution"
    let exact = try NetworkRun(network, .float32, observes: true)
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let found = try NetworkRun(
      network, .int8, ranges: ranges, int16Layers: Self.all, observes: true)
    #expect(
      found.operations == [
        "to_channels_last", "quantize", layer, layer, "to_planes",
      ])
    #expect(found.values.keys.sorted() == exact.values.keys.sorted())
    for (value, elements) in found.values {
      #expect(signalToNoise(elements, try #require(exact.values[value])) > 55)
    }
    #expect(signalToNoise(found.outputs[0], exact.outputs[0]) > 55)
  }

  /// A depthwise layer of 8 bits writes words for the dense one behind it; who also feeds others writes floats.
  @Test func codesBecomeInt16() throws {
    let network = UnevenBottleneck(spread: 1)
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let found = try NetworkRun(
      network, .int8, ranges: ranges, int16Layers: Self.all, floatSums: true)
    let kinds = ["convolution", "quantize", "add"]
    #expect(
      found.operations.filter(kinds.contains) == [
        "quantize", "convolution",  // the stream, in floats,
        "quantize", "convolution", "convolution", "convolution",  // widened, filtered and projected
        "add", "quantize", "convolution",
      ])
  }

  @Test(arguments: NetworkVariety.seeds, [false, true])
  func bitsAreTheSameEverywhere(_ seed: UInt64, _ floatSums: Bool) throws {
    try expectSameBits(RandomNetwork(seed: seed, isOneSided: floatSums), floatSums: floatSums)
  }

  @Test(arguments: NetworkVariety.largeKinds)
  func largeLayersAreTheSameEverywhere(_ kind: RandomNetwork.Kind) throws {
    try expectSameBits(RandomNetwork(seed: 2, kind: kind), floatSums: false)
  }

  private func expectSameBits(_ network: some TestNetwork, floatSums: Bool) throws {
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let expected = try NetworkRun(
      network, .int8, instructionSet: .scalar, ranges: ranges, int16Layers: Self.all,
      floatSums: floatSums)
    for set in NetworkVariety.instructionSets {
      for isCompiled in [false, true] {
        let found = try NetworkRun(
          network, .int8, threads: 3, instructionSet: set, ranges: ranges, int16Layers: Self.all,
          floatSums: floatSums, isCompiled: isCompiled, frames: 2)
        #expect(found.bits == expected.bits, "\(set), compiled: \(isCompiled)")
      }
    }
  }
}
