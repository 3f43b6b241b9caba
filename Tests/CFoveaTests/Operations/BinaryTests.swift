// Fovea - tests of the functions of two elements.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Foundation
import FoveaTestSupport
import Testing

private func binary(_ function: fov_binary_function) -> AddOperation {
  { fov_graph_add_binary($0, function, $1[0], $1[1], $2, $3) }
}

/// The function in single precision, as the interface describes it.
private func value(_ function: fov_binary_function, _ x: Float, _ y: Float) -> Float {
  switch function {
  case .add: x + y
  case .subtract: x - y
  case .multiply: x * y
  case .divide: x / y
  case .maximum: max(x, y)
  case .minimum: min(x, y)
  case .power: Float(pow(Double(x), Double(y)))
  case .modulo: x - (x / y).rounded(.down) * y
  case .floor_divide: (x / y).rounded(.down)
  case .equal: x == y ? 1 : 0
  case .not_equal: x != y ? 1 : 0
  case .greater: x > y ? 1 : 0
  case .greater_equal: x >= y ? 1 : 0
  case .less: x < y ? 1 : 0
  case .less_equal: x <= y ? 1 : 0
  case .logical_and: x != 0 && y != 0 ? 1 : 0
  case .logical_or: x != 0 || y != 0 ? 1 : 0
  case .logical_xor: (x != 0) != (y != 0) ? 1 : 0
  case .truncated_divide: (x / y).rounded(.towardZero)
  }
}

/// Every output element from its index, with dimensions of 1 read at 0.
private func oracle(
  _ function: fov_binary_function, _ left: DenseArray, _ right: DenseArray
) -> DenseArray {
  let rank = max(left.shape.count, right.shape.count)
  func aligned(_ shape: [Int]) -> [Int] {
    [Int](repeating: 1, count: rank - shape.count) + shape
  }
  let shape = zip(aligned(left.shape), aligned(right.shape)).map { max($0, $1) }
  func element(_ array: DenseArray, _ index: [Int]) -> Float {
    let own = index.suffix(array.shape.count)
    return array[zip(own, array.shape).map { $1 == 1 ? 0 : $0 }]
  }
  return DenseArray(shape) { value(function, element(left, $0), element(right, $0)) }
}

private let functions = (0...18).map { fov_binary_function(rawValue: $0)! }

@Suite struct BinaryTests {
  @Test(arguments: functions, InputPlace.allCases)
  func broadcastsLikeTheIndexSays(_ function: fov_binary_function, _ place: InputPlace) throws {
    var generator = SplitMix(seed: UInt64(function.rawValue) + 100)
    for trial in 0..<40 {
      let shape = generator.shape(rank: trial % 5 + 1, limit: 1000)
      // Each side loses leading dimensions or repeats some, at random.
      func side() -> [Int] {
        let kept = shape.suffix(Int.random(in: 1...shape.count, using: &generator))
        return kept.map { Int.random(in: 0..<3, using: &generator) == 0 ? 1 : $0 }
      }
      let left = generator.array(trial % 2 == 0 ? shape : side(), in: 0.5...4)
      let right = generator.array(trial % 4 == 0 ? shape : side(), in: 0.5...4)
      let result = try GraphRunner.run([left, right], from: place, add: binary(function))
      expectClose(
        result, oracle(function, left, right), relative: function == .power ? 1e-6 : 0,
        "\(left.shape) and \(right.shape)")
    }
  }

  @Test(arguments: [
    ([2, 3, 5, 7], [1]), ([2, 3, 5, 7], [3, 1, 1]), ([2, 3, 5, 7], [1, 5, 7]),
    ([2, 3, 5, 7], [7]), ([2, 3, 5, 7], [5, 1]), ([2, 1, 5, 1], [1, 3, 1, 7]),
    ([1], [16, 17]), ([3, 1, 1], [3, 16, 17]), ([1, 1, 1, 1, 1], [1]), ([17], [1, 1, 17]),
  ])
  func commonBroadcasts(_ left: [Int], _ right: [Int]) throws {
    var generator = SplitMix(seed: 7)
    let a = generator.array(left)
    let b = generator.array(right)
    for place in InputPlace.allCases {
      let result = try GraphRunner.run([a, b], from: place, add: binary(.subtract))
      expectClose(result, oracle(.subtract, a, b))
    }
  }

  @Test(arguments: functions)
  func bothSidesTheSameValue(_ function: fov_binary_function) throws {
    var generator = SplitMix(seed: 3)
    let input = generator.array([3, 17], in: 0.5...4)
    for place in InputPlace.allCases {
      let result = try GraphRunner.run([input], from: place) {
        fov_graph_add_binary($0, function, $1[0], $1[0], $2, $3)
      }
      expectClose(result, oracle(function, input, input), relative: function == .power ? 1e-6 : 0)
    }
  }

  @Test func signsOfQuotients() throws {
    let x = DenseArray([4], [7, -7, 7, -7])
    let y = DenseArray([4], [3, 3, -3, -3])
    #expect(try GraphRunner.run([x, y], add: binary(.modulo)).values == [1, 2, -2, -1])
    #expect(try GraphRunner.run([x, y], add: binary(.floor_divide)).values == [2, -3, -3, 2])
    #expect(try GraphRunner.run([x, y], add: binary(.truncated_divide)).values == [2, -2, -2, 2])
  }

  /// Equal elements, both zeros, infinities and NaN, on either side, by rows and by constants.
  @Test(arguments: functions.filter { (9...17).contains($0.rawValue) })
  func truths(_ function: fov_binary_function) throws {
    let values: [Float] = [0, -0.0, 1, -1, 0.5, .infinity, -.infinity, .nan, 3]
    let column = DenseArray([values.count, 1], values)
    let row = DenseArray([values.count], values)
    for place in InputPlace.allCases {
      for (left, right) in [(column, row), (row, column), (row, row)] {
        let result = try GraphRunner.run([left, right], from: place, add: binary(function))
        expectClose(result, oracle(function, left, right))
        #expect(result.values.allSatisfy { $0 == 0 || $0 == 1 })
      }
    }
  }

  @Test(arguments: functions) func aCompiledFileHoldsEveryFunction(
    _ function: fov_binary_function
  ) throws {
    var generator = SplitMix(seed: 5)
    let left = generator.array([3, 17], in: 0.5...4)
    let right = generator.array([17], in: 0.5...4)
    let options = RunOptions(backend: .float32, isCompiled: true)
    let result = try GraphRunner.run([left, right], options: options, add: binary(function))
    expectClose(
      result, oracle(function, left, right), relative: function == .power ? 1e-6 : 0)
  }

  @Test func notANumber() throws {
    let row = [Float](repeating: .nan, count: 9)
    let nan = DenseArray([9], row)
    let one = DenseArray([9], row.map { _ in 1 })
    for function in functions where function != .power && !(9...17).contains(function.rawValue) {
      let left = try GraphRunner.run([nan, one], add: binary(function))
      let right = try GraphRunner.run([one, nan], add: binary(function))
      let choosesRight = function == .maximum || function == .minimum
      #expect(left.values.allSatisfy { choosesRight ? $0 == 1 : $0.isNaN })
      #expect(right.values.allSatisfy { $0.isNaN })
    }
  }

  @Test func refusals() throws {
    #expect(
      try GraphRunner.status(shapes: [[2, 3], [2, 4]], add: binary(.add)) == .shape_mismatch)
    #expect(try GraphRunner.status(shapes: [[3], [3, 2]], add: binary(.add)) == .shape_mismatch)
    let unknown = binary(fov_binary_function(rawValue: 19)!)
    #expect(try GraphRunner.status(shapes: [[3], [3]], add: unknown) == .invalid_argument)
    let huge = 1 << 31
    #expect(
      try GraphRunner.status(shapes: [[huge, 1], [1, huge]], add: binary(.add)) == .overflow)
  }
}
