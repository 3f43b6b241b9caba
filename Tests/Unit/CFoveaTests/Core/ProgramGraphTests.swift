// Fovea - a graph of image operations and those of ML Programs, on every backend.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// An image becomes tokens, which attend to one another; a few of them come out. On the way back to
/// an image a convolution reads what planes hold, and a rounded value is compared.
///
///   conv -> reshape -> transpose -> product -> softmax -> product -> gather
///             |                                             |
///             |                                             +-> image -> conv
///             +-> truncate -> equal -> select
private struct AttentionNetwork: TestNetwork {
  private static let channels = 12, side = 6
  let input: [Float]

  init(seed: UInt64) {
    var random = SplitMix(seed: seed)
    input = (0..<3 * Self.side * Self.side).map { _ in Float.random(in: -1...1, using: &random) }
  }

  func build(_ graph: OpaquePointer) throws {
    let channels = Self.channels, side = Self.side, tokens = side * side
    var shape = fov_shape(sizes: [1, 3, side, side])
    let image = try addedValue {
      fov_graph_add_input(graph, "image", fov_data_type.float32, &shape, $0, $1)
    }
    let features = try convolution(graph, image, inputs: 3)
    var truncate = fov_unary(function: .truncate, alpha: 0, beta: 0)
    let whole = try addedValue { fov_graph_add_unary(graph, &truncate, features, $0, $1) }
    let same = try addedValue { fov_graph_add_binary(graph, .equal, whole, features, $0, $1) }
    let zero = try constant(graph, [1], [0])
    let chosen = try addedValue { fov_graph_add_select(graph, same, zero, features, $0, $1) }

    var flat = fov_shape(sizes: [1, channels, tokens])
    let planes = try addedValue { fov_graph_add_reshape(graph, &flat, features, $0, $1) }
    let rows = try addedValue { fov_graph_add_transpose(graph, [0, 2, 1], planes, $0, $1) }
    var products = [
      fov_matrix_product(transpose_left: false, transpose_right: true),
      fov_matrix_product(transpose_left: false, transpose_right: false),
    ]
    let scores = try addedValue {
      fov_graph_add_matrix_product(graph, &products[0], rows, rows, $0, $1)
    }
    let shares = try addedValue { fov_graph_add_softmax(graph, 2, scores, $0, $1) }
    let mixed = try addedValue {
      fov_graph_add_matrix_product(graph, &products[1], shares, rows, $0, $1)
    }
    let indices = try constant(graph, [5], [0, -1, 7, 40, 3])
    var gather = fov_gather(kind: .take, axis: 1, batch_dimensions: 0)
    let some = try addedValue { fov_graph_add_gather(graph, &gather, mixed, indices, $0, $1) }

    var turned = fov_shape(sizes: [1, channels, side, side])
    let back = try addedValue { fov_graph_add_transpose(graph, [0, 2, 1], mixed, $0, $1) }
    let again = try addedValue { fov_graph_add_reshape(graph, &turned, back, $0, $1) }
    let last = try convolution(graph, again, inputs: channels)
    for (value, name) in [(some, "some"), (last, "last"), (chosen, "chosen")] {
      try check { fov_graph_mark_output(graph, value, name, $0) }
    }
  }

  private func constant(_ graph: OpaquePointer, _ sizes: [Int], _ values: [Float]) throws
    -> fov_value
  {
    var shape = fov_shape(sizes: sizes)
    return try addedValue { out, diagnostic in
      StoredWeights.float32(values).withDescription {
        fov_graph_add_constant(graph, &shape, $0, out, diagnostic)
      }
    }
  }

  private func convolution(_ graph: OpaquePointer, _ input: fov_value, inputs: Int) throws
    -> fov_value
  {
    var random = SplitMix(seed: UInt64(inputs))
    var parameters = fov_convolution()
    parameters.output_channels = Self.channels
    parameters.groups = 1
    parameters.kernel = (3, 3)
    parameters.stride = (1, 1)
    parameters.dilation = (1, 1)
    parameters.before = (1, 1)
    parameters.after = (1, 1)
    let limit = 1.7 / Float(inputs * 9).squareRoot()
    let weights = (0..<Self.channels * inputs * 9).map { _ in
      Float.random(in: -limit...limit, using: &random)
    }
    return try addedValue { out, diagnostic in
      StoredWeights.float32(weights).withDescription {
        fov_graph_add_convolution(graph, &parameters, $0, nil, input, out, diagnostic)
      }
    }
  }
}

@Suite struct ProgramGraphTests {
  @Test(arguments: [UInt64(1), 2, 3]) func backendsAgree(_ seed: UInt64) throws {
    let network = AttentionNetwork(seed: seed)
    let reference = try NetworkRun(network, .reference)
    for backend in [fov_backend.blas, .float32] {
      for threads in [1, 2] {
        let found = try NetworkRun(network, backend, threads: threads)
        for (a, b) in zip(found.outputs, reference.outputs) {
          let worst = zip(a, b).map { abs($0 - $1) }.max() ?? 0
          #expect(worst <= 2e-5, "\(backend)")
        }
      }
    }
  }

  @Test func instructionSetsAgree() throws {
    let network = AttentionNetwork(seed: 4)
    let reference = try NetworkRun(network, .reference)
    let integers = try NetworkRun(network, .int8, instructionSet: .scalar)
    for raw in 1..<UInt32(FOV_INSTRUCTION_SET_COUNT) {
      let set = fov_instruction_set(rawValue: raw)!
      guard fov_instruction_set_is_available(set) else { continue }
      let found = try NetworkRun(network, .float32, instructionSet: set)
      for (a, b) in zip(found.outputs, reference.outputs) {
        #expect((zip(a, b).map { abs($0 - $1) }.max() ?? 0) <= 2e-5, "\(set)")
      }
      #expect(
        try NetworkRun(network, .int8, instructionSet: set).bits == integers.bits, "\(set)")
    }
  }

  @Test(arguments: [UInt64(1), 2, 3]) func integersAreNear(_ seed: UInt64) throws {
    let network = AttentionNetwork(seed: seed)
    let reference = try NetworkRun(network, .reference)
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    for ranges in [[], ranges] {
      let found = try NetworkRun(network, .int8, ranges: ranges)
      for (a, b) in zip(found.outputs, reference.outputs) {
        #expect(PackedNetworkTests.relativeError(a, b) < 0.08, "\(ranges.count) ranges")
      }
      let threads = try NetworkRun(network, .int8, threads: 2, ranges: ranges)
      let compiled = try NetworkRun(network, .int8, ranges: ranges, isCompiled: true)
      #expect(threads.bits == found.bits)
      #expect(compiled.bits == found.bits)
    }
  }

  /// Planes stand around the new operations: conversions bring what convolutions write.
  @Test func operationsWorkOnPlanes() throws {
    let operations = try NetworkRun(AttentionNetwork(seed: 1), .float32).operations
    #expect(operations.filter { $0 == "matrix_product" }.count == 2)
    #expect(operations.contains("to_planes") && operations.contains("to_channels_last"))
    let all = try NetworkRun(AttentionNetwork(seed: 1), .float32, isCompiled: true).operations
    #expect(all == operations)
  }
}
