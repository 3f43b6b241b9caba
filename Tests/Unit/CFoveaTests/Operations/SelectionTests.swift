// Fovea - tests of selection, cumulative sums and layer normalization.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

private func select() -> AddOperation {
  { fov_graph_add_select($0, $1[0], $1[1], $1[2], $2, $3) }
}

@Suite struct SelectTests {
  @Test(
    arguments: [
      ([4], [4], [4]), ([], [], []), ([3, 1], [1, 4], [4]), ([1], [2, 3, 4], [3, 1]),
      ([2, 1, 4, 1], [3, 1, 5], [1]), ([17, 16], [1], [1, 16]),
      ([2, 3, 4], [1, 1, 1], [2, 1, 1]),
    ] as [([Int], [Int], [Int])])
  func broadcasts(_ condition: [Int], _ left: [Int], _ right: [Int]) throws {
    var generator = SplitMix(seed: 7)
    var c = generator.array(condition)
    c.values = c.values.map { $0 < 0 ? 0 : $0 < 1 ? 1 : $0 < 2 ? .nan : -0.0 }
    let a = generator.array(left), b = generator.array(right)
    let rank = max(condition.count, left.count, right.count)
    func aligned(_ shape: [Int]) -> [Int] {
      [Int](repeating: 1, count: rank - shape.count) + shape
    }
    let shape = (0..<rank).map {
      max(aligned(condition)[$0], aligned(left)[$0], aligned(right)[$0])
    }
    func element(_ array: DenseArray, _ index: [Int]) -> Float {
      array[zip(index.suffix(array.shape.count), array.shape).map { $1 == 1 ? 0 : $0 }]
    }
    let expected = DenseArray(shape) { element(element(c, $0) != 0 ? a : b, $0) }
    try expectEverywhere([c, a, b], expected, add: select())
  }

  @Test func refusals() throws {
    try expectRefusal(
      .shape_mismatch, "do not fit", shapes: [[2, 3], [3], [2, 4]], add: select())
    try expectRefusal(.shape_mismatch, "do not fit", shapes: [[2], [3], [1]], add: select())
    let huge = 1 << 31
    #expect(
      try GraphRunner.status(shapes: [[huge, 1, 1], [1, huge, 1], [1, 1, huge]], add: select())
        == .overflow)
  }
}

private func sums(_ axis: Int, exclusive: Bool = false, reverse: Bool = false) -> AddOperation {
  var parameters = fov_cumulative_sum(axis: axis, exclusive: exclusive, reverse: reverse)
  return { fov_graph_add_cumulative_sum($0, &parameters, $1[0], $2, $3) }
}

@Suite struct CumulativeSumTests {
  @Test(arguments: [([9], 0), ([3, 5], 0), ([3, 5], 1), ([2, 7, 130], 1), ([4, 1, 3], 1)])
  func sumsUp(_ shape: [Int], _ axis: Int) throws {
    var generator = SplitMix(seed: 8)
    let x = generator.array(shape)
    for (exclusive, reverse) in [(false, false), (true, false), (false, true), (true, true)] {
      let expected = DenseArray(shape) { index in
        let i = index[axis]
        let range =
          reverse ? (exclusive ? i + 1 : i)..<shape[axis] : 0..<(exclusive ? i : i + 1)
        return Float(
          range.reduce(0.0) {
            var at = index
            at[axis] = $1
            return $0 + Double(x[at])
          })
      }
      try expectEverywhere(
        [x], expected, relative: 1e-6, absolute: 1e-6,
        add: sums(axis, exclusive: exclusive, reverse: reverse))
    }
  }

  @Test func fromNotANumberOn() throws {
    let x = DenseArray([4], [1, 2, .nan, 3])
    try expectEverywhere([x], DenseArray([4], [1, 3, .nan, .nan]), add: sums(0))
    let ends = DenseArray([3], [.infinity, 1, -.infinity])
    try expectEverywhere([ends], DenseArray([3], [.infinity, .infinity, .nan]), add: sums(0))
  }

  @Test func refusals() throws {
    try expectRefusal(.invalid_argument, "axis 2", shapes: [[3, 4]], add: sums(2))
  }
}

private func normalization(_ axes: UInt32, _ epsilon: Float = 1e-5) -> AddOperation {
  var parameters = fov_layer_normalization(axes: axes, epsilon: epsilon)
  return { fov_graph_add_layer_normalization($0, &parameters, $1[0], $2, $3) }
}

@Suite struct LayerNormalizationTests {
  /// In double precision, over the last `count` elements together.
  private func oracle(_ x: DenseArray, _ count: Int, _ epsilon: Double) -> DenseArray {
    var result = x
    for begin in stride(from: 0, to: x.values.count, by: count) {
      let group = x.values[begin..<begin + count].map(Double.init)
      let mean = group.reduce(0, +) / Double(count)
      let variance = group.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)
      for i in 0..<count {
        result.values[begin + i] = Float((group[i] - mean) / (variance + epsilon).squareRoot())
      }
    }
    return result
  }

  @Test(
    arguments: [
      ([16], 0b1), ([3, 17], 0b10), ([3, 17], 0b11), ([2, 5, 7, 3], 0b1100), ([2, 5, 1], 0b100),
      ([900, 40], 0b10), ([2, 3, 20000], 0b100),
    ] as [([Int], UInt32)])
  func meanAndVariance(_ shape: [Int], _ axes: UInt32) throws {
    var generator = SplitMix(seed: 9)
    let x = generator.array(shape, in: 90...110)
    let count = shape.indices.filter { axes >> UInt32($0) & 1 != 0 }.reduce(1) { $0 * shape[$1] }
    try expectEverywhere(
      [x], oracle(x, count, 1e-5), relative: 1e-5, absolute: 1e-5, add: normalization(axes))
  }

  @Test func groupsOfNoNumbers() throws {
    let x = DenseArray([4, 2], [1, .nan, 1, 3, .infinity, 0, 5, 5])
    let expected = DenseArray([4, 2], [.nan, .nan, -1, 1, .nan, .nan, 0, 0])
    try expectEverywhere([x], expected, absolute: 1e-4, add: normalization(0b10))
    let equal = DenseArray([2], [5, 5])
    let nan = DenseArray([2], [.nan, .nan])
    try expectEverywhere([equal], nan, add: normalization(1, 0))
  }

  @Test func refusals() throws {
    for axes: UInt32 in [0, 0b1, 0b101, 0b1000, 0b1100] {
      try expectRefusal(
        .invalid_argument, "the last ones of rank 3", shapes: [[2, 3, 4]],
        add: normalization(axes))
    }
    try expectRefusal(.invalid_argument, "the last", shapes: [[]], add: normalization(1))
    for epsilon: Float in [-1, .nan, .infinity] {
      try expectRefusal(
        .invalid_argument, "epsilon", shapes: [[3]], add: normalization(1, epsilon))
    }
  }
}
