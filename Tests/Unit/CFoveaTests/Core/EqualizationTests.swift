// Fovea - tests of channels that are rescaled before they become codes.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Foundation
import Testing

/// An inverted bottleneck as detectors have them - a dense 1x1, a depthwise 3x3, a dense 1x1, added to
/// what came in - whose channels differ by factors that cancel: row c of each convolution is divided by
/// `spread[c]`, and whatever reads the channel multiplies by it.
struct UnevenBottleneck: TestNetwork {
  static let inputs = 8, expanded = 24, side = 12
  /// The largest factor between two channels; 1: none differ.
  var spread: Float
  /// What follows the inner convolutions. Behind curves factors do not cancel wholly.
  var function = fov_unary(function: .leaky_relu, alpha: 0.1, beta: 0)
  /// Whether a linear function follows that.
  var isShifted = false
  /// What its weights and its input are drawn by.
  var draw: UInt64 = 0

  var input: [Float] {
    var random = SplitMix(seed: 7 + 1000 * draw)
    return (0..<Self.inputs * Self.side * Self.side).map { _ in
      Float.random(in: -1...1, using: &random)
    }
  }

  /// Powers of `spread` between 0 and 1, in no order.
  func factor(_ channel: Int, of count: Int) -> Float {
    var factor: Float = 1
    for _ in 0..<(channel * 7 % count) * 8 / count { factor *= spread }
    return factor
  }

  func build(_ graph: OpaquePointer) throws {
    var builder = Builder(
      graph: graph, function: function, isShifted: isShifted,
      random: SplitMix(seed: 11 + 1000 * draw))
    var shape = fov_shape(sizes: [1, Self.inputs, Self.side, Self.side])
    let image = try addedValue {
      fov_graph_add_input(graph, "image", .float32, &shape, $0, $1)
    }
    let narrow = (0..<Self.inputs).map { factor($0, of: Self.inputs) }
    let wide = (0..<Self.expanded).map { factor($0, of: Self.expanded) }
    let even = [Float](repeating: 1, count: Self.inputs)
    let trunk = try builder.convolution(image, from: even, to: narrow, kernel: 1)
    let first = try builder.activated(builder.convolution(trunk, from: narrow, to: wide, kernel: 1))
    let second = try builder.activated(
      builder.convolution(first, from: wide, to: wide, kernel: 3, isDepthwise: true))
    let branch = try builder.convolution(second, from: wide, to: narrow, kernel: 1)
    let sum = try addedValue { fov_graph_add_binary(graph, .add, trunk, branch, $0, $1) }
    let result = try builder.convolution(sum, from: narrow, to: even, kernel: 1)
    try check { fov_graph_mark_output(graph, result, "result", $0) }
  }

  private struct Builder {
    let graph: OpaquePointer
    let function: fov_unary
    let isShifted: Bool
    var random: SplitMix

    func activated(_ input: fov_value) throws -> fov_value {
      var function = function
      let result = try addedValue { fov_graph_add_unary(graph, &function, input, $0, $1) }
      guard isShifted else { return result }
      var linear = fov_unary(function: .linear, alpha: 1.5, beta: -0.0625)
      return try addedValue { fov_graph_add_unary(graph, &linear, result, $0, $1) }
    }

    mutating func convolution(
      _ input: fov_value, from: [Float], to: [Float], kernel: Int, isDepthwise: Bool = false
    ) throws -> fov_value {
      var parameters = fov_convolution()
      parameters.output_channels = to.count
      parameters.groups = isDepthwise ? to.count : 1
      parameters.kernel = (kernel, kernel)
      parameters.stride = (1, 1)
      parameters.dilation = (1, 1)
      parameters.before = (kernel / 2, kernel / 2)
      parameters.after = (kernel / 2, kernel / 2)
      let positions = kernel * kernel, read = isDepthwise ? 1 : from.count
      let limit = 1.7 / Float(read * positions).squareRoot()
      var weights: [Float] = []
      for row in to.indices {
        for column in 0..<read {
          let factor = from[isDepthwise ? row : column] / to[row]
          weights += (0..<positions).map { _ in
            Float.random(in: -limit...limit, using: &random) * factor
          }
        }
      }
      let bias = to.map { Float.random(in: -0.3...0.3, using: &random) / $0 }
      return try addedValue { out, diagnostic in
        StoredWeights.float32(weights).withDescription { weights in
          StoredWeights.float32(bias).withDescription {
            fov_graph_add_convolution(graph, &parameters, weights, $0, input, out, diagnostic)
          }
        }
      }
    }
  }
}

/// Decibels of `expected` over the difference.
func signalToNoise(_ found: [Float], _ expected: [Float]) -> Double {
  var signal = 0.0, noise = 1e-30
  for (a, b) in zip(found, expected) {
    signal += Double(b) * Double(b)
    noise += Double(a - b) * Double(a - b)
  }
  return 10 * log10(signal / noise)
}

@Suite struct EqualizationTests {
  /// With factors of powers of two the network is the same in floats, bit for bit; its codes are, too,
  /// but for the share of dense convolutions, whose weights take half of what they read.
  @Test func unevenChannelsLoseLittle() throws {
    let uneven = UnevenBottleneck(spread: 2)
    let expected = try NetworkRun(UnevenBottleneck(spread: 1), .reference).outputs[0]
    #expect(try NetworkRun(uneven, .reference).outputs[0] == expected)
    let ranges = try NetworkRun(uneven, .float32, measures: true).ranges
    let found = try NetworkRun(uneven, .int8, ranges: ranges).outputs[0]
    #expect(signalToNoise(found, expected) > 25, "\(signalToNoise(found, expected)) dB")
  }

  @Test func evenChannelsLoseNothing() throws {
    let even = UnevenBottleneck(spread: 1)
    let expected = try NetworkRun(even, .reference).outputs[0]
    let ranges = try NetworkRun(even, .float32, measures: true).ranges
    let found = try NetworkRun(even, .int8, ranges: ranges).outputs[0]
    #expect(signalToNoise(found, expected) > 32, "\(signalToNoise(found, expected)) dB")
  }

  static let curves = [
    fov_unary(function: .silu, alpha: 0, beta: 0), fov_unary(function: .gelu, alpha: 0, beta: 0),
    fov_unary(function: .hard_silu, alpha: 1 / 6, beta: -.infinity),
  ]

  /// Curves are not homogeneous: their channels are divided behind them, before they are rounded,
  /// and so are those of a linear function there.
  @Test(arguments: curves.indices, [false, true])
  func unevenCurvesLoseLittle(_ curve: Int, _ isShifted: Bool) throws {
    let uneven = UnevenBottleneck(spread: 2, function: Self.curves[curve], isShifted: isShifted)
    let expected = try NetworkRun(uneven, .reference).outputs[0]
    let ranges = try NetworkRun(uneven, .float32, measures: true).ranges
    let found = try NetworkRun(uneven, .int8, ranges: ranges).outputs[0]
    #expect(signalToNoise(found, expected) > 25, "\(signalToNoise(found, expected)) dB")
    let floats = try NetworkRun(uneven, .float32).outputs[0]
    #expect(signalToNoise(floats, expected) > 100)
  }

  /// The scales follow from the ranges alone: the same bits on every instruction set and any threads.
  @Test(arguments: [
    UnevenBottleneck(spread: 4), UnevenBottleneck(spread: 4, function: curves[0]),
    UnevenBottleneck(spread: 4, function: curves[2], isShifted: true),
  ])
  func rescaledIntegersAreTheSameEverywhere(_ uneven: UnevenBottleneck) throws {
    let ranges = try NetworkRun(uneven, .float32, measures: true).ranges
    let expected = try NetworkRun(uneven, .int8, instructionSet: .scalar, ranges: ranges)
    for set in NetworkVariety.instructionSets {
      for threads in [1, 3] {
        let found = try NetworkRun(
          uneven, .int8, threads: threads, instructionSet: set, ranges: ranges)
        #expect(found.bits == expected.bits, "\(set), \(threads) threads")
      }
    }
  }

  /// Channels that nothing moved during the calibration keep finite weights and ranges.
  @Test func channelsWithoutRangesStay() throws {
    let network = UnevenBottleneck(spread: 4)
    var ranges = try NetworkRun(network, .float32, measures: true).ranges
    for index in stride(from: 0, to: ranges.count, by: 5) { ranges[index] = fov_channel_summary() }
    for index in stride(from: 2, to: ranges.count, by: 5) {
      ranges[index] = fov_channel_summary(low: .infinity, high: -.infinity, mean: 0, variance: 0)
    }
    let found = try NetworkRun(network, .int8, ranges: ranges).outputs[0]
    #expect(found.allSatisfy { $0.isFinite })
  }

  /// Ranges that serve for rescaling alone leave codes to the frame: they may be those of other images.
  @Test func framesMayBeMeasuredBesides() throws {
    let uneven = UnevenBottleneck(spread: 2)
    let expected = try NetworkRun(UnevenBottleneck(spread: 1), .reference).outputs[0]
    var ranges = try NetworkRun(uneven, .int8, measures: true).ranges
    let unknown = try NetworkRun(uneven, .int8).outputs[0]
    for index in ranges.indices {
      ranges[index].low *= 3
      ranges[index].high *= 3
    }
    let found = try NetworkRun(uneven, .int8, ranges: ranges, usesDynamicRanges: true).outputs[0]
    let (better, worse) = (signalToNoise(found, expected), signalToNoise(unknown, expected))
    #expect(better > 25 && better > worse + 6, "\(better) and \(worse) dB")
  }

  /// `int8` measures nothing else than `float32` does, but for its noise.
  @Test func integersMeasureWhatFloatsDo() throws {
    let network = UnevenBottleneck(spread: 1)
    let exact = try NetworkRun(network, .float32, measures: true).ranges
    let found = try NetworkRun(network, .int8, measures: true).ranges
    for (a, b) in zip(exact, found) where a.low < a.high {
      let width = a.high - a.low
      #expect(abs(a.low - b.low) < 0.1 * width && abs(a.high - b.high) < 0.1 * width)
      #expect(abs(a.mean - b.mean) < 0.02 * width)
      #expect(abs(a.variance - b.variance) < 0.1 * a.variance + 1e-6)
    }
  }

  /// `int8` measures the same bits everywhere, since its activations are.
  @Test func integersMeasureTheSameEverywhere() throws {
    let network = UnevenBottleneck(spread: 2)
    let expected = try NetworkRun(network, .int8, instructionSet: .scalar, measures: true).ranges
    for set in NetworkVariety.instructionSets {
      let found = try NetworkRun(
        network, .int8, threads: 3, instructionSet: set, measures: true
      ).ranges
      for (a, b) in zip(found, expected) {
        #expect(a.low == b.low && a.high == b.high && a.mean == b.mean && a.variance == b.variance)
      }
    }
  }
}
