// Fovea - tests of reductions.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Foundation
import FoveaTestSupport
import Testing

private struct Reduce {
  var function: fov_reduce_function
  var axes: [Int]
  var keepDimensions = false
  var epsilon: Float = 0

  var mask: UInt32 { axes.reduce(0) { $0 | 1 << UInt32($1) } }

  var add: AddOperation { add(mask: mask) }

  func add(mask: UInt32) -> AddOperation {
    var parameters = fov_reduce(
      function: function, axes: mask, keep_dimensions: keepDimensions, epsilon: epsilon)
    return { fov_graph_add_reduce($0, &parameters, $1[0], $2, $3) }
  }

  private func value(_ x: [Double]) -> Double {
    let squares = x.reduce(0) { $0 + $1 * $1 }
    switch function {
    case .sum: return x.reduce(0, +)
    case .mean: return x.reduce(0, +) / Double(x.count)
    case .product: return x.reduce(1, *)
    case .log_sum: return log(x.reduce(0, +) + Double(epsilon))
    case .sum_square: return squares
    case .l1: return x.reduce(0) { $0 + abs($1) }
    case .l2: return squares.squareRoot()
    case .maximum: return x.max()!
    case .minimum: return x.min()!
    case .argmax: return Double(x.firstIndex(of: x.max()!)!)
    case .log_sum_exp: return log(x.reduce(0) { $0 + exp($1) })
    }
  }

  /// Gathers the elements of each result, in order, and computes it in double precision.
  func oracle(_ input: DenseArray) -> DenseArray {
    var groups: [[Int]: [Double]] = [:]
    for index in DenseArray.indices(of: input.shape) {
      let key = index.indices.map { axes.contains($0) ? 0 : index[$0] }
      groups[key, default: []].append(Double(input[index]))
    }
    let kept = input.shape.indices.map { axes.contains($0) ? 1 : input.shape[$0] }
    let full = DenseArray(kept) { Float(value(groups[$0]!)) }
    let shape = input.shape.indices.filter { !axes.contains($0) }.map { input.shape[$0] }
    return keepDimensions ? full : DenseArray(shape, full.values)
  }
}

private let reductions = (0...10).map { fov_reduce_function(rawValue: $0)! }

@Suite struct ReduceTests {
  @Test(arguments: reductions, InputPlace.allCases)
  func matchesDoublePrecision(_ function: fov_reduce_function, _ place: InputPlace) throws {
    var generator = SplitMix(seed: UInt64(function.rawValue) + 50)
    for trial in 0..<50 {
      let rank = trial % 5 + 1
      let input = generator.array(generator.shape(rank: rank, limit: 1500), in: 0.8...1.2)
      let count = function == .argmax ? 1 : Int.random(in: 1...rank, using: &generator)
      let axes = Array((0..<rank).shuffled(using: &generator).prefix(count))
      let reduce = Reduce(
        function: function, axes: axes, keepDimensions: Bool.random(using: &generator),
        epsilon: 0.5)
      let result = try GraphRunner.run([input], from: place, add: reduce.add)
      expectClose(
        result, reduce.oracle(input), relative: 2e-7, absolute: 1e-7,
        "\(input.shape) over \(axes)")
    }
  }

  @Test func signsAndTies() throws {
    let input = DenseArray([2, 4], [-3, 1, 1, -2, -5, -4, -4, -6])
    func values(_ function: fov_reduce_function, _ axis: Int = 1) throws -> [Float] {
      try GraphRunner.run([input], add: Reduce(function: function, axes: [axis]).add).values
    }
    #expect(try values(.argmax) == [1, 1])
    #expect(try values(.argmax, 0) == [0, 0, 0, 0])
    #expect(try values(.maximum) == [1, -4])
    #expect(try values(.minimum) == [-3, -6])
    #expect(try values(.l1) == [7, 19])
    #expect(try values(.product) == [6, 480])
  }

  @Test func aMillionElementsAddUpExactly() throws {
    // In single precision the sum would stop growing where 0.1 falls below half a unit.
    let input = DenseArray([1000, 1000], [Float](repeating: 0.1, count: 1_000_000))
    let reduce = Reduce(function: .sum, axes: [0, 1])
    expectClose(
      try GraphRunner.run([input], add: reduce.add),
      DenseArray([], [Float(1_000_000 * Double(0.1 as Float))]))
  }

  @Test func logarithmsOfLargeSums() throws {
    let infinity = Float.infinity
    let input = DenseArray(
      [5, 2], [1000, 1000, -infinity, -infinity, infinity, 0, .nan, 0, -1000, -1000])
    let reduce = Reduce(function: .log_sum_exp, axes: [1])
    let expected: [Float] = [1000 + logf(2), -infinity, infinity, .nan, -1000 + logf(2)]
    expectClose(try GraphRunner.run([input], add: reduce.add), DenseArray([5], expected))
  }

  @Test(arguments: [0, 1])
  func notANumber(_ axis: Int) throws {
    let nan = Float.nan
    let rows: [Float] = [nan, 2, nan, nan, nan, nan]
    let columns: [Float] = [nan, nan, 2, nan, nan, nan]
    let input = axis == 1 ? DenseArray([2, 3], rows) : DenseArray([3, 2], columns)
    func values(_ function: fov_reduce_function) throws -> [Float] {
      try GraphRunner.run([input], add: Reduce(function: function, axes: [axis]).add).values
    }
    #expect(try values(.maximum) == [2, -.infinity])
    #expect(try values(.minimum) == [2, .infinity])
    #expect(try values(.argmax) == [1, 0])
    for function in [fov_reduce_function.sum, .mean, .product, .l1, .l2, .log_sum_exp] {
      #expect(try values(function).allSatisfy { $0.isNaN })
    }
  }

  @Test func refusals() throws {
    func status(_ reduce: Reduce, mask: UInt32, _ shape: [Int] = [2, 3]) throws -> fov_status {
      try GraphRunner.status(shapes: [shape], add: reduce.add(mask: mask))
    }
    let sum = Reduce(function: .sum, axes: [])
    #expect(try status(sum, mask: 0b11) == .ok)
    for mask: UInt32 in [0, 0b100, 0b111, .max, 1 << 31] {
      #expect(try status(sum, mask: mask) == .invalid_argument)
    }
    let nan = Reduce(function: .log_sum, axes: [], epsilon: .nan)
    #expect(try status(nan, mask: 1) == .invalid_argument)
    let unknown = Reduce(function: fov_reduce_function(rawValue: 11)!, axes: [])
    #expect(try status(unknown, mask: 1) == .invalid_argument)
    let argmax = Reduce(function: .argmax, axes: [])
    #expect(try status(argmax, mask: 0b11) == .invalid_argument)
    #expect(try status(argmax, mask: 1, [1 << 24]) == .ok)
    #expect(try status(argmax, mask: 1, [1 << 24 + 1]) == .unsupported)
  }
}
