// Fovea - operations of programs that take parts of arrays, and padding.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension OperationLowering {
  /// Parts of arrays, and arrays with more around them.
  static let sliceRules: [String: OperationRule] = [
    "slice_by_index": { op throws(FoveaError) in try op.sliceByIndex() },
    "slice_by_size": { op throws(FoveaError) in try op.sliceBySize() },
    "split": { op throws(FoveaError) in try op.split() },
    "crop": { op throws(FoveaError) in try op.crop() },
    "pad": { op throws(FoveaError) in try op.pad() },
  ]

  /// Python's slices along every dimension. A mask says where begin or end are left out; a squeezed
  /// dimension keeps one index and is dropped.
  private func sliceByIndex() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let begins = try integers("begin", count: x.rank, default: 0)
    let ends = try integers("end", count: x.rank, default: 0)
    let strides = try integers("stride", count: x.rank, default: 1)
    let beginMask = try mask("begin_mask", x.rank)
    let endMask = try mask("end_mask", x.rank)
    let squeezeMask = try mask("squeeze_mask", x.rank)
    var ranges: [SliceRange] = []
    for axis in 0..<x.rank {
      let size = x.shape[axis]
      if squeezeMask[axis] {
        let index = begins[axis] < 0 ? begins[axis] + size : begins[axis]
        guard (0..<size).contains(index) else {
          throw mismatch("index \(begins[axis]) of \(size) elements of axis \(axis)")
        }
        ranges.append(SliceRange(begin: index, count: 1))
        continue
      }
      guard strides[axis] != 0, strides[axis] != .min else {
        throw mismatch("\"stride\" is \(strides)")
      }
      let range = SliceRange(
        begin: beginMask[axis] ? nil : begins[axis], end: endMask[axis] ? nil : ends[axis],
        stride: strides[axis], size: size)
      guard range.count >= 1 else {
        throw mismatch(
          "nothing of axis \(axis) of shape \(x.shape) lies between \(begins[axis]) and"
            + " \(ends[axis])")
      }
      ranges.append(range)
    }
    let value = try graph.slice(x, ranges)
    let shape = (0..<x.rank).filter { !squeezeMask[$0] }.map { value.shape[$0] }
    return result(try graph.reshape(value, to: shape), try classOf("x"))
  }

  private func mask(_ name: String, _ count: Int) throws(FoveaError) -> [Bool] {
    guard has(name) else { return Array(repeating: false, count: count) }
    let mask = try booleans(name)
    guard mask.count == count else {
      throw mismatch("\"\(name)\" has \(mask.count) values for \(count) dimensions")
    }
    return mask
  }

  /// `size` elements from `begin` on; -1 for all that follow.
  private func sliceBySize() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let begins = try integers("begin", count: x.rank, default: 0)
    let sizes = try integers("size", count: x.rank, default: -1)
    var ranges: [SliceRange] = []
    for axis in 0..<x.rank {
      let begin = begins[axis] < 0 ? begins[axis] + x.shape[axis] : begins[axis]
      // Nothing is left where the slice begins before the array.
      let left = begin >= 0 ? x.shape[axis] - begin : 0
      let count = sizes[axis] == -1 ? left : sizes[axis]
      guard count >= 1, count <= left else {
        throw mismatch(
          "\(sizes[axis]) elements from \(begins[axis]) on, of \(x.shape[axis]) of axis \(axis)")
      }
      ranges.append(SliceRange(begin: begin, count: count))
    }
    return result(try graph.slice(x, ranges), try classOf("x"))
  }

  /// Parts along an axis, of stated sizes or all alike.
  private func split() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let axis = try dimension(integer("axis"), ofRank: x.rank)
    let total = x.shape[axis]
    let sizes: [Int]
    if has("split_sizes") {
      sizes = try self.sizes("split_sizes")
    } else {
      let count = try positive("num_splits", default: 1)
      guard total % count == 0, count == resultTypes.count else {
        throw mismatch(
          "\(total) elements cannot be split into \(count) equal parts, of"
            + " \(resultTypes.count) results")
      }
      sizes = Array(repeating: total / count, count: count)
    }
    guard sizes.count == resultTypes.count else {
      throw mismatch("\(sizes.count) parts for \(resultTypes.count) results")
    }
    guard sizes.allSatisfy({ $0 >= 1 && $0 <= total }), sizes.reduce(0, +) == total else {
      throw mismatch("parts of \(sizes) do not make up \(total) elements")
    }
    let elementClass = try classOf("x")
    return try graph.parts(x, axis: axis, sizes: sizes).map { .computed($0, elementClass) }
  }

  /// Rows and columns cut off at both ends of a plane.
  private func crop() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    guard x.rank >= 2 else { throw mismatch("its input has shape \(x.shape)") }
    var ranges = x.shape.map { SliceRange(begin: 0, count: $0) }
    for (name, axis) in [("crop_height", x.rank - 2), ("crop_width", x.rank - 1)] {
      let amounts = try integers(name, count: 2, default: 0)
      guard amounts.allSatisfy({ $0 >= 0 && $0 < x.shape[axis] }),
        amounts[0] + amounts[1] < x.shape[axis]
      else { throw mismatch("\"\(name)\" is \(amounts) of \(x.shape[axis])") }
      ranges[axis] = SliceRange(begin: amounts[0], count: x.shape[axis] - amounts[0] - amounts[1])
    }
    return result(try graph.slice(x, ranges), try classOf("x"))
  }

  /// Elements before and behind the last dimensions, as many as there are pairs of amounts.
  private func pad() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let amounts = try integers("pad")
    guard amounts.count % 2 == 0, amounts.count / 2 <= x.rank,
      amounts.allSatisfy({ $0 >= 0 && $0 <= Int(Int32.max) })
    else { throw mismatch("\"pad\" is \(amounts) for shape \(x.shape)") }
    let lead = Array(repeating: 0, count: x.rank - amounts.count / 2)
    let mode: fov_padding_mode = try choice(
      "mode", default: "constant",
      ["constant": .constant, "reflect": .reflect, "replicate": .replicate])
    let value = try graph.padding(
      x, mode: mode, value: float("constant_val", default: 0),
      before: lead + stride(from: 0, to: amounts.count, by: 2).map { amounts[$0] },
      after: lead + stride(from: 1, to: amounts.count, by: 2).map { amounts[$0] })
    return result(value, try classOf("x"))
  }
}
