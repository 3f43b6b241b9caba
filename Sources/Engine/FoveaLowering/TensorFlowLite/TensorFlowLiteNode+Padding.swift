// Fovea - borders and other sizes of images in TensorFlow Lite.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension TensorFlowLiteNode {
  /// Arrays with more around them, and images of other sizes.
  static let paddingRules: [String: TensorFlowLiteRule] = [
    "PAD": { node throws(FoveaError) in try node.pad(0, isLeast: false) },
    "PADV2": { node throws(FoveaError) in
      let outside = try node.values.constant(node.name(2))
      let number = try outside.numbers().floats()
      guard number.count == 1 else {
        throw node.operation.mismatch("\(number.count) numbers around an array")
      }
      let codes = try node.codes(ofResult: 0)
      try node.pad(
        number[0], isLeast: codes == nil ? number[0] <= -3e38 : try outside.isLeastCode())
    },
    "MIRROR_PAD": { node throws(FoveaError) in try node.mirrorPad() },
    "RESIZE_BILINEAR": { node throws(FoveaError) in try node.resizeBilinear() },
    "RESIZE_NEAREST_NEIGHBOR": { node throws(FoveaError) in try node.resizeNearest() },
  ]

  /// Elements before and behind each dimension.
  private func amounts() throws(FoveaError) -> [[Int]] {
    let list = try integers(1)
    let shape = try shape(0)
    guard list.count == 2 * shape.count, list.allSatisfy({ (0...Int(Int32.max)).contains($0) })
    else { throw operation.mismatch("\(list) around shape \(shape)") }
    return shape.indices.map { [list[2 * $0], list[2 * $0 + 1]] }
  }

  /// A border of rows and columns waits until it is read: convolutions take it as their padding.
  private func pad(_ number: Float, isLeast: Bool) throws(FoveaError) {
    let amounts = try amounts()
    let form = try form(0)
    let value = try value(0)
    let codes = try codes(ofResult: 0)
    if form == .planes, value.border == nil, amounts[0] == [0, 0], amounts[3] == [0, 0],
      value.codes == codes, value.constant == nil
    {
      let shape = zip(value.shape, amounts).map { $0 + $1[0] + $1[1] }
      values.set(
        TensorFlowLiteValue(
          shape: shape, codes: codes,
          border: TensorFlowLiteBorder(
            tensor: try name(0), amounts: amounts[1] + amounts[2], value: number,
            isLeast: isLeast)),
        for: operation.result)
      return
    }
    let arguments: [String: [TensorProgram.Argument]] = [
      "x": [try argument(0, as: form)],
      "pad": [.integers(Self.ordered(amounts, in: form).flatMap { $0 })],
      "mode": [.string("constant")], "constant_val": [.float(number)],
    ]
    try give([Step("pad", arguments)], in: form, isMoved: true)
  }

  // MARK: Mirrors

  /// Mode 0 leaves out the element at the mirror, mode 1 repeats it.
  private func mirrorPad() throws(FoveaError) {
    let form = try form(0)
    let repeatsEdge = try operation.integer("mode", default: 0) == 1
    let shape = Self.ordered(try shape(0), in: form)
    let amounts = Self.ordered(try amounts(), in: form)
    var x = try argument(0, as: form)
    for axis in shape.indices where amounts[axis] != [0, 0] {
      let most = repeatsEdge ? shape[axis] : shape[axis] - 1
      guard amounts[axis].allSatisfy({ $0 <= most }) else {
        throw operation.mismatch("\(amounts[axis]) mirrored elements of \(shape[axis])")
      }
      var parts: [TensorProgram.Argument] = []
      let edge = repeatsEdge ? 0 : 1
      if amounts[axis][0] > 0 {
        parts.append(
          try backward(
            x, axis, from: amounts[axis][0] - 1 + edge, rank: shape.count,
            count: amounts[axis][0]))
      }
      parts.append(x)
      if amounts[axis][1] > 0 {
        parts.append(
          try backward(
            x, axis, from: shape[axis] - 1 - edge, rank: shape.count, count: amounts[axis][1]))
      }
      x = try step(
        "concat", ["values": parts, "axis": [.integer(axis)], "interleave": [.boolean(false)]])
    }
    try hand(x, in: form)
  }

  /// Elements along an axis, from an index on towards the first.
  private func backward(
    _ x: TensorProgram.Argument, _ axis: Int, from index: Int, rank: Int, count: Int
  ) throws(FoveaError) -> TensorProgram.Argument {
    let others = (0..<rank).map { $0 != axis }
    let last = index - count
    return try step(
      "slice_by_index",
      [
        "x": [x], "begin": [.integers(others.map { $0 ? 0 : index })],
        "end": [.integers(others.map { $0 ? 0 : max(last, 0) })],
        "stride": [.integers(others.map { $0 ? 1 : -1 })], "begin_mask": [.booleans(others)],
        "end_mask": [.booleans(others.map { $0 || last < 0 })],
      ])
  }

  // MARK: Sizes

  private struct Grid {
    var rows: Int
    var columns: Int
    var alignsCorners: Bool
    var hasHalfPixels: Bool

    /// The elements that LiteRT takes along an axis; it computes in single precision.
    func nearest(of count: Int, on size: Int) -> [Int] {
      let step =
        alignsCorners && count > 1
        ? Float(size - 1) / Float(count - 1) : Float(size) / Float(count)
      return (0..<count).map { index in
        let place = (Float(index) + (hasHalfPixels ? 0.5 : 0)) * step
        let element = alignsCorners ? place.rounded() : place.rounded(.down)
        return min(Int(element), size - 1)
      }
    }
  }

  private func grid() throws(FoveaError) -> Grid {
    let sizes = try integers(1)
    _ = try imageSizes(0)
    guard sizes.count == 2, sizes.allSatisfy({ (1...1 << 16).contains($0) }),
      try !shape(0).contains(0)
    else {
      throw operation.mismatch("images of \(sizes) rows and columns")
    }
    return Grid(
      rows: sizes[0], columns: sizes[1], alignsCorners: try flag("align_corners"),
      hasHalfPixels: try flag("half_pixel_centers"))
  }

  /// Whole factors between the sizes; `nil` if they are none.
  private func factors(_ grid: Grid) throws(FoveaError) -> [TensorProgram.Argument]? {
    let shape = try shape(0)
    guard shape[1] > 0, shape[2] > 0, grid.rows % shape[1] == 0, grid.columns % shape[2] == 0
    else { return nil }
    return [.float(Float(grid.rows / shape[1])), .float(Float(grid.columns / shape[2]))]
  }

  private func resizeBilinear() throws(FoveaError) {
    let grid = try grid()
    let x = try argument(0, as: .planes)
    var arguments: [String: [TensorProgram.Argument]] = ["x": [x]]
    if grid.alignsCorners || grid.hasHalfPixels {
      arguments["target_size_height"] = [.integer(grid.rows)]
      arguments["target_size_width"] = [.integer(grid.columns)]
      arguments["sampling_mode"] = [
        .string(grid.alignsCorners ? "STRICT_ALIGN_CORNERS" : "UNALIGN_CORNERS")
      ]
      return try give([Step("resize_bilinear", arguments)], in: .planes)
    }
    // Sample i lies at i * size / result. A little more than the factor keeps its product whole.
    let shape = try shape(0)
    let factors =
      try factors(grid) ?? [
        .float((Float(grid.rows) + 0.25) / Float(shape[1])),
        .float((Float(grid.columns) + 0.25) / Float(shape[2])),
      ]
    arguments["scale_factor_height"] = [factors[0]]
    arguments["scale_factor_width"] = [factors[1]]
    arguments["align_corners"] = [.boolean(false)]
    arguments["half_pixel_centers"] = [.boolean(false)]
    try give([Step("upsample_bilinear", arguments)], in: .planes)
  }

  private func resizeNearest() throws(FoveaError) {
    let grid = try grid()
    let shape = try shape(0)
    let x = try argument(0, as: .planes)
    let rows = grid.nearest(of: grid.rows, on: shape[1])
    let columns = grid.nearest(of: grid.columns, on: shape[2])
    // What ML Programs take: element i * size / count, rounded down.
    let isUsual =
      rows.enumerated().allSatisfy { $0.element == $0.offset * shape[1] / grid.rows }
      && columns.enumerated().allSatisfy { $0.element == $0.offset * shape[2] / grid.columns }
    guard isUsual else {
      let lines: [String: [TensorProgram.Argument]] = [
        "x": [x], "indices": [.integers(rows)], "axis": [.integer(2)],
      ]
      let pixels: [String: [TensorProgram.Argument]] = [
        "indices": [.integers(columns)], "axis": [.integer(3)],
      ]
      return try give(
        [Step("gather", lines), Step("gather", pixels)], in: .planes)
    }
    if let factors = try factors(grid) {
      let arguments = [
        "x": [x], "scale_factor_height": [factors[0]], "scale_factor_width": [factors[1]],
      ]
      return try give([Step("upsample_nearest_neighbor", arguments)], in: .planes, isMoved: true)
    }
    let arguments: [String: [TensorProgram.Argument]] = [
      "x": [x], "target_size_height": [.integer(grid.rows)],
      "target_size_width": [.integer(grid.columns)],
    ]
    try give([Step("resize_nearest_neighbor", arguments)], in: .planes, isMoved: true)
  }
}
