// Fovea - operations that move elements without changing them.
// SPDX-License-Identifier: Apache-2.0
package import CFovea

extension GraphBuilder {
  /// Inputs joined along a dimension.
  package func concat(_ inputs: [GraphValue], axis: Int) throws(FoveaError) -> GraphValue {
    let values = inputs.map(\.value)
    return try add { graph, value, diagnostic in
      values.withUnsafeBufferPointer { values in
        guard let first = values.baseAddress else { return .invalid_argument }
        return fov_graph_add_concat(graph, axis, first, values.count, value, diagnostic)
      }
    }
  }

  /// The elements begin, begin + stride, ... of every dimension. Does nothing where that is all.
  package func slice(_ input: GraphValue, _ ranges: [SliceRange]) throws(FoveaError) -> GraphValue {
    var parameters = fov_slice()
    fill(&parameters.begin, ranges.map(\.begin))
    fill(&parameters.count, ranges.map(\.count))
    fill(&parameters.stride, ranges.map { Int64($0.stride) })
    return try add { fov_graph_add_slice($0, &parameters, input.value, $1, $2) }
  }

  /// The same elements in the same order under another shape; the input itself if it has it.
  package func reshape(_ input: GraphValue, to shape: [Int]) throws(FoveaError) -> GraphValue {
    if input.shape == shape { return GraphValue(value: input.value, shape: shape) }
    var shape = try fov_shape(shape)
    return try add { fov_graph_add_reshape($0, &shape, input.value, $1, $2) }
  }

  /// Output dimension i is input dimension axes[i]; the input itself if nothing moves, and what it
  /// was before its channels were moved to the end if they are moved back.
  package func transpose(_ input: GraphValue, axes: [Int]) throws(FoveaError) -> GraphValue {
    guard axes.sorted() == Array(0..<input.rank) else {
      throw FoveaError(
        .invalidArgument, "axes \(axes) do not name each of the \(input.rank) dimensions once")
    }
    if axes == Array(0..<input.rank) { return input }
    if axes == Self.channelsBack, let source = beforeChannelsMoved(input) { return source }
    let moved = try add { graph, value, diagnostic in
      axes.withUnsafeBufferPointer { axes in
        guard let first = axes.baseAddress else { return .invalid_argument }
        return fov_graph_add_transpose(graph, first, input.value, value, diagnostic)
      }
    }
    if axes == Self.channelsToEnd { channelsMoved[moved.value.index] = input }
    return moved
  }

  /// Dimensions of 1 repeated up to a shape; the input itself if it has it.
  package func broadcast(_ input: GraphValue, to shape: [Int]) throws(FoveaError) -> GraphValue {
    if input.shape == shape { return input }
    var shape = try fov_shape(shape)
    return try add { fov_graph_add_broadcast($0, &shape, input.value, $1, $2) }
  }

  /// Elements added before and after every dimension.
  package func padding(
    _ input: GraphValue, mode: fov_padding_mode, value: Float = 0, before: [Int], after: [Int]
  ) throws(FoveaError) -> GraphValue {
    var parameters = fov_padding()
    parameters.mode = mode
    parameters.value = value
    fill(&parameters.before, before)
    fill(&parameters.after, after)
    return try add { fov_graph_add_padding($0, &parameters, input.value, $1, $2) }
  }
}

/// The indices begin, begin + stride, ..., `count` of them, of one dimension.
package struct SliceRange {
  package var begin: Int
  package var count: Int
  package var stride = 1

  /// Creates a range.
  package init(begin: Int, count: Int, stride: Int = 1) {
    self.begin = begin
    self.count = count
    self.stride = stride
  }
}

extension SliceRange {
  /// The indices of Python's slice [begin:end:stride] of `size` elements; `nil` for what is left out.
  package init(begin: Int?, end: Int?, stride: Int, size: Int) {
    // Where an index may lie: before the first for steps backwards, behind the last otherwise.
    let (low, high) = stride > 0 ? (0, size) : (-1, size - 1)
    func placed(_ index: Int) -> Int {
      min(max(index < 0 ? max(index, -size - 1) + size : index, low), high)
    }
    let first = begin.map(placed) ?? (stride > 0 ? 0 : size - 1)
    let last = end.map(placed) ?? (stride > 0 ? size : -1)
    let distance = stride > 0 ? last - first : first - last
    let step = Int(clamping: stride.magnitude)
    self.init(
      begin: first, count: distance > 0 ? (distance - 1) / step + 1 : 0,
      stride: distance > step ? stride : stride.signum())
  }
}

/// Copies sizes into a C array, which Swift sees as a tuple of `FOV_MAX_RANK` integers.
private func fill<Integers, Integer: FixedWidthInteger>(
  _ array: inout Integers, _ values: [Integer]
) {
  withUnsafeMutableBytes(of: &array) { bytes in
    let places = bytes.bindMemory(to: Integer.self)
    for (place, value) in zip(places.indices, values) { places[place] = value }
  }
}
