// Fovea - where the windows of an operation of a program lie.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// The strides, dilations and padding of an operation on planes.
struct Windows {
  let strides: [Int]
  let dilations: [Int]
  private let kernel: [Int]
  private let sizes: [Int]
  private let padding: Padding
  private let operation: OperationLowering

  private enum Padding {
    /// Rows before and behind, columns before and behind.
    case amounts([Int])
    /// As much as ceil(size / stride) windows need.
    case same(SamePaddingHeaviness)
  }

  /// Reads the arguments that all operations on windows have in common.
  init(_ operation: OperationLowering, _ planes: Planes, kernel: [Int]) throws(FoveaError) {
    self.operation = operation
    self.kernel = kernel
    sizes = [planes.value.plane.height, planes.value.plane.width]
    let count = planes.dimensions
    strides = planes.pair(
      try operation.integers("strides", count: count, default: 1), filling: 1)
    dilations = planes.pair(
      try operation.integers("dilations", count: count, default: 1), filling: 1)
    let numbers = kernel + strides + dilations
    guard numbers.allSatisfy({ $0 >= 1 && $0 <= Self.largest }) else {
      throw operation.mismatch(
        "windows of \(kernel), strides of \(strides) and dilations of \(dilations)")
    }
    switch try operation.string("pad_type", default: "valid") {
    case "valid": padding = .amounts([0, 0, 0, 0])
    case "same": padding = .same(.bottomRight)
    case "same_lower": padding = .same(.topLeft)
    case "custom":
      let amounts = try operation.integers("pad", count: 2 * count, default: 0)
      guard amounts.allSatisfy({ $0 >= 0 && $0 <= Self.largest }) else {
        throw operation.mismatch("\"pad\" is \(amounts)")
      }
      padding = .amounts(count == 1 ? [0, 0] + amounts : amounts)
    case let word:
      throw operation.mismatch(
        "\"pad_type\" is \"\(ModelText.readable(word))\"; known are \"valid\", \"same\","
          + " \"same_lower\", \"custom\"")
    }
  }

  /// Far above any real network, and small enough for products of two.
  private static let largest = 1 << 20

  var stridePair: (Int, Int) { (strides[0], strides[1]) }
  var dilationPair: (Int, Int) { (dilations[0], dilations[1]) }

  /// The windows of rows and of columns.
  func extents() throws(FoveaError) -> [SpatialExtent] {
    var extents: [SpatialExtent] = []
    for axis in 0..<2 {
      let reach = (kernel[axis] - 1) * dilations[axis] + 1
      let extent: SpatialExtent? =
        switch padding {
        case .amounts(let amounts):
          .valid(
            size: sizes[axis], kernel: reach, stride: strides[axis], before: amounts[2 * axis],
            after: amounts[2 * axis + 1])
        case .same(let side):
          .same(
            size: sizes[axis], kernel: reach, stride: strides[axis],
            heaviness: side)
        }
      guard let extent else { throw tooLarge(axis) }
      extents.append(extent)
    }
    return extents
  }

  /// The windows of pooling whose count is rounded up. A window may not begin in the padding at the
  /// end.
  func coveringExtents() throws(FoveaError) -> [SpatialExtent] {
    guard case .amounts(let amounts) = padding else {
      throw operation.mismatch("\"ceil_mode\" together with padding \"same\"")
    }
    var extents: [SpatialExtent] = []
    for axis in 0..<2 {
      let extent = SpatialExtent.covering(
        size: sizes[axis], kernel: kernel[axis], stride: strides[axis],
        before: amounts[2 * axis], after: amounts[2 * axis + 1], dropsPadding: true)
      guard let extent else { throw tooLarge(axis) }
      extents.append(extent)
    }
    return extents
  }

  /// What a transposed convolution cuts off or adds along an axis.
  func transposed(_ axis: Int, wanted: Int?) throws(FoveaError) -> TransposedExtent {
    let written = (sizes[axis] - 1) * strides[axis] + kernel[axis]
    switch padding {
    case .amounts(let amounts):
      let before = amounts[2 * axis]
      let kept = wanted ?? written - before - amounts[2 * axis + 1]
      guard before < written, kept >= 1 else {
        throw operation.mismatch("the padding cuts off all \(written) rows or columns")
      }
      let after = written - before - kept
      return TransposedExtent(before: before, after: max(after, 0), extension: max(-after, 0))
    case .same(let side):
      let kept = wanted ?? sizes[axis] * strides[axis]
      let cut = max(written - kept, 0)
      let before = side == .bottomRight ? cut / 2 : cut - cut / 2
      return TransposedExtent(
        before: before, after: cut - before, extension: max(kept - written, 0))
    }
  }

  private func tooLarge(_ axis: Int) -> FoveaError {
    operation.mismatch(
      "a window of \(kernel[axis]) with a dilation of \(dilations[axis]) does not fit into"
        + " \(sizes[axis]) \(axis == 0 ? "rows" : "columns") and the padding")
  }
}

/// What is cut off the result of a transposed convolution along an axis, and what is added.
struct TransposedExtent {
  var before: Int
  var after: Int
  var `extension`: Int
}
