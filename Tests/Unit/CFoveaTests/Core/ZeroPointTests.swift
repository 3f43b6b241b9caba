// Fovea - tests of codes whose channels have zero points of their own.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// Channels of equal width, every other one below zero: y = 4.5 x + 5.5 and its negative, of images
/// whose values are codes themselves. Whatever reads y has weights that 8 bits hold exactly, so that
/// all that is lost is lost by rounding y, and what follows it, to steps.
private struct OneSidedChannels: TestNetwork {
  static let channels = 20, side = 16
  /// A layer that is to stay in float.
  static let floatLayer = "in float"
  /// The greatest of y in 255 steps; one zero point for all channels would make it twice as much.
  static let step: Float = (4.5 * 254 / 255 + 5.5) / 255
  /// The greatest error of every output, in steps of y.
  static let bounds: [Float] = [
    0.5,  // y as planes
    4.5,  // nine neighbors by a dense convolution
    4.5,  // nine neighbors by a depthwise convolution
    9,  // nine neighbors of maxima, averages and y, enlarged; averages are rounded twice
    2,  // y and itself, whose sum has a step of twice the size
    1,  // y through a float layer, rounded again
  ]

  /// Every channel has the least value and the greatest.
  var input: [Float] {
    var random = SplitMix(seed: 3)
    let size = Self.side * Self.side
    return (0..<Self.channels).flatMap { _ in
      ([0, 255] + (2..<size).map { _ in Int.random(in: 0...255, using: &random) })
        .shuffled(using: &random).map { Float($0 - 128) * (2 / 255) }
    }
  }

  func build(_ graph: OpaquePointer) throws {
    let layers = IdentityLayers(graph: graph)
    var shape = fov_shape(sizes: [1, Self.channels, Self.side, Self.side])
    let image = try layers.value {
      fov_graph_add_input(graph, "image", .float32, &shape, $0, $1)
    }
    let y = try layers.convolution(image, channels: Self.channels, gain: 4.5, bias: 5.5)
    let parts = [
      try layers.pooling(y, .maximum, side: Self.side), y,
      try layers.pooling(y, .average, side: Self.side),
    ]
    let beside = try layers.value { fov_graph_add_concat(graph, 1, parts, parts.count, $0, $1) }
    let enlarged = try layers.enlargement(beside, side: 2 * Self.side)
    let again = try layers.convolution(y, channels: Self.channels)
    let sum = try layers.value { fov_graph_add_binary(graph, .add, y, again, $0, $1) }
    try #require(fov_graph_set_label(graph, Self.floatLayer) == .ok)
    let floats = try layers.convolution(y, channels: Self.channels)
    try #require(fov_graph_set_label(graph, "") == .ok)
    let outputs = [
      y,
      try layers.convolution(y, channels: Self.channels, kernel: 3),
      try layers.convolution(y, channels: Self.channels, kernel: 3, isDepthwise: true),
      try layers.convolution(
        enlarged, channels: 3 * Self.channels, kernel: 3, isDepthwise: true),
      try layers.convolution(sum, channels: Self.channels),
      try layers.convolution(floats, channels: Self.channels),
    ]
    for (index, output) in outputs.enumerated() {
      _ = try layers.value { fov_graph_mark_output(graph, output, "output \(index)", $1) }
    }
  }
}

/// Adds layers that keep channels apart.
private struct IdentityLayers {
  let graph: OpaquePointer

  func value(
    _ body: (UnsafeMutablePointer<fov_value>, UnsafeMutablePointer<fov_diagnostic>) -> fov_status
  ) throws -> fov_value {
    var value = fov_value()
    var diagnostic = fov_diagnostic()
    let status = body(&value, &diagnostic)
    guard status == .ok else { throw CoreFailure(status: status, message: "\(diagnostic)") }
    return value
  }

  /// Sums over the neighbors of each channel; with a gain other than 1, of every other one negative.
  func convolution(
    _ input: fov_value, channels: Int, kernel: Int = 1, isDepthwise: Bool = false, gain: Float = 1,
    bias: Float = 0
  ) throws -> fov_value {
    var parameters = fov_convolution()
    parameters.output_channels = channels
    parameters.groups = isDepthwise ? channels : 1
    parameters.kernel = (kernel, kernel)
    parameters.stride = (1, 1)
    parameters.dilation = (1, 1)
    parameters.before = (kernel / 2, kernel / 2)
    parameters.after = (kernel / 2, kernel / 2)
    let signs = (0..<channels).map { gain != 1 && $0 % 2 == 1 ? -1 : 1 as Float }
    let weights = (0..<channels).flatMap { row in
      (0..<(isDepthwise ? 1 : channels)).flatMap { column in
        [Float](
          repeating: isDepthwise || row == column ? gain * signs[row] : 0, count: kernel * kernel)
      }
    }
    return try value { out, diagnostic in
      StoredWeights.float32(weights).withDescription { weights in
        StoredWeights.float32(signs.map { $0 * bias }).withDescription {
          fov_graph_add_convolution(graph, &parameters, weights, $0, input, out, diagnostic)
        }
      }
    }
  }

  /// Windows of 3x3 at a stride of 1.
  func pooling(_ input: fov_value, _ function: fov_pooling_function, side: Int) throws -> fov_value
  {
    var pooling = fov_pooling()
    pooling.function = function
    pooling.kernel = (3, 3)
    pooling.stride = (1, 1)
    pooling.before = (1, 1)
    pooling.output = (side, side)
    return try value { fov_graph_add_pooling(graph, &pooling, input, $0, $1) }
  }

  func enlargement(_ input: fov_value, side: Int) throws -> fov_value {
    var resize = fov_resize()
    resize.filter = .nearest
    resize.output = (side, side)
    resize.step = (0.5, 0.5)
    return try value { fov_graph_add_resize(graph, &resize, input, $0, $1) }
  }
}

@Suite struct ZeroPointTests {
  /// Half a step for every time that a value is rounded, and nothing for borders, whose zero is a code.
  @Test func channelsOnBothSidesOfZeroHaveStepsOfTheirOwnWidth() throws {
    let network = OneSidedChannels()
    let expected = try NetworkRun(network, .reference)
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let found = try NetworkRun(
      network, .int8, ranges: ranges, floatLayers: [OneSidedChannels.floatLayer])
    #expect(
      Set(found.operations).isSuperset(of: ["quantize", "dequantize", "to_planes", "concat"]))
    #expect(found.outputs.count == OneSidedChannels.bounds.count)
    for (index, bound) in OneSidedChannels.bounds.enumerated() {
      let worst = zip(found.outputs[index], expected.outputs[index]).map { abs($0 - $1) }.max()!
      let steps = worst / OneSidedChannels.step
      #expect(steps <= bound * 1.001 + 0.005, "output \(index): \(steps) steps")
      // As many values come near to what rounding can do.
      #expect(steps > bound / 4, "output \(index): \(steps) steps")
    }
  }

  @Test(arguments: [[], [OneSidedChannels.floatLayer]])
  func bitsAreTheSameEverywhere(_ floatLayers: [String]) throws {
    let network = OneSidedChannels()
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let expected = try NetworkRun(
      network, .int8, instructionSet: .scalar, ranges: ranges, floatLayers: floatLayers)
    for set in NetworkVariety.instructionSets {
      for isCompiled in [false, true] {
        let found = try NetworkRun(
          network, .int8, threads: 3, instructionSet: set, ranges: ranges,
          floatLayers: floatLayers, isCompiled: isCompiled, frames: 2)
        #expect(found.bits == expected.bits, "\(set), compiled: \(isCompiled)")
      }
    }
  }

  // MARK: Random networks whose channels lie on either side of zero

  @Test(arguments: NetworkVariety.seeds)
  func randomNetworksAreTheSameEverywhere(_ seed: UInt64) throws {
    let network = RandomNetwork(seed: seed, isOneSided: true)
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let expected = try NetworkRun(network, .int8, instructionSet: .scalar, ranges: ranges)
    for set in NetworkVariety.instructionSets {
      for (threads, isCompiled) in [(1, true), (3, false)] {
        let found = try NetworkRun(
          network, .int8, threads: threads, instructionSet: set, ranges: ranges,
          isCompiled: isCompiled, frames: 2)
        #expect(found.bits == expected.bits, "\(set), \(threads) threads, compiled: \(isCompiled)")
      }
    }
  }

  @Test(arguments: NetworkVariety.seeds)
  func randomNetworksAreNearTheReference(_ seed: UInt64) throws {
    let network = RandomNetwork(seed: seed, isOneSided: true)
    let reference = try NetworkRun(network, .reference)
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let found = try NetworkRun(network, .int8, ranges: ranges)
    for (a, b) in zip(found.outputs, reference.outputs) {
      #expect(PackedNetworkTests.relativeError(a, b) < 0.08)
    }
  }

  @Test(arguments: NetworkVariety.largeSeeds, NetworkVariety.largeKinds)
  func winogradHasTheSameBits(_ seed: UInt64, _ kind: RandomNetwork.Kind) throws {
    let network = RandomNetwork(seed: seed, kind: kind, isOneSided: true)
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let direct = try NetworkRun(network, .int8, ranges: ranges, usesWinograd: false)
    for set in WinogradNetworkTests.integerSets {
      let found = try NetworkRun(
        network, .int8, threads: 3, instructionSet: set, ranges: ranges, frames: 2)
      #expect(found.bits == direct.bits, "\(set)")
    }
  }
}
