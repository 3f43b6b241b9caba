// Fovea - arrangements of elements that layers and operations of programs share.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

// Callers check their parameters and say what is wrong in their own words.
extension GraphBuilder {
  /// The elements of a range along one dimension; the value itself where that is all.
  package func cut(_ input: GraphValue, axis: Int, _ range: SliceRange) throws(FoveaError)
    -> GraphValue
  {
    if range.begin == 0, range.count == input.shape[axis] { return input }
    var ranges = input.shape.map { SliceRange(begin: 0, count: $0) }
    ranges[axis] = range
    return try slice(input, ranges)
  }

  /// Parts along a dimension, one behind the other. The sizes add up to the dimension's.
  package func parts(
    _ input: GraphValue, axis: Int, sizes: [Int]
  ) throws(FoveaError) -> [GraphValue] {
    var parts: [GraphValue] = []
    var begin = 0
    for size in sizes {
      parts.append(try cut(input, axis: axis, SliceRange(begin: begin, count: size)))
      begin += size
    }
    return parts
  }

  /// Values of one shape joined along a new dimension.
  package func stacked(_ values: [GraphValue], at axis: Int) throws(FoveaError) -> GraphValue {
    var layers: [GraphValue] = []
    for value in values {
      var shape = value.shape
      shape.insert(1, at: axis)
      layers.append(try reshape(value, to: shape))
    }
    return layers.count == 1 ? layers[0] : try concat(layers, axis: axis)
  }

  /// The value repeated along a dimension, whose size times the repetitions fits.
  package func repeated(_ value: GraphValue, axis: Int, times: Int) throws(FoveaError) -> GraphValue
  {
    if times == 1 { return value }
    let before = value.shape[..<axis].reduce(1, *)
    let row = value.shape[axis...].reduce(1, *)
    let single = try reshape(value, to: [before, 1, row])
    let many = try broadcast(single, to: [before, times, row])
    var shape = value.shape
    shape[axis] *= times
    return try reshape(many, to: shape)
  }

  // MARK: Blocks of planes

  /// Channels become blocks of the plane. The area of a block divides the channels.
  ///
  /// Core ML's example: 8 channels 1x2 become 2 channels 2x4. With `isBlockFirst` the four values
  /// of a block come from channels c, c + 2, c + 4, c + 6, else from 4c ... 4c + 3.
  package func blocksToPlane(
    _ input: GraphValue, block: Int, isBlockFirst: Bool
  ) throws(FoveaError) -> GraphValue {
    let lead = Array(input.shape.dropLast(3))
    let kept = input.size(fromEnd: 3) / (block * block)
    let (height, width) = input.plane
    let parts = isBlockFirst ? [block, block, kept] : [kept, block, block]
    let blocks = try reshape(input, to: [lead.reduce(1, *)] + parts + [height, width])
    let moved = try transpose(
      blocks, axes: isBlockFirst ? [0, 3, 4, 1, 5, 2] : [0, 1, 4, 2, 5, 3])
    return try reshape(moved, to: lead + [kept, height * block, width * block])
  }

  /// Blocks of the plane, which divide it, become channels.
  package func planeToBlocks(
    _ input: GraphValue, block: Int, isBlockFirst: Bool
  ) throws(FoveaError) -> GraphValue {
    let lead = Array(input.shape.dropLast(3))
    let channels = input.size(fromEnd: 3)
    let (rows, columns) = (input.plane.height / block, input.plane.width / block)
    let blocks = try reshape(
      input, to: [lead.reduce(1, *), channels, rows, block, columns, block])
    let moved = try transpose(
      blocks, axes: isBlockFirst ? [0, 3, 5, 1, 2, 4] : [0, 1, 3, 5, 2, 4])
    return try reshape(moved, to: lead + [channels * block * block, rows, columns])
  }
}
