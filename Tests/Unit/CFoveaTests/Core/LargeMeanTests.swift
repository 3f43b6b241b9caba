// Fovea - tests of means over many pixels.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// result = the means over all pixels of a 1x1 convolution. All pixels of the image are alike, so
/// the means are those of an image of one pixel.
private struct AveragedNetwork: TestNetwork {
  // More channels than the core adds at a time.
  static let channels = 300
  var rows: Int, columns: Int

  var input: [Float] {
    var random = SplitMix(seed: 31)
    return (0..<Self.channels).flatMap { _ in
      [Float](repeating: .random(in: 0.05...1, using: &random), count: rows * columns)
    }
  }

  func build(_ graph: OpaquePointer) throws {
    var random = SplitMix(seed: 32)
    var shape = fov_shape(sizes: [1, Self.channels, rows, columns])
    let image = try addedValue { fov_graph_add_input(graph, "image", .float32, &shape, $0, $1) }
    let sums = try addedPointConvolution(
      graph, image, inputs: Self.channels, outputs: Self.channels, limit: 0.3, random: &random)
    var pooling = fov_pooling()
    pooling.function = .average
    pooling.kernel = (rows, columns)
    pooling.stride = (1, 1)
    pooling.output = (1, 1)
    let means = try addedValue { fov_graph_add_pooling(graph, &pooling, sums, $0, $1) }
    try check { fov_graph_mark_output(graph, means, "result", $0) }
  }
}

@Suite struct LargeMeanTests {
  /// Sums of floats one after another are off by 1e-4 of the mean here.
  @Test(arguments: [(160, 160), (1, 30_000), (30_000, 1), (2, 100)])
  func meansDoNotDependOnTheSize(_ rows: Int, _ columns: Int) throws {
    let pixel = try NetworkRun(AveragedNetwork(rows: 1, columns: 1), .reference).outputs[0]
    let scale = pixel.reduce(0) { max($0, abs($1)) }
    let network = AveragedNetwork(rows: rows, columns: columns)
    let backends: [fov_backend] = [.reference, .blas, .float32]
    for backend in backends {
      let means = try NetworkRun(network, backend).outputs[0]
      let worst = zip(means, pixel).map { abs($0 - $1) }.max() ?? 0
      #expect(means.count == pixel.count)
      #expect(worst <= 4e-6 * scale, "\(backend): \(worst / scale)")
    }
    let floats = try NetworkRun(network, .float32, instructionSet: .scalar)
    for set in NetworkVariety.instructionSets {
      let found = try NetworkRun(network, .float32, threads: 2, instructionSet: set)
      #expect(zip(found.outputs[0], floats.outputs[0]).allSatisfy { abs($0 - $1) <= 4e-6 * scale })
    }
  }
}
