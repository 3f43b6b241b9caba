// Fovea - tests of weights that are rounded so that their errors cancel.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// One dense or depthwise convolution of an even image with a little noise: every channel has a mean, and
/// the errors of a kernel's weights add up.
private struct EvenImage: TestNetwork {
  static let channels = 32, side = 12
  var kernel: Int
  var isDepthwise: Bool
  /// Of the noise beside the channel's mean.
  var noise: Float

  var input: [Float] {
    var random = SplitMix(seed: 3)
    return (0..<Self.channels).flatMap { channel in
      let mean = Float(channel % 5) * 0.25 + 0.5
      return (0..<Self.side * Self.side).map { _ in
        mean + Float.random(in: -noise...noise, using: &random)
      }
    }
  }

  func build(_ graph: OpaquePointer) throws {
    var random = SplitMix(seed: 5)
    var shape = fov_shape(sizes: [1, Self.channels, Self.side, Self.side])
    let image = try addedValue {
      fov_graph_add_input(graph, "image", .float32, &shape, $0, $1)
    }
    var parameters = fov_convolution()
    parameters.output_channels = Self.channels
    parameters.groups = isDepthwise ? Self.channels : 1
    parameters.kernel = (kernel, kernel)
    parameters.stride = (1, 1)
    parameters.dilation = (1, 1)
    let taps = kernel * kernel * (isDepthwise ? 1 : Self.channels)
    let weights = (0..<Self.channels * taps).map { _ in Float.random(in: -1...1, using: &random) }
    let result = try addedValue { result, diagnostic in
      StoredWeights.float32(weights).withDescription {
        fov_graph_add_convolution(graph, &parameters, $0, nil, image, result, diagnostic)
      }
    }
    try check { fov_graph_mark_output(graph, result, "result", $0) }
  }
}

@Suite struct WeightRoundingTests {
  /// The mean square error, with the codes of the frame.
  private func error(_ network: EvenImage, _ ranges: [fov_channel_summary]) throws -> Double {
    let expected = try NetworkRun(network, .reference).outputs[0]
    let found = try NetworkRun(network, .int8, ranges: ranges, usesDynamicRanges: true).outputs[0]
    return zip(found, expected).reduce(0) { $0 + Double($1.0 - $1.1) * Double($1.0 - $1.1) }
      / Double(found.count)
  }

  /// Rounding each weight to the nearest code leaves a sum of `taps` independent errors; those that
  /// cancel leave about one. Without variance and mean nothing is known, and nothing is moved.
  @Test(arguments: [(1, false), (3, false), (3, true), (5, true), (9, true), (11, true)])
  func errorsOfEvenImagesCancel(_ kernel: Int, _ isDepthwise: Bool) throws {
    let network = EvenImage(kernel: kernel, isDepthwise: isDepthwise, noise: 0.01)
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    var unknown = ranges
    for index in unknown.indices { (unknown[index].mean, unknown[index].variance) = (0, 0) }
    let (rounded, nearest) = (try error(network, ranges), try error(network, unknown))
    #expect(rounded < nearest / 2, "\(rounded) instead of \(nearest)")
  }

  /// White noise of no mean: there is nothing to win, and little may be lost.
  @Test func whiteNoiseLosesLittle() throws {
    let network = EvenImage(kernel: 1, isDepthwise: false, noise: 1)
    var ranges = try NetworkRun(network, .float32, measures: true).ranges
    var unknown = ranges
    for index in ranges.indices {
      ranges[index].mean = 0
      (unknown[index].mean, unknown[index].variance) = (0, 0)
    }
    #expect(try error(network, ranges) == error(network, unknown))
  }
}
