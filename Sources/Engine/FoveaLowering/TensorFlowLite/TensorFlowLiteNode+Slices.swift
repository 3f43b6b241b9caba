// Fovea - operations of TensorFlow Lite that take parts of arrays.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension TensorFlowLiteNode {
  /// Parts by places or by indices.
  static let sliceRules: [String: TensorFlowLiteRule] = [
    "SLICE": { node throws(FoveaError) in
      let form = try node.form(0)
      let (begins, sizes) = (try node.integers(1), try node.integers(2))
      let rank = try node.shape(0).count
      guard begins.count == rank, sizes.count == rank else {
        throw node.operation.mismatch("\(sizes) elements from \(begins) of \(rank) dimensions")
      }
      let shape = try node.shape(0)
      if begins.allSatisfy({ $0 == 0 }), zip(sizes, shape).allSatisfy({ $0 == -1 || $0 == $1 }) {
        return try node.hand(node.argument(0, as: form), in: form)
      }
      let arguments: [String: [TensorProgram.Argument]] = [
        "x": [try node.argument(0, as: form)],
        "begin": [.integers(Self.ordered(begins, in: form))],
        "size": [.integers(Self.ordered(sizes, in: form))],
      ]
      try node.give([Step("slice_by_size", arguments)], in: form, isMoved: true)
    },
    "STRIDED_SLICE": { node throws(FoveaError) in try node.stridedSlice() },
    "GATHER": { node throws(FoveaError) in
      let rank = try node.shape(0).count
      let axis = try node.operation.axis(
        node.operation.integer("axis", default: 0), ofRank: rank)
      let batch = try node.operation.integer("batch_dims", default: 0)
      let arguments: [String: [TensorProgram.Argument]] = [
        "x": [try node.argument(0, as: .file)], "indices": [try node.argument(1, as: .file)],
        "axis": [.integer(axis)], "batch_dims": [.integer(batch)],
      ]
      try node.give([Step("gather", arguments)], in: .file, isMoved: true)
    },
    "GATHER_ND": { node throws(FoveaError) in
      let arguments: [String: [TensorProgram.Argument]] = [
        "x": [try node.argument(0, as: .file)], "indices": [try node.argument(1, as: .file)],
      ]
      try node.give([Step("gather_nd", arguments)], in: .file, isMoved: true)
    },
  ]

  /// Python's slices. Bits of masks say which begins and ends are left out (0, 1), where dimensions
  /// are skipped (2), where a new one comes (3), and which keep one index and are dropped (4).
  private func stridedSlice() throws(FoveaError) {
    let slices = try StridedSlices(self)
    let isWhole = slices.added.isEmpty && !slices.squeezed.contains(true)
    let form = try isWhole ? form(0) : .file
    let arguments: [String: [TensorProgram.Argument]] = [
      "x": [try argument(0, as: form)],
      "begin": [.integers(Self.ordered(slices.begins, in: form))],
      "end": [.integers(Self.ordered(slices.ends, in: form))],
      "stride": [.integers(Self.ordered(slices.strides, in: form))],
      "begin_mask": [.booleans(Self.ordered(slices.beginsOpen, in: form))],
      "end_mask": [.booleans(Self.ordered(slices.endsOpen, in: form))],
      "squeeze_mask": [.booleans(Self.ordered(slices.squeezed, in: form))],
    ]
    var steps = [Step("slice_by_index", arguments)]
    if !slices.added.isEmpty {
      steps.append(Step("expand_dims", ["axes": [.integers(slices.added)]]))
    }
    try give(steps, in: form, isMoved: true)
  }
}

/// What STRIDED_SLICE says about each dimension of its input.
private struct StridedSlices {
  var begins: [Int]
  var ends: [Int]
  var strides: [Int]
  var beginsOpen: [Bool]
  var endsOpen: [Bool]
  var squeezed: [Bool]
  /// The new dimensions of the result.
  var added: [Int] = []

  init(_ node: TensorFlowLiteNode) throws(FoveaError) {
    let shape = try node.shape(0)
    let rank = shape.count
    let (listed, listedEnds, listedStrides) = (
      try node.integers(1), try node.integers(2), try node.integers(3)
    )
    let operation = node.operation
    let masks = Masks(
      begin: try operation.integer("begin_mask", default: 0),
      end: try operation.integer("end_mask", default: 0),
      ellipsis: try operation.integer("ellipsis_mask", default: 0),
      new: try operation.integer("new_axis_mask", default: 0),
      shrink: try operation.integer("shrink_axis_mask", default: 0))
    let countsFromBegin = try node.flag("offset")
    guard listed.count == listedEnds.count, listed.count == listedStrides.count,
      listed.count <= 31
    else {
      throw operation.mismatch("slices from \(listed) to \(listedEnds) by \(listedStrides)")
    }
    begins = Array(repeating: 0, count: rank)
    ends = shape
    strides = Array(repeating: 1, count: rank)
    beginsOpen = Array(repeating: true, count: rank)
    endsOpen = beginsOpen
    squeezed = Array(repeating: false, count: rank)
    let new = listed.indices.filter { masks.has(masks.new, $0) && !masks.has(masks.ellipsis, $0) }
    let skipped = rank - (listed.count - new.count) + (masks.ellipsis == 0 ? 0 : 1)
    var (axis, written) = (0, 0)
    for index in listed.indices {
      if masks.has(masks.ellipsis, index) {
        axis += max(skipped, 0)
        written += max(skipped, 0)
        continue
      }
      if new.contains(index) {
        added.append(written)
        written += 1
        continue
      }
      guard axis < rank else {
        throw operation.mismatch("\(listed.count) slices of \(rank) dimensions")
      }
      let begin = listed[index]
      begins[axis] = begin
      ends[axis] = countsFromBegin ? begin &+ listedEnds[index] : listedEnds[index]
      strides[axis] = listedStrides[index]
      beginsOpen[axis] = masks.has(masks.begin, index)
      endsOpen[axis] = masks.has(masks.end, index)
      squeezed[axis] = masks.has(masks.shrink, index)
      if squeezed[axis] {
        // One index: where a mask leaves out the beginning, the first.
        if beginsOpen[axis] { begins[axis] = 0 }
        (beginsOpen[axis], endsOpen[axis], strides[axis]) = (false, false, 1)
        ends[axis] = begins[axis] &+ 1
      } else {
        written += 1
      }
      axis += 1
    }
  }

  private struct Masks {
    var begin: Int
    var end: Int
    var ellipsis: Int
    var new: Int
    var shrink: Int

    func has(_ mask: Int, _ index: Int) -> Bool { mask >> index & 1 == 1 }
  }
}
