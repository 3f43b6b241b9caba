// Fovea - normalization, softmax and reductions against closed forms.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import Foundation
import Testing

@Suite struct NormalizationLoweringTests {
  /// The values of every group of `size` neighbors, replaced by a function of the group.
  static func grouped(
    _ tensor: Tensor, _ size: Int, _ function: ([Double]) -> [Double]
  ) -> [Float] {
    let values = tensor.floats().map { Double($0) }
    return stride(from: 0, to: values.count, by: size).flatMap {
      function(Array(values[$0..<$0 + size])).map { Float($0) }
    }
  }

  static func centered(_ group: [Double]) -> [Double] {
    let mean = group.reduce(0, +) / Double(group.count)
    return group.map { $0 - mean }
  }

  static func variance(_ group: [Double]) -> Double {
    centered(group).reduce(0) { $0 + $1 * $1 } / Double(group.count)
  }

  @Test(arguments: [false, true])
  func storedBatchStatistics(keepsAllLayers: Bool) throws {
    let layer = BatchNormalizationLayer(
      channels: 2, epsilon: 0.5, gamma: weights([2, -1]), beta: weights([0.25, 3]),
      mean: weights([1, -2]), variance: weights([3.5, 0]))
    let input = try tensor([1, 1, 2, 2, 3])
    let output = try LayerRunner(keepsAllLayers: keepsAllLayers)
      .run(.batchNormalization(layer), [input])
    let expected = input.floats().enumerated().map { index, x in
      index < 6 ? (x - 1) / 2 * 2 + 0.25 : -(x + 2) / Float(0.5).squareRoot() + 3
    }
    expectClose(output.floats(), expected)
    let error = try LayerRunner().failure(.batchNormalization(layer), [[1, 3, 2, 2]])
    #expect(error.message.contains("2 channels, the input has 3"))
  }

  @Test func statisticsOfTheInstance() throws {
    let layer = BatchNormalizationLayer(
      channels: 2, computesMeanAndVariance: true, instanceNormalization: true, epsilon: 0.5,
      gamma: weights([1, 1]), beta: weights([0, 0]))
    let input = try tensor([2, 2, 3, 4])
    let output = try LayerRunner().run(.batchNormalization(layer), [input])
    let expected = Self.grouped(input, 12) { group in
      Self.centered(group).map { $0 / (Self.variance(group) + 0.5).squareRoot() }
    }
    expectClose(output.floats(), expected, tolerance: 1e-4)
  }

  @Test func statisticsOfTheBatch() throws {
    let layer = BatchNormalizationLayer(
      channels: 1, computesMeanAndVariance: true, epsilon: 0.5, gamma: weights([2]),
      beta: weights([1]))
    let input = try tensor([2, 1, 3, 4])
    let output = try LayerRunner().run(.batchNormalization(layer), [input])
    let expected = Self.grouped(input, 24) { group in
      Self.centered(group).map { 2 * $0 / (Self.variance(group) + 0.5).squareRoot() + 1 }
    }
    expectClose(output.floats(), expected, tolerance: 1e-4)
  }

  @Test(arguments: [false, true], [false, true])
  func meanAndVariance(acrossChannels: Bool, normalizesVariance: Bool) throws {
    let layer = MeanVarianceNormalizationLayer(
      acrossChannels: acrossChannels, normalizesVariance: normalizesVariance, epsilon: 0.25)
    let input = try tensor([1, 2, 3, 4])
    let output = try LayerRunner().run(.meanVarianceNormalization(layer), [input])
    let expected = Self.grouped(input, acrossChannels ? 24 : 12) { group in
      let deviation = Self.variance(group).squareRoot() + 0.25
      return Self.centered(group).map { normalizesVariance ? $0 / deviation : $0 }
    }
    expectClose(output.floats(), expected, tolerance: 1e-4)
  }

  @Test func euclideanNorm() throws {
    let input = try tensor([2, 2, 2, 3])
    let output = try LayerRunner().run(
      .l2Normalization(L2NormalizationLayer(epsilon: 0.5)), [input])
    let expected = Self.grouped(input, 12) { group in
      let norm = (group.reduce(0) { $0 + $1 * $1 } + 0.5).squareRoot()
      return group.map { $0 / norm }
    }
    expectClose(output.floats(), expected)
  }

  @Test func neighboringChannels() throws {
    let input = try tensor([1, 5, 1, 2])
    let layer = LocalResponseNormalizationLayer(alpha: 0.5, beta: 0.75, size: 3, k: 2)
    let output = try LayerRunner().run(.localResponseNormalization(layer), [input])
    for channel in 0..<5 {
      for column in 0..<2 {
        let window = max(0, channel - 1)...min(4, channel + 1)
        let sum = window.reduce(0.0) { $0 + pow(input[0, $1, 0, column], 2) }
        let expected = input[0, channel, 0, column] / pow(2 + 0.5 / 3 * sum, 0.75)
        #expect(abs(output[0, channel, 0, column] - expected) < 1e-5)
      }
    }
  }

  @Test func lastDimensions() throws {
    let (gamma, beta) = (numbers(12, seed: 3), numbers(12, seed: 4))
    let layer = LayerNormalizationLayer(
      shape: [3, 4], epsilon: 0.125, gamma: weights(gamma), beta: weights(beta))
    let input = try tensor([2, 3, 4])
    let output = try LayerRunner().run(.layerNormalization(layer), [input])
    let expected = Self.grouped(input, 12) { group in
      zip(Self.centered(group), zip(gamma, beta)).map {
        $0 / (Self.variance(group) + 0.125).squareRoot() * Double($1.0) + Double($1.1)
      }
    }
    expectClose(output.floats(), expected, tolerance: 1e-4)
    #expect(
      try LayerRunner().failure(.layerNormalization(layer), [[2, 4, 3]]).code
        == .shapeMismatch)
  }

  @Test func softmaxOverChannelsAndAnyDimension() throws {
    let input = try Tensor(shape: [1, 1, 3, 1, 2], floats: [0, 1, 2, 3, 100, -100])
    let output = try LayerRunner().run(.softmax, [input])
    for column in 0..<2 {
      let terms = (0..<3).map { exp(input[0, 0, $0, 0, column] - 100) }
      let sum = terms.reduce(0, +)
      for channel in 0..<3 {
        #expect(abs(output[0, 0, channel, 0, column] - terms[channel] / sum) < 1e-6)
      }
    }
    let flat = try Tensor(shape: [2, 2], floats: [0, 0, 1, 1])
    expectClose(
      try LayerRunner().run(.softmaxND(axis: -1), [flat]).floats(), [0.5, 0.5, 0.5, 0.5])
    #expect(try LayerRunner().failure(.softmaxND(axis: 2), [[2, 2]]).code == .shapeMismatch)
    #expect(try LayerRunner().failure(.softmax, [[2, 2]]).code == .shapeMismatch)
  }

  static let reductions: [(ReduceOperation, @Sendable ([Double]) -> Double)] = [
    (.sum, { $0.reduce(0, +) }), (.mean, { $0.reduce(0, +) / Double($0.count) }),
    (.product, { $0.reduce(1, *) }), (.sumOfSquares, { $0.reduce(0) { $0 + $1 * $1 } }),
    (.l1, { $0.reduce(0) { $0 + abs($1) } }),
    (.l2, { $0.reduce(0) { $0 + $1 * $1 }.squareRoot() }), (.maximum, { $0.max() ?? .nan }),
    (.minimum, { $0.min() ?? .nan }),
    (.logSumExp, { log($0.reduce(0) { $0 + exp($1) }) }),
  ]

  @Test(arguments: 0..<reductions.count)
  func reductionsOfTheLastDimensions(index: Int) throws {
    let (operation, answer) = Self.reductions[index]
    let input = try tensor([1, 2, 2, 3])
    for (axis, size, shape) in [
      (ReduceAxis.channelHeightWidth, 12, [1, 1, 1, 1]), (.heightWidth, 6, [1, 2, 1, 1]),
      (.width, 3, [1, 2, 2, 1]),
    ] {
      let layer = ReduceLayer(operation: operation, axis: axis)
      let output = try LayerRunner().run(.reduce(layer), [input])
      #expect(output.shape == shape)
      expectClose(output.floats(), Self.grouped(input, size) { [answer($0)] }, tolerance: 1e-4)
    }
    for (axes, size, keeps, all, shape) in [
      ([-1], 3, false, false, [1, 2, 2]), ([3, 2], 6, true, false, [1, 2, 1, 1]),
      ([], 12, false, true, [1]), ([0], 12, true, true, [1, 1, 1, 1]),
    ] {
      let layer = ReduceAxesLayer(
        operation: operation, axes: axes, keepsDimensions: keeps, reducesAll: all)
      let output = try LayerRunner().run(.reduceAxes(layer), [input])
      #expect(output.shape == shape)
      expectClose(output.floats(), Self.grouped(input, size) { [answer($0)] }, tolerance: 1e-4)
    }
  }

  @Test func otherReductions() throws {
    let input = try Tensor(shape: [1, 3, 1, 2], floats: [1, 5, 4, 2, 0.5, 5])
    let highest = try LayerRunner().run(
      .reduce(ReduceLayer(operation: .argMaximum, axis: .channel)), [input])
    #expect(highest.shape == [1, 1, 1, 2])
    #expect(highest.floats() == [1, 0])
    let logarithm = try LayerRunner().run(
      .reduce(ReduceLayer(operation: .logSum, axis: .width, epsilon: 0.5)), [input])
    expectClose(logarithm.floats(), [log(6.5), log(6.5), log(6)])
    let rows = try LayerRunner().run(
      .reduce(ReduceLayer(operation: .sum, axis: .height)), [tensor([1, 1, 3, 2])])
    #expect(rows.shape == [1, 1, 1, 2])
    let twice = ReduceAxesLayer(
      operation: .sum, axes: [0, -2], keepsDimensions: true, reducesAll: false)
    #expect(try LayerRunner().failure(.reduceAxes(twice), [[2, 2]]).code == .shapeMismatch)
  }
}
