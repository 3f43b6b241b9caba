// Fovea - lowering of slices, splits and crops.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension LayerLowering {
  /// Equal pieces along channels.
  func split(count: Int) throws(FoveaError) -> [GraphValue] {
    let input = try planes()
    return try pieces(
      of: input, axis: input.rank - 3,
      sizes: equalSizes(
        of: input.size(fromEnd: 3), count: count))
  }

  /// Pieces along any dimension.
  func splitND(_ parameters: SplitNDLayer) throws(FoveaError) -> [GraphValue] {
    let input = try onlyInput(minimumRank: 1)
    let axis = try dimension(parameters.axis, ofRank: input.rank)
    let sizes =
      parameters.splitSizes.isEmpty
      ? try equalSizes(of: input.shape[axis], count: parameters.splitCount)
      : parameters.splitSizes
    return try pieces(of: input, axis: axis, sizes: sizes)
  }

  private func equalSizes(of size: Int, count: Int) throws(FoveaError) -> [Int] {
    guard count == layer.outputs.count, count >= 1, size % count == 0 else {
      throw mismatch(
        "\(size) elements cannot be split into \(count) pieces for \(layer.outputs.count) outputs")
    }
    return Array(repeating: size / count, count: count)
  }

  private func pieces(
    of input: GraphValue, axis: Int, sizes: [Int]
  ) throws(FoveaError) -> [GraphValue] {
    var total = 0
    for size in sizes {
      guard size >= 1, size <= input.shape[axis] - total else {
        throw mismatch("pieces of \(sizes) do not fill \(input.shape[axis]) elements")
      }
      total += size
    }
    guard total == input.shape[axis], sizes.count == layer.outputs.count else {
      throw mismatch(
        "pieces of \(sizes) do not fill \(input.shape[axis]) elements and"
          + " \(layer.outputs.count) outputs")
    }
    return try graph.parts(input, axis: axis, sizes: sizes)
  }

  /// Every stride-th index of channels, rows or columns; negative indices count from the end.
  func slice(_ parameters: SliceLayer) throws(FoveaError) -> GraphValue {
    let distance =
      switch parameters.axis {
      case .channel: 3
      case .height: 2
      case .width: 1
      }
    let input = try onlyInput(minimumRank: distance)
    let size = input.size(fromEnd: distance)
    let begin = parameters.start < 0 ? parameters.start + size : parameters.start
    // Core ML holds an end behind the last element there.
    let end = parameters.end < 0 ? parameters.end + size : min(parameters.end, size)
    guard begin >= 0, begin < end, parameters.stride >= 1 else {
      throw mismatch(
        "indices \(parameters.start) ..< \(parameters.end) in steps of \(parameters.stride) do not"
          + " lie in \(size) elements")
    }
    let count = (end - begin - 1) / parameters.stride + 1
    return try graph.cut(
      input, axis: input.rank - distance,
      SliceRange(begin: begin, count: count, stride: parameters.stride))
  }

  /// A slice of every dimension, by the rules of NumPy and TensorFlow: indices count from the
  /// end when negative, are then held within the dimension, and a mask means the border.
  func sliceStatic(_ parameters: SliceStaticLayer) throws(FoveaError) -> GraphValue {
    let input = try onlyInput(minimumRank: 1)
    let rank = input.rank
    guard parameters.begins.count == rank, parameters.ends.count == rank,
      parameters.strides.count == rank
    else {
      throw mismatch(
        "\(parameters.begins.count) begins, \(parameters.ends.count) ends and"
          + " \(parameters.strides.count) strides for an input of shape \(input.shape)")
    }
    var ranges: [SliceRange] = []
    var kept: [Int] = []
    for axis in 0..<rank {
      let isSqueezed = mask(parameters.squeezeMasks, axis)
      let range =
        try isSqueezed
        ? singleIndex(parameters, axis, size: input.shape[axis])
        : strided(parameters, axis, size: input.shape[axis])
      ranges.append(range)
      if !isSqueezed { kept.append(range.count) }
    }
    let sliced = try graph.slice(input, ranges)
    return try squeezed(sliced, to: kept)
  }

  private func mask(_ masks: [Bool], _ axis: Int) -> Bool {
    axis < masks.count ? masks[axis] : false
  }

  private func singleIndex(
    _ parameters: SliceStaticLayer, _ axis: Int, size: Int
  ) throws(FoveaError) -> SliceRange {
    let stated = mask(parameters.beginMasks, axis) ? 0 : parameters.begins[axis]
    let index = stated < 0 ? stated + size : stated
    guard index >= 0, index < size else {
      throw mismatch("index \(stated) does not lie in dimension \(axis) of \(size) elements")
    }
    return SliceRange(begin: index, count: 1)
  }

  private func strided(
    _ parameters: SliceStaticLayer, _ axis: Int, size: Int
  ) throws(FoveaError) -> SliceRange {
    let stride = parameters.strides[axis]
    let range =
      stride == 0 || stride == .min
      ? nil
      : SliceRange(
        begin: mask(parameters.beginMasks, axis) ? nil : parameters.begins[axis],
        end: mask(parameters.endMasks, axis) ? nil : parameters.ends[axis], stride: stride,
        size: size)
    guard let range, range.count >= 1 else {
      throw mismatch(
        "indices \(parameters.begins[axis]) to \(parameters.ends[axis]) in steps of \(stride)"
          + " take nothing from dimension \(axis) of \(size) elements")
    }
    return range
  }

  /// A part of the plane: without borders, or of the size of a second input.
  func crop(_ parameters: CropLayer) throws(FoveaError) -> GraphValue {
    guard let input = inputs.first, input.rank >= 3, inputs.count <= 2 else {
      throw mismatch("it has \(inputs.count) inputs, of which the first is to have 3 dimensions")
    }
    let (height, width) = input.plane
    var rows = SliceRange(begin: parameters.amounts.top, count: 0)
    var columns = SliceRange(begin: parameters.amounts.left, count: 0)
    if inputs.count == 2 {
      guard inputs[1].rank >= 2 else { throw mismatch("its second input has no plane") }
      rows.begin = parameters.offset.first ?? 0
      columns.begin = parameters.offset.count > 1 ? parameters.offset[1] : 0
      (rows.count, columns.count) = inputs[1].plane
    } else {
      rows.count = height - rows.begin - parameters.amounts.bottom
      columns.count = width - columns.begin - parameters.amounts.right
    }
    guard rows.begin >= 0, rows.count >= 1, rows.count <= height - rows.begin,
      columns.begin >= 0, columns.count >= 1, columns.count <= width - columns.begin
    else {
      throw mismatch(
        "a part of \(rows.count)x\(columns.count) at row \(rows.begin), column \(columns.begin)"
          + " does not lie in \(height)x\(width)")
    }
    let cutRows = try graph.cut(input, axis: input.rank - 2, rows)
    return try graph.cut(cutRows, axis: input.rank - 1, columns)
  }
}
