// Fovea - tests of softmax and local response normalization.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Foundation
import FoveaTestSupport
import Testing

@Suite struct SoftmaxTests {
  private func add(_ axis: Int) -> AddOperation {
    { fov_graph_add_softmax($0, axis, $1[0], $2, $3) }
  }

  private func oracle(_ input: DenseArray, _ axis: Int) -> DenseArray {
    DenseArray(input.shape) { index in
      let line = (0..<input.shape[axis]).map { position in
        var other = index
        other[axis] = position
        return Double(input[other])
      }
      let largest = line.max()!
      let sum = line.reduce(0) { $0 + exp($1 - largest) }
      return Float(exp(Double(input[index]) - largest) / sum)
    }
  }

  @Test(arguments: InputPlace.allCases)
  func matchesDoublePrecision(_ place: InputPlace) throws {
    var generator = SplitMix(seed: 60)
    for trial in 0..<50 {
      let rank = trial % 5 + 1
      let input = generator.array(generator.shape(rank: rank, limit: 2000), in: -20...20)
      let axis = Int.random(in: 0..<rank, using: &generator)
      let result = try GraphRunner.run([input], from: place, add: add(axis))
      expectClose(result, oracle(input, axis), relative: 3e-6, absolute: 1e-7)
    }
  }

  /// Columns are worked on in blocks; these end before, at and after a block.
  @Test(arguments: [63, 64, 65, 129])
  func manyColumns(_ columns: Int) throws {
    var generator = SplitMix(seed: 61)
    let input = generator.array([2, 5, columns], in: -5...5)
    for place in InputPlace.allCases {
      let result = try GraphRunner.run([input], from: place, add: add(1))
      expectClose(result, oracle(input, 1), relative: 3e-6)
    }
  }

  @Test func extremes() throws {
    let infinity = Float.infinity
    let input = DenseArray(
      [6, 2],
      [3e38, -3e38, 1e4, 1e4, -infinity, 0, .nan, 0, infinity, 0, -infinity, -infinity])
    let expected: [Float] = [1, 0, 0.5, 0.5, 0, 1, .nan, .nan, .nan, .nan, .nan, .nan]
    expectClose(try GraphRunner.run([input], add: add(1)), DenseArray([6, 2], expected))
  }

  @Test func refusals() throws {
    #expect(try GraphRunner.status(shapes: [[2, 3]], add: add(1)) == .ok)
    #expect(try GraphRunner.status(shapes: [[2, 3]], add: add(2)) == .invalid_argument)
    #expect(try GraphRunner.status(shapes: [[2, 3]], add: add(-1)) == .invalid_argument)
  }
}

@Suite struct LocalResponseNormalizationTests {
  private func add(
    size: Int, alpha: Float = 0.5, beta: Float = 0.75, k: Float = 2
  ) -> AddOperation {
    var parameters = fov_local_response_normalization(size: size, alpha: alpha, beta: beta, k: k)
    return { fov_graph_add_local_response_normalization($0, &parameters, $1[0], $2, $3) }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 100, Int.max], InputPlace.allCases)
  func matchesDoublePrecision(_ size: Int, _ place: InputPlace) throws {
    var generator = SplitMix(seed: 70)
    for rank in 3...5 {
      let input = generator.array(generator.shape(rank: rank, limit: 1000))
      let axis = rank - 3
      let expected = DenseArray(input.shape) { index in
        var sum = 0.0
        for channel in 0..<input.shape[axis] {
          let distance = channel - index[axis]
          guard distance >= -((size - 1) / 2), distance <= size / 2 else { continue }
          var other = index
          other[axis] = channel
          sum += Double(input[other]) * Double(input[other])
        }
        return Float(Double(input[index]) / pow(2 + 0.5 / Double(size) * sum, 0.75))
      }
      let result = try GraphRunner.run([input], from: place, add: add(size: size))
      expectClose(result, expected, relative: 2e-6, absolute: 1e-7)
    }
  }

  @Test func refusals() throws {
    func status(_ add: AddOperation, _ shape: [Int] = [3, 2, 2]) throws -> fov_status {
      try GraphRunner.status(shapes: [shape], add: add)
    }
    #expect(try status(add(size: 5)) == .ok)
    #expect(try status(add(size: 5), [3, 2]) == .shape_mismatch)
    #expect(try status(add(size: 0)) == .invalid_argument)
    #expect(try status(add(size: 5, alpha: .nan)) == .invalid_argument)
    #expect(try status(add(size: 5, beta: .infinity)) == .invalid_argument)
    #expect(try status(add(size: 5, k: .nan)) == .invalid_argument)
  }
}
