// Fovea - tests of what moves between convolutions without leaving the layout of convolutions.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// A 1x1 convolution, something that moves or mixes elements of channels, and another 1x1 convolution.
private struct MovingNetwork: TestNetwork {
  enum Move: CaseIterable {
    /// Groups of channels by a transposition, and by a concatenation of single channels.
    case shuffle, shuffleOfThree, stack
    case enlargeSmoothly, shrinkSmoothly
    case greatestOfTwo
    case zerosAround
  }
  static let channels = 36, rows = 11, columns = 9
  var move: Move

  var input: [Float] {
    var random = SplitMix(seed: 21)
    return (0..<2 * Self.channels * Self.rows * Self.columns).map { _ in
      Float.random(in: -1...2, using: &random)
    }
  }

  func build(_ graph: OpaquePointer) throws {
    var random = SplitMix(seed: 22)
    var shape = fov_shape(sizes: [2, Self.channels, Self.rows, Self.columns])
    let image = try addedValue { fov_graph_add_input(graph, "image", .float32, &shape, $0, $1) }
    let made = try convolution(graph, image, &random)
    let moved = try moved(graph, made, image, &random)
    let result = try convolution(graph, moved, &random)
    try check { fov_graph_mark_output(graph, result, "result", $0) }
  }

  private func moved(
    _ graph: OpaquePointer, _ value: fov_value, _ image: fov_value, _ random: inout SplitMix
  ) throws -> fov_value {
    switch move {
    case .shuffle: try shuffled(graph, value, groups: 2)
    case .shuffleOfThree: try shuffled(graph, value, groups: 3)
    case .stack:
      try stacked(
        graph, [halved(graph, value, &random), halved(graph, value, &random)])
    case .enlargeSmoothly: try resized(graph, value, [22, 20], step: [0.5, 0.45], from: -0.25)
    case .shrinkSmoothly: try resized(graph, value, [6, 4], step: [2.0, 2.4], from: 0.3)
    case .greatestOfTwo: try pooled(graph, value)
    case .zerosAround: try padded(graph, value)
    }
  }

  private func convolution(
    _ graph: OpaquePointer, _ input: fov_value, _ random: inout SplitMix,
    outputs: Int = Self.channels
  ) throws -> fov_value {
    try addedPointConvolution(
      graph, input, inputs: Self.channels, outputs: outputs, limit: 0.3, random: &random)
  }

  private func halved(
    _ graph: OpaquePointer, _ input: fov_value, _ random: inout SplitMix
  ) throws -> fov_value {
    try convolution(graph, input, &random, outputs: Self.channels / 2)
  }

  private func reshaped(
    _ graph: OpaquePointer, _ input: fov_value, _ sizes: [Int]
  ) throws -> fov_value {
    var shape = fov_shape(sizes: sizes)
    return try addedValue { fov_graph_add_reshape(graph, &shape, input, $0, $1) }
  }

  private func shuffled(
    _ graph: OpaquePointer, _ input: fov_value, groups: Int
  ) throws -> fov_value {
    let (rows, columns, channels) = (Self.rows, Self.columns, Self.channels)
    let split = try reshaped(graph, input, [2, groups, channels / groups, rows, columns])
    let swapped = try addedValue { fov_graph_add_transpose(graph, [0, 2, 1, 3, 4], split, $0, $1) }
    return try reshaped(graph, swapped, [2, channels, rows, columns])
  }

  private func stacked(_ graph: OpaquePointer, _ inputs: [fov_value]) throws -> fov_value {
    let (rows, columns, channels) = (Self.rows, Self.columns, Self.channels)
    let single = try inputs.map {
      try reshaped(graph, $0, [2, channels / inputs.count, 1, rows, columns])
    }
    let joined = try addedValue { fov_graph_add_concat(graph, 2, single, single.count, $0, $1) }
    return try reshaped(graph, joined, [2, channels, rows, columns])
  }

  private func resized(
    _ graph: OpaquePointer, _ input: fov_value, _ sizes: [Int], step: [Double], from: Double
  ) throws -> fov_value {
    var resize = fov_resize()
    resize.filter = .bilinear
    resize.output = (sizes[0], sizes[1])
    resize.step = (step[0], step[1])
    resize.offset = (from, from)
    return try addedValue { fov_graph_add_resize(graph, &resize, input, $0, $1) }
  }

  private func padded(_ graph: OpaquePointer, _ input: fov_value) throws -> fov_value {
    var padding = fov_padding()
    padding.mode = .constant
    withUnsafeMutableBytes(of: &padding.before) {
      $0.bindMemory(to: Int.self)[3] = 2
    }
    withUnsafeMutableBytes(of: &padding.after) {
      $0.bindMemory(to: Int.self)[2] = 1
      $0.bindMemory(to: Int.self)[3] = 3
    }
    return try addedValue { fov_graph_add_padding(graph, &padding, input, $0, $1) }
  }

  private func pooled(_ graph: OpaquePointer, _ input: fov_value) throws -> fov_value {
    var pooling = fov_pooling()
    pooling.function = .maximum
    pooling.kernel = (3, 3)
    pooling.stride = (2, 2)
    pooling.before = (1, 1)
    pooling.output = (6, 5)
    return try addedValue { fov_graph_add_pooling(graph, &pooling, input, $0, $1) }
  }
}

@Suite struct ChannelsLastMovementTests {
  @Test(arguments: MovingNetwork.Move.allCases)
  private func movesStayBetweenConvolutions(_ move: MovingNetwork.Move) throws {
    let network = MovingNetwork(move: move)
    let exact = try NetworkRun(network, .reference).outputs[0]
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let scalar = try NetworkRun(network, .int8, instructionSet: .scalar, ranges: ranges)
    #expect(signalToNoise(scalar.outputs[0], exact) > 35)
    for set in NetworkVariety.instructionSets {
      let floats = try NetworkRun(network, .float32, threads: 3, instructionSet: set)
      #expect(signalToNoise(floats.outputs[0], exact) > 120, "\(set)")
      let codes = try NetworkRun(network, .int8, threads: 3, instructionSet: set, ranges: ranges)
      #expect(codes.bits == scalar.bits, "\(set)")
      for operations in [floats.operations, codes.operations] {
        #expect(operations.filter { $0 == "to_planes" }.count == 1, "\(operations)")
        #expect(operations.filter { $0 == "to_channels_last" }.count == 1, "\(operations)")
      }
      #expect(codes.operations.filter { $0 == "quantize" }.count == 1, "\(codes.operations)")
    }
  }
}
