// Fovea - tests of elements at indices, and of the indices of the greatest.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

private func gather(_ kind: fov_gather_kind, axis: Int = 0, batch: Int = 0) -> AddOperation {
  var parameters = fov_gather(kind: kind, axis: axis, batch_dimensions: batch)
  return { fov_graph_add_gather($0, &parameters, $1[0], $1[1], $2, $3) }
}

private func top(_ axis: Int, _ count: Int, ascending: Bool = false) -> AddOperation {
  var parameters = fov_top_k(axis: axis, count: count, ascending: ascending)
  return { fov_graph_add_top_k_indices($0, &parameters, $1[0], $2, $3) }
}

/// The element that an index means.
private func place(_ index: Float, _ size: Int) -> Int {
  guard !index.isNaN else { return 0 }
  guard abs(index) < 1e9 else { return index < 0 ? 0 : size - 1 }
  let whole = Int(index.rounded(.towardZero))
  return min(max(whole < 0 ? whole + size : whole, 0), size - 1)
}

extension SplitMix {
  /// Indices of an axis, some from the end, some wild.
  fileprivate mutating func indices(_ shape: [Int], of size: Int) -> DenseArray {
    let wild: [Float] = [
      .nan, .infinity, -.infinity, 1e30, -1e30, 0.9, -0.9, Float(size), -Float(size) - 1, 4e9,
      .leastNonzeroMagnitude, -1.5,
    ]
    return DenseArray(
      shape,
      (0..<shape.reduce(1, *)).map { _ in
        Int.random(in: 0..<4, using: &self) == 0
          ? wild.randomElement(using: &self)! : Float(Int.random(in: -size..<size, using: &self))
      })
  }
}

@Suite struct GatherTests {
  @Test(
    arguments: [
      ([5], 0, [3], 0), ([5], 0, [], 0), ([4, 3, 2], 0, [2, 2], 0), ([4, 3, 2], 1, [5], 0),
      ([4, 3, 2], 2, [1], 0), ([2, 3, 4, 5], 2, [2, 6], 1), ([2, 3, 4], 1, [2, 3, 2], 1),
      ([2, 3, 4], 2, [2, 3], 2), ([2, 3, 4], 2, [2], 1), ([1, 17, 4], 1, [1, 9], 1),
    ] as [([Int], Int, [Int], Int)])
  func take(_ shape: [Int], _ axis: Int, _ indexShape: [Int], _ batch: Int) throws {
    var generator = SplitMix(seed: 3)
    let x = generator.array(shape)
    for _ in 0..<4 {
      let indices = generator.indices(indexShape, of: shape[axis])
      let own = indexShape.count - batch
      let result = shape[..<axis] + indexShape[batch...] + shape[(axis + 1)...]
      let expected = DenseArray(Array(result)) { index in
        let at = Array(index[..<batch] + index[axis..<axis + own])
        return x[
          Array(index[..<axis]) + [place(indices[at], shape[axis])] + Array(index[(axis + own)...])]
      }
      try expectEverywhere(
        [x, indices], expected, add: gather(.take, axis: axis, batch: batch))
    }
  }

  @Test(arguments: [([5], 0, 9), ([4, 3, 2], 0, 2), ([4, 3, 2], 1, 7), ([4, 3, 2], 2, 1)])
  func alongAxis(_ shape: [Int], _ axis: Int, _ count: Int) throws {
    var generator = SplitMix(seed: 4)
    let x = generator.array(shape)
    var result = shape
    result[axis] = count
    let indices = generator.indices(result, of: shape[axis])
    let expected = DenseArray(result) { index in
      var at = index
      at[axis] = place(indices[index], shape[axis])
      return x[at]
    }
    try expectEverywhere([x, indices], expected, add: gather(.along_axis, axis: axis))
  }

  @Test(arguments: [
    ([5], [3, 1], 0), ([4, 3, 2], [7, 2], 0), ([4, 3, 2], [2, 2, 3], 0), ([4, 3, 2], [1], 0),
    ([2, 3, 4], [2, 5, 1], 1), ([2, 3, 4], [2, 5, 2], 1), ([2, 3, 4], [2, 3, 1], 2),
  ])
  func coordinates(_ shape: [Int], _ indexShape: [Int], _ batch: Int) throws {
    var generator = SplitMix(seed: 5)
    let x = generator.array(shape)
    let count = indexShape[indexShape.count - 1]
    let indices = generator.indices(indexShape, of: 4)
    let outer = indexShape.count - 1
    let expected = DenseArray(Array(indexShape.dropLast() + shape[(batch + count)...])) { index in
      let at = (0..<count).map {
        place(indices[Array(index[..<outer]) + [$0]], shape[batch + $0])
      }
      return x[Array(index[..<batch]) + at + Array(index[outer...])]
    }
    try expectEverywhere([x, indices], expected, add: gather(.nd, batch: batch))
  }

  @Test func refusals() throws {
    try expectRefusal(
      .invalid_argument, "axis 1", shapes: [[3], [2]], add: gather(.take, axis: 1))
    try expectRefusal(
      .invalid_argument, "batch", shapes: [[3], [3]], add: gather(.take, axis: 0, batch: 1))
    try expectRefusal(
      .invalid_argument, "batch", shapes: [[3], [2]], add: gather(.take, axis: 0, batch: 2))
    try expectRefusal(
      .shape_mismatch, "do not fit", shapes: [[3, 4], [2, 2]],
      add: gather(.take, axis: 1, batch: 1))
    try expectRefusal(
      .shape_mismatch, "do not fit", shapes: [[3, 4], [2, 2]], add: gather(.along_axis, axis: 1))
    try expectRefusal(
      .shape_mismatch, "rank 2", shapes: [[3, 4], [3]], add: gather(.along_axis, axis: 1))
    try expectRefusal(
      .invalid_argument, "expected 0", shapes: [[3, 4], [3, 1]],
      add: gather(.along_axis, axis: 1, batch: 1))
    try expectRefusal(
      .shape_mismatch, "at most 2 coordinates", shapes: [[3, 4], [5, 3]], add: gather(.nd))
    try expectRefusal(.shape_mismatch, "coordinates", shapes: [[3, 4], []], add: gather(.nd))
    try expectRefusal(
      .unsupported, "float32", shapes: [[1 << 24 + 1], [1]], add: gather(.take))
    try expectRefusal(
      .unsupported, "dimensions", shapes: [[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]], add: gather(.take))
    try expectRefusal(
      .invalid_argument, "gathering 3", shapes: [[3], [2]],
      add: gather(fov_gather_kind(rawValue: 3)!))
  }
}

@Suite struct TopKTests {
  private func oracle(_ x: DenseArray, _ axis: Int, _ count: Int, _ ascending: Bool) -> DenseArray {
    var shape = x.shape
    shape[axis] = count
    return DenseArray(shape) { index in
      let line = (0..<x.shape[axis]).map { (i: Int) -> Float in
        var at = index
        at[axis] = i
        return x[at]
      }
      let order = line.indices.sorted { a, b in
        if line[a].isNaN || line[b].isNaN {
          return line[a].isNaN == line[b].isNaN ? a < b : !line[a].isNaN
        }
        return line[a] == line[b] ? a < b : (line[a] > line[b]) != ascending
      }
      return Float(order[index[axis]])
    }
  }

  @Test(arguments: [([7], 0), ([3, 5], 1), ([3, 5], 0), ([2, 100, 3], 1), ([1, 1, 40], 2)])
  func orders(_ shape: [Int], _ axis: Int) throws {
    var generator = SplitMix(seed: 6)
    for count in [1, 2, shape[axis] / 2 + 1, shape[axis]] where count <= shape[axis] {
      for ascending in [false, true] {
        var x = generator.array(shape)
        // Many are equal, and some are no numbers.
        x.values = x.values.map { value in
          switch Int.random(in: 0..<8, using: &generator) {
          case 0: .nan
          case 1: .infinity
          case 2: -.infinity
          case 3: -0.0
          default: value.rounded()
          }
        }
        try expectEverywhere(
          [x], oracle(x, axis, count, ascending), add: top(axis, count, ascending: ascending))
      }
    }
  }

  @Test func equalElementsKeepTheirOrder() throws {
    let x = DenseArray([6], [1, 3, 3, 2, 3, 1])
    #expect(try GraphRunner.run([x], add: top(0, 4)).values == [1, 2, 4, 3])
  }

  @Test func refusals() throws {
    try expectRefusal(.invalid_argument, "axis 2", shapes: [[3, 4]], add: top(2, 1))
    try expectRefusal(.invalid_argument, "expected 1 to 4", shapes: [[3, 4]], add: top(1, 5))
    try expectRefusal(.invalid_argument, "expected 1 to 4", shapes: [[3, 4]], add: top(1, 0))
    try expectRefusal(.unsupported, "float32", shapes: [[1 << 24 + 1]], add: top(0, 1))
  }
}
