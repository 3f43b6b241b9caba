// Fovea - tests of the operations that move elements: slice, reshape, transpose, broadcast, concat.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// An array whose elements say where they stand.
private func counting(_ shape: [Int]) -> DenseArray {
  DenseArray(shape, (0..<shape.reduce(1, *)).map { Float($0) })
}

@Suite struct SliceTests {
  private func add(_ begin: [Int], _ count: [Int], _ stride: [Int64]) -> AddOperation {
    var slice = fov_slice(begin: begin, count: count, stride: stride)
    return { fov_graph_add_slice($0, &slice, $1[0], $2, $3) }
  }

  @Test(arguments: InputPlace.allCases)
  func readsByIndex(_ place: InputPlace) throws {
    var generator = SplitMix(seed: 11)
    for trial in 0..<60 {
      let input = counting(generator.shape(rank: trial % 5 + 1))
      var begin: [Int] = []
      var count: [Int] = []
      var stride: [Int64] = []
      for size in input.shape {
        begin.append(Int.random(in: 0..<size, using: &generator))
        let step = Int.random(in: 1...3, using: &generator)
        let backwards = Bool.random(using: &generator)
        stride.append(Int64(backwards ? -step : step))
        let room = (backwards ? begin.last! : size - 1 - begin.last!) / step
        count.append(Int.random(in: 1...room + 1, using: &generator))
      }
      let result = try GraphRunner.run([input], from: place, add: add(begin, count, stride))
      let expected = DenseArray(count) { index in
        input[index.indices.map { begin[$0] + index[$0] * Int(stride[$0]) }]
      }
      #expect(result == expected)
    }
  }

  @Test func oneElementAtAnyStride() throws {
    for stride in [Int64.max, .min, -1] {
      let result = try GraphRunner.run(
        [counting([3, 5])], add: add([2, 1], [1, 3], [stride, 1]))
      #expect(result.values == [11, 12, 13])
    }
  }

  @Test func refusals() throws {
    func status(_ begin: Int, _ count: Int, _ stride: Int64) throws -> fov_status {
      try GraphRunner.status(shapes: [[2, 7]], add: add([0, begin], [2, count], [1, stride]))
    }
    #expect(try status(0, 7, 1) == .ok)
    #expect(try status(6, 7, -1) == .ok)
    #expect(try status(0, 4, 2) == .ok)
    let bad: [(Int, Int, Int64)] = [
      (7, 1, 1), (-1, 1, 1), (.max, 1, 1), (0, 8, 1), (0, 5, 2), (1, 4, 2), (5, 7, -1), (0, 2, -1),
      (0, 0, 1), (0, -1, 1), (0, 1, 0), (0, 2, .max), (6, 2, .min), (0, .max, .max),
      (1, .max, -1), (0, -1, .min),
    ]
    for (begin, count, stride) in bad {
      #expect(
        try status(begin, count, stride) == .invalid_argument, "\(begin) \(count) \(stride)")
    }
  }
}

@Suite struct ReshapeTests {
  private func add(_ shape: [Int]) -> AddOperation {
    var sizes = fov_shape(sizes: shape)
    return { fov_graph_add_reshape($0, &sizes, $1[0], $2, $3) }
  }

  @Test(arguments: [[60], [1, 60], [5, 4, 3], [3, 1, 4, 1, 5], [1, 2, 3, 1, 1, 2, 5, 1]])
  func keepsOrder(_ shape: [Int]) throws {
    for place in InputPlace.allCases {
      let input = counting([3, 4, 5])
      let result = try GraphRunner.run([input], from: place, add: add(shape))
      #expect(result == DenseArray(shape, input.values))
    }
  }

  @Test func refusals() throws {
    func status(_ shape: [Int]) throws -> fov_status {
      try GraphRunner.status(shapes: [[3, 4]], add: add(shape))
    }
    #expect(try status([13]) == .shape_mismatch)
    #expect(try status([12, 0]) == .shape_mismatch)
    #expect(try status([Int](repeating: 1, count: 8) + [12]) == .shape_mismatch)
    #expect(try status([1 << 31, 1 << 32]) == .overflow)
  }
}

@Suite struct TransposeTests {
  private func add(_ axes: [Int]) -> AddOperation {
    { fov_graph_add_transpose($0, axes, $1[0], $2, $3) }
  }

  private func oracle(_ input: DenseArray, _ axes: [Int]) -> DenseArray {
    DenseArray(axes.map { input.shape[$0] }) { index in
      var source = [Int](repeating: 0, count: axes.count)
      for (i, axis) in axes.enumerated() { source[axis] = index[i] }
      return input[source]
    }
  }

  @Test(arguments: InputPlace.allCases)
  func readsByIndex(_ place: InputPlace) throws {
    var generator = SplitMix(seed: 12)
    for trial in 0..<80 {
      let rank = trial % 5 + 1
      let input = counting(generator.shape(rank: rank))
      let axes = (0..<rank).shuffled(using: &generator)
      let result = try GraphRunner.run([input], from: place, add: add(axes))
      #expect(result == oracle(input, axes), "\(input.shape) by \(axes)")
    }
  }

  /// The permutations of a space-to-depth layer: neighbors that stay together, and rank 6.
  @Test(arguments: [
    ([2, 3, 33, 2, 18, 2], [0, 3, 5, 1, 2, 4]), ([1, 255, 13, 13], [0, 2, 3, 1]),
    ([40, 50], [1, 0]), ([17, 16, 15], [2, 0, 1]), ([1, 1, 1], [2, 1, 0]), ([2, 3, 4], [0, 1, 2]),
  ])
  func knownPermutations(_ shape: [Int], _ axes: [Int]) throws {
    let input = counting(shape)
    #expect(try GraphRunner.run([input], add: add(axes)) == oracle(input, axes))
  }

  @Test(arguments: [[0, 1, 1], [0, 1, 3], [0, 1, -1], [0, 1, 64], [2, 2, 2]])
  func refusals(_ axes: [Int]) throws {
    #expect(try GraphRunner.status(shapes: [[2, 3, 4]], add: add(axes)) == .invalid_argument)
  }
}

@Suite struct BroadcastTests {
  private func add(_ shape: [Int]) -> AddOperation {
    var sizes = fov_shape(sizes: shape)
    return { fov_graph_add_broadcast($0, &sizes, $1[0], $2, $3) }
  }

  @Test(arguments: InputPlace.allCases)
  func readsByIndex(_ place: InputPlace) throws {
    var generator = SplitMix(seed: 13)
    for trial in 0..<60 {
      let shape = generator.shape(rank: trial % 5 + 1)
      let kept = shape.suffix(Int.random(in: 1...shape.count, using: &generator))
      let input = counting(kept.map { Bool.random(using: &generator) ? 1 : $0 })
      let result = try GraphRunner.run([input], from: place, add: add(shape))
      let expected = DenseArray(shape) { index in
        input[zip(index.suffix(kept.count), input.shape).map { $1 == 1 ? 0 : $0 }]
      }
      #expect(result == expected, "\(input.shape) to \(shape)")
    }
  }

  @Test func refusals() throws {
    func status(_ from: [Int], _ shape: [Int]) throws -> fov_status {
      try GraphRunner.status(shapes: [from], add: add(shape))
    }
    #expect(try status([2, 3], [2, 4]) == .shape_mismatch)
    #expect(try status([2, 3], [3]) == .shape_mismatch)
    #expect(try status([2, 3], [1, 3]) == .shape_mismatch)
    #expect(try status([1], [0]) == .shape_mismatch)
    #expect(try status([1], [1 << 32, 1 << 32]) == .overflow)
  }
}

@Suite struct ConcatTests {
  private func add(_ axis: Int) -> AddOperation {
    { fov_graph_add_concat($0, axis, $1, $1.count, $2, $3) }
  }

  @Test(arguments: InputPlace.allCases)
  func readsByIndex(_ place: InputPlace) throws {
    var generator = SplitMix(seed: 14)
    for trial in 0..<40 {
      let rank = trial % 5 + 1
      let shape = generator.shape(rank: rank, limit: 2000)
      let axis = Int.random(in: 0..<rank, using: &generator)
      let inputs = (1...Int.random(in: 1...4, using: &generator)).map { _ in
        var own = shape
        own[axis] = Int.random(in: 1...9, using: &generator)
        return generator.array(own)
      }
      var expectedShape = shape
      expectedShape[axis] = inputs.reduce(0) { $0 + $1.shape[axis] }
      let expected = DenseArray(expectedShape) { index in
        var own = index
        for input in inputs {
          if own[axis] < input.shape[axis] { return input[own] }
          own[axis] -= input.shape[axis]
        }
        return .nan
      }
      #expect(try GraphRunner.run(inputs, from: place, add: add(axis)) == expected)
    }
  }

  @Test func refusals() throws {
    func status(_ shapes: [[Int]], _ axis: Int) throws -> fov_status {
      try GraphRunner.status(shapes: shapes, add: add(axis))
    }
    #expect(try status([], 0) == .invalid_graph)
    #expect(try status([[2, 3]], 2) == .invalid_argument)
    #expect(try status([[2, 3]], -1) == .invalid_argument)
    #expect(try status([[2, 3], [2, 4]], 0) == .shape_mismatch)
    #expect(try status([[2, 3], [2]], 0) == .shape_mismatch)
    #expect(try status([[1 << 60, 2], [1 << 60, 2]], 0) == .overflow)
  }
}
