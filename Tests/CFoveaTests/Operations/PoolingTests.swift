// Fovea - tests of pooling.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

private struct Pooling {
  var function = fov_pooling_function.maximum
  var kernel = [2, 2]
  var stride = [2, 2]
  var before = [0, 0]
  var output = [1, 1]
  var excludePadding = false

  var add: AddOperation {
    var parameters = fov_pooling(
      function: function, kernel: (kernel[0], kernel[1]), stride: (stride[0], stride[1]),
      before: (before[0], before[1]), output: (output[0], output[1]),
      exclude_padding: excludePadding)
    return { fov_graph_add_pooling($0, &parameters, $1[0], $2, $3) }
  }

  /// Each window from its definition, element by element, with the border asked for by position.
  func oracle(_ input: DenseArray) -> DenseArray {
    let rows = input.shape[input.shape.count - 2]
    let columns = input.shape[input.shape.count - 1]
    return DenseArray(input.shape.dropLast(2) + output) { index in
      var inside: [Float] = []
      for i in 0..<kernel[0] {
        for j in 0..<kernel[1] {
          let y = index[index.count - 2] * stride[0] - before[0] + i
          let x = index[index.count - 1] * stride[1] - before[1] + j
          guard (0..<rows).contains(y), (0..<columns).contains(x) else { continue }
          inside.append(input[index.dropLast(2) + [y, x]])
        }
      }
      let elements = excludePadding ? inside.count : kernel[0] * kernel[1]
      switch function {
      case .maximum: return inside.max()!
      case .average: return Float(inside.reduce(0.0) { $0 + Double($1) } / Double(elements))
      case .l2: return Float(inside.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot())
      }
    }
  }
}

@Suite struct PoolingTests {
  @Test(arguments: [0, 1, 2] as [UInt32], InputPlace.allCases)
  func matchesWindowsByDefinition(_ function: UInt32, _ place: InputPlace) throws {
    var generator = SplitMix(seed: UInt64(function) + 20)
    for trial in 0..<60 {
      let input = generator.array(generator.shape(rank: trial % 3 + 3, limit: 3000))
      var pooling = Pooling(function: fov_pooling_function(rawValue: function)!)
      pooling.excludePadding = trial % 2 == 0
      for axis in 0..<2 {
        let size = input.shape[input.shape.count - 2 + axis]
        let kernel = Int.random(in: 1...5, using: &generator)
        let stride = Int.random(in: 1...4, using: &generator)
        let before = Int.random(in: 0..<kernel, using: &generator)
        pooling.kernel[axis] = kernel
        pooling.stride[axis] = stride
        pooling.before[axis] = before
        // As many windows as can begin inside, or fewer.
        let most = (size + before - 1) / stride + 1
        pooling.output[axis] = Int.random(in: 1...most, using: &generator)
      }
      let result = try GraphRunner.run([input], from: place, add: pooling.add)
      let exact = pooling.function == .maximum
      expectClose(
        result, pooling.oracle(input), relative: exact ? 0 : 2e-6, absolute: exact ? 0 : 2e-6)
    }
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 5), (7, 16), (17, 17), (33, 2), (2, 35)])
  func halvesByMaximum(_ rows: Int, _ columns: Int) throws {
    var generator = SplitMix(seed: 5)
    let input = generator.array([2, 3, rows, columns])
    for roundUp in [false, true] where roundUp || (rows > 1 && columns > 1) {
      let pooling = Pooling(output: [rows, columns].map { roundUp ? ($0 + 1) / 2 : $0 / 2 })
      let result = try GraphRunner.run([input], add: pooling.add)
      expectClose(result, pooling.oracle(input))
    }
  }

  @Test func paddingCountsInAnAverageUnlessExcluded() throws {
    let ones = DenseArray([1, 2, 2], [1, 1, 1, 1])
    var pooling = Pooling(
      function: .average, kernel: [3, 3], stride: [1, 1], before: [1, 1], output: [2, 2])
    let counted = try GraphRunner.run([ones], add: pooling.add)
    expectClose(counted, DenseArray([1, 2, 2], [Float](repeating: 4.0 / 9.0, count: 4)))
    pooling.excludePadding = true
    #expect(try GraphRunner.run([ones], add: pooling.add).values == [1, 1, 1, 1])
  }

  @Test func paddingNeverWins() throws {
    let negative = DenseArray([1, 1, 2], [-5, -7])
    let pooling = Pooling(kernel: [3, 3], stride: [1, 1], before: [1, 1], output: [1, 2])
    #expect(try GraphRunner.run([negative], add: pooling.add).values == [-5, -5])
  }

  @Test func notANumberLosesAMaximumOnBothPaths() throws {
    let nan = Float.nan
    let rows: [Float] = [nan, 1, 2, nan, nan, nan, 3, 4] + [0, nan, nan, 5, nan, nan, nan, nan]
    let input = DenseArray([1, 2, 8], rows)
    let expected: [Float] = [1, 5, -.infinity, 4]
    let pairs = Pooling(output: [1, 4])
    #expect(try GraphRunner.run([input], add: pairs.add).values == expected)
    // A kernel of three rows takes the other path to the same windows.
    let tall = Pooling(kernel: [3, 2], stride: [2, 2], output: [1, 4])
    #expect(try GraphRunner.run([input], add: tall.add).values == expected)
    let average = Pooling(function: .average, output: [1, 4])
    #expect(try GraphRunner.run([input], add: average.add).values.allSatisfy { $0.isNaN })
  }

  @Test func refusals() throws {
    func status(_ pooling: Pooling, _ shape: [Int] = [1, 4, 4]) throws -> fov_status {
      try GraphRunner.status(shapes: [shape], add: pooling.add)
    }
    #expect(try status(Pooling(output: [2, 2])) == .ok)
    #expect(try status(Pooling(output: [2, 2]), [4, 4]) == .shape_mismatch)
    #expect(try status(Pooling(function: fov_pooling_function(rawValue: 3)!)) == .invalid_argument)
    for axis in 0..<2 {
      var pooling = Pooling()
      pooling.kernel[axis] = 0
      #expect(try status(pooling) == .invalid_argument)
      pooling = Pooling()
      pooling.stride[axis] = 0
      #expect(try status(pooling) == .invalid_argument)
      pooling = Pooling()
      pooling.output[axis] = 0
      #expect(try status(pooling) == .invalid_argument)
      // The first window would lie before the plane.
      pooling = Pooling()
      pooling.before[axis] = 2
      #expect(try status(pooling) == .invalid_argument)
      // The last window would lie behind it.
      pooling = Pooling()
      pooling.output[axis] = 3
      #expect(try status(pooling) == .shape_mismatch)
      pooling = Pooling()
      pooling.output[axis] = .max
      #expect(try status(pooling) == .overflow || status(pooling) == .shape_mismatch)
      pooling = Pooling()
      pooling.stride[axis] = -1
      pooling.output[axis] = 3
      #expect(try status(pooling) == .overflow)
      pooling = Pooling()
      pooling.kernel[axis] = -1
      pooling.before[axis] = -2
      #expect(try status(pooling) == .overflow)
    }
  }

  @Test func kernelsFarLargerThanThePlane() throws {
    let input = DenseArray([1, 1, 3], [3, 1, 2])
    let pooling = Pooling(kernel: [1 << 40, 1 << 40], stride: [1, 1], output: [1, 3])
    #expect(try GraphRunner.run([input], add: pooling.add).values == [3, 2, 2])
  }
}
