// Fovea - tests of products of matrices.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

private func product(left: Bool = false, right: Bool = false) -> AddOperation {
  var parameters = fov_matrix_product(transpose_left: left, transpose_right: right)
  return { fov_graph_add_matrix_product($0, &parameters, $1[0], $1[1], $2, $3) }
}

/// The last two dimensions in the other order.
private func transposed(_ array: DenseArray) -> DenseArray {
  let rank = array.shape.count
  return DenseArray(array.shape.dropLast(2) + [array.shape[rank - 1], array.shape[rank - 2]]) {
    array[$0.dropLast(2) + [$0[rank - 1], $0[rank - 2]]]
  }
}

/// Every element from its row and its column, in double precision.
private func oracle(_ left: DenseArray, _ right: DenseArray) -> DenseArray {
  let k = left.shape[left.shape.count - 1]
  let rank = max(left.shape.count, right.shape.count)
  func batch(_ array: DenseArray) -> [Int] {
    [Int](repeating: 1, count: rank - array.shape.count) + array.shape.dropLast(2)
  }
  let shape =
    zip(batch(left), batch(right)).map { max($0, $1) }
    + [left.shape[left.shape.count - 2], right.shape[right.shape.count - 1]]
  return DenseArray(shape) { index in
    func own(_ array: DenseArray, _ last: [Int]) -> Float {
      let batch = zip(index.dropLast(2).suffix(array.shape.count - 2), array.shape)
        .map { $1 == 1 ? 0 : $0 }
      return array[batch + last]
    }
    return Float(
      (0..<k).reduce(0.0) {
        $0 + Double(own(left, [index[rank - 2], $1])) * Double(own(right, [$1, index[rank - 1]]))
      })
  }
}

@Suite struct MatrixProductTests {
  private func expectProducts(_ left: [Int], _ right: [Int], seed: UInt64 = 1) throws {
    var generator = SplitMix(seed: seed)
    let a = generator.array(left, in: -1...1), b = generator.array(right, in: -1...1)
    let expected = oracle(a, b)
    // Products of at most 1 add up with a rounding each.
    let absolute = max(1e-5, 1e-7 * Float(left[left.count - 1]))
    for (turnsLeft, turnsRight) in [(false, false), (true, false), (false, true), (true, true)] {
      try expectEverywhere(
        [turnsLeft ? transposed(a) : a, turnsRight ? transposed(b) : b], expected,
        relative: 1e-5, absolute: absolute, "\(left) \(right) \(turnsLeft) \(turnsRight)",
        add: product(left: turnsLeft, right: turnsRight))
    }
  }

  @Test(arguments: [
    ([1, 1], [1, 1]), ([2, 3], [3, 4]), ([1, 17], [17, 33]), ([5, 1], [1, 7]), ([33, 8], [8, 16]),
    ([9, 16], [16, 5]), ([7, 64], [64, 24]), ([40, 31], [31, 48]), ([16, 10], [10, 9]),
  ])
  func matrices(_ left: [Int], _ right: [Int]) throws {
    try expectProducts(left, right)
  }

  @Test(arguments: [
    ([2, 3, 4, 5], [2, 3, 5, 6]), ([3, 4, 5], [5, 6]), ([4, 5], [3, 5, 6]),
    ([2, 1, 4, 5], [1, 3, 5, 6]), ([3, 1, 4, 5], [2, 5, 6]), ([2, 3, 4, 5], [1, 1, 5, 6]),
    ([1, 2, 1, 2, 3, 4], [2, 1, 2, 1, 4, 3]),
  ])
  func batches(_ left: [Int], _ right: [Int]) throws {
    try expectProducts(left, right)
  }

  /// More rows, columns and depth than a block has, and more than one unit of work.
  @Test(arguments: [
    ([300, 70], [70, 20]), ([40, 33], [33, 530]), ([3, 5000], [5000, 18]),
    ([2, 130, 40], [2, 40, 90]),
  ])
  func largerThanABlock(_ left: [Int], _ right: [Int]) throws {
    try expectProducts(left, right)
  }

  /// int8 adds products in their order, each with one rounding: the same bits on every processor.
  @Test(arguments: NetworkVariety.instructionSets)
  func integersAreFusedInOrder(_ set: fov_instruction_set) throws {
    let (rows, depth, columns) = (37, 45, 29)
    var generator = SplitMix(seed: 9)
    let a = generator.array([2, rows, depth]), b = generator.array([2, depth, columns])
    let expected = (0..<2 * rows * columns).map { place in
      let (batch, row, column) = (
        place / columns / rows, place / columns % rows, place % columns
      )
      return (0..<depth).reduce(Float(0)) { sum, i in
        sum.addingProduct(
          a.values[(batch * rows + row) * depth + i],
          b.values[(batch * depth + i) * columns + column])
      }
    }
    let options = RunOptions(backend: .int8, instructionSet: set)
    let found = try GraphRunner.run([a, b], options: options, add: product())
    #expect(zip(found.values, expected).allSatisfy { $0.bitPattern == $1.bitPattern })
  }

  @Test func notANumberStaysInItsRowAndColumn() throws {
    var a = DenseArray([3, 4], [Float](repeating: 1, count: 12))
    a.values[5] = .nan
    let b = DenseArray([4, 2], [Float](repeating: 2, count: 8))
    let expected = DenseArray([3, 2], [8, 8, .nan, .nan, 8, 8])
    try expectEverywhere([a, b], expected, add: product())
    a.values[5] = .infinity
    try expectEverywhere(
      [a, b], DenseArray([3, 2], [8, 8, .infinity, .infinity, 8, 8]), add: product())
  }

  @Test func refusals() throws {
    for shapes in [
      [[3], [3, 2]], [[2, 3], [4, 2]], [[2, 3], [3]], [[2, 4, 3], [3, 3, 4]],
    ] {
      try expectRefusal(.shape_mismatch, "expected [..., m, k]", shapes: shapes, add: product())
    }
    try expectRefusal(
      .shape_mismatch, "transposed 2x3", shapes: [[2, 3], [3, 2]], add: product(left: true))
  }

  @Test func multiplyAccumulates() throws {
    var graph: OpaquePointer?
    try check { _ in fov_graph_create(&graph) }
    var shape = fov_shape(sizes: [2, 3, 5]), other = fov_shape(sizes: [5, 7])
    let left = try addedValue {
      fov_graph_add_input(graph!, "a", fov_data_type.float32, &shape, $0, $1)
    }
    let right = try addedValue {
      fov_graph_add_input(graph!, "b", fov_data_type.float32, &other, $0, $1)
    }
    let made = try addedValue { product()(graph!, [left, right], $0, $1) }
    try check { fov_graph_mark_output(graph!, made, "c", $0) }
    var options = fov_model_options_default()
    options.backend = .float32
    var model: OpaquePointer?
    try check { fov_model_create(graph!, &options, &model, $0) }
    defer { fov_model_destroy(model) }
    try withUnsafeTemporaryAllocation(of: fov_node_information.self, capacity: 1) { buffer in
      try check { _ in fov_model_node(model!, 0, buffer.baseAddress!) }
      #expect(buffer[0].multiply_accumulates == 2 * 3 * 5 * 7)
    }
  }
}
