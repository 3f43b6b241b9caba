// Fovea - tests of transpositions between rows of channels and channels-last images.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// Rows of channels, through a 1x1 convolution, in another order: as dense layers and heads arrive.
private struct RowNetwork: TestNetwork {
  static let channels = 20, outputs = 12
  /// Batch, rows and columns of the image.
  var batch: Int, rows: Int, columns: Int
  /// Whether the network's input is [batch, rows, columns, channels].
  var readsRows = true
  /// The shape of the convolution's result before it is transposed; `nil`: as it is.
  var split: [Int]?
  var axes: [Int]

  var input: [Float] {
    var random = SplitMix(seed: 11)
    return (0..<batch * rows * columns * Self.channels).map { _ in
      Float.random(in: -1...1, using: &random)
    }
  }

  func build(_ graph: OpaquePointer) throws {
    let sizes =
      readsRows ? [batch, rows, columns, Self.channels] : [batch, Self.channels, rows, columns]
    var shape = fov_shape(sizes: sizes)
    var value = try addedValue { fov_graph_add_input(graph, "image", .float32, &shape, $0, $1) }
    if readsRows { value = try transpose(graph, value, [0, 3, 1, 2]) }
    var random = SplitMix(seed: 12)
    value = try addedPointConvolution(
      graph, value, inputs: Self.channels, outputs: Self.outputs, limit: 0.4, random: &random)
    if let split {
      var shape = fov_shape(sizes: split)
      let made = value
      value = try addedValue { fov_graph_add_reshape(graph, &shape, made, $0, $1) }
    }
    value = try transpose(graph, value, axes)
    try check { fov_graph_mark_output(graph, value, "rows", $0) }
  }

  private func transpose(
    _ graph: OpaquePointer, _ input: fov_value, _ axes: [Int]
  ) throws -> fov_value {
    try addedValue { fov_graph_add_transpose(graph, axes, input, $0, $1) }
  }
}

@Suite struct RowLayoutTests {
  private static let networks = [
    RowNetwork(batch: 1, rows: 1, columns: 37, axes: [0, 2, 3, 1]),  // a dense layer
    RowNetwork(batch: 3, rows: 5, columns: 7, axes: [0, 2, 3, 1]),
    RowNetwork(batch: 1, rows: 1, columns: 37, split: [12, 37], axes: [1, 0]),
    // Anchors times classes, as YOLOv5 and SSD order them.
    RowNetwork(batch: 1, rows: 6, columns: 9, split: [1, 3, 4, 6, 9], axes: [0, 1, 3, 4, 2]),
    RowNetwork(batch: 2, rows: 6, columns: 9, split: [2, 3, 4, 6, 9], axes: [0, 3, 4, 1, 2]),
    RowNetwork(batch: 2, rows: 4, columns: 9, split: [2, 12, 2, 2, 9], axes: [2, 0, 4, 1, 3]),
    RowNetwork(
      batch: 1, rows: 6, columns: 9, readsRows: false, split: [1, 1, 12, 1, 6, 9],
      axes: [0, 4, 1, 5, 3, 2]),
  ]

  /// The same elements as on planes, which nothing is converted to.
  @Test(arguments: networks) private func rowsAreCopied(_ network: RowNetwork) throws {
    let exact = try NetworkRun(network, .reference)
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    for set in NetworkVariety.instructionSets {
      for threads in [1, 3] {
        let found = try NetworkRun(network, .float32, threads: threads, instructionSet: set)
        #expect(found.shapes == exact.shapes)
        #expect(signalToNoise(found.outputs[0], exact.outputs[0]) > 120, "\(set)")
        #expect(found.operations.contains("to_rows") && !found.operations.contains("to_planes"))
        #expect(found.operations.contains("from_rows") == network.readsRows)
        let codes = try NetworkRun(
          network, .int8, threads: threads, instructionSet: set, ranges: ranges)
        #expect(signalToNoise(codes.outputs[0], exact.outputs[0]) > 35, "\(set)")
      }
    }
  }

  /// A row and a column that are one dimension have borders between them: they stay planes.
  @Test func mergedPixelsStayPlanes() throws {
    let network = RowNetwork(batch: 1, rows: 6, columns: 9, split: [1, 12, 54], axes: [0, 2, 1])
    let exact = try NetworkRun(network, .reference)
    let found = try NetworkRun(network, .float32)
    #expect(signalToNoise(found.outputs[0], exact.outputs[0]) > 120)
    #expect(found.operations.contains("to_planes") && !found.operations.contains("to_rows"))
  }
}
