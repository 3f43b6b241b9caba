// Fovea - operations of ONNX that take parts of arrays, and padding.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// Parts of arrays, and arrays with more around them.
  static let onnxSliceRules: [String: ONNXRule] = [
    "Slice": { node throws(FoveaError) in try node.slice() },
    "Split": { node throws(FoveaError) in try node.split() },
    "Pad": { node throws(FoveaError) in try node.pad() },
  ]

  /// Begins, ends and steps of some axes: attributes in set 9, inputs from 10 on.
  private func slice() throws(FoveaError) {
    let shape = try shape(0)
    guard let starts = try integers("starts", orInput: 1),
      let ends = try integers("ends", orInput: 2)
    else { throw mismatch("it has no starts or ends") }
    let axes = try axes(
      integers("axes", orInput: 3) ?? Array(0..<starts.count), ofRank: shape.count)
    let steps = try has(4) ? integers(ofInput: 4) : starts.map { _ in 1 }
    guard starts.count == ends.count, starts.count == axes.count, starts.count == steps.count
    else {
      throw mismatch(
        "\(starts.count) starts, \(ends.count) ends, \(axes.count) axes, \(steps.count) steps")
    }
    var ranges = shape.map { PartRange(begin: 0, count: $0, step: 1) }
    for (index, axis) in axes.enumerated() {
      guard steps[index] != 0, steps[index] != .min else { throw mismatch("a step of 0") }
      ranges[axis] = PartRange(
        from: starts[index], to: ends[index], step: steps[index], size: shape[axis])
    }
    handOn(try part(of: input(0), ranges))
  }

  /// A part of a value; an empty one is a constant, whatever it is a part of.
  func part(
    of value: TensorProgram.Argument, _ ranges: [PartRange]
  ) throws(FoveaError) -> TensorProgram.Argument {
    let shape = try shape(of: value)
    let isWhole = zip(shape, ranges).allSatisfy { $1.begin == 0 && $1.count == $0 && $1.step == 1 }
    if isWhole { return value }
    let counts = ranges.map(\.count)
    if counts.contains(0) {
      return emptyConstant(counts, try program.value(value).elementClass ?? .float)
    }
    let ends = ranges.map(\.end)
    return try step(
      "slice_by_index",
      [
        "x": value, "begin": .integers(ranges.map(\.begin)),
        "end": .integers(ends.map { max($0, 0) }), "stride": .integers(ranges.map(\.step)),
        "end_mask": .booleans(ends.map { $0 < 0 }),
      ])
  }

  /// An array without elements.
  private func emptyConstant(_ shape: [Int], _ elements: ElementClass) -> TensorProgram.Argument {
    switch elements {
    case .float: .floats([], shape: shape)
    case .integer: .constant(.integers([], shape: shape))
    case .boolean: .constant(.booleans([], shape: shape))
    }
  }

  /// Sizes of the parts are an attribute until set 12, an input from 13 on; from 18 on their number
  /// may be stated, and the last part may be smaller.
  private func split() throws(FoveaError) {
    let shape = try shape(0)
    let axis = try axis(integer("axis", default: 0), ofRank: shape.count)
    let total = shape[axis]
    let sizes: [Int]
    if let stated = try integers("split", orInput: 1) {
      sizes = stated
    } else {
      let count = try integer("num_outputs", default: results.count)
      guard count >= 1, count <= total, count == results.count else {
        throw mismatch("\(total) elements in \(count) parts, for \(results.count) outputs")
      }
      let size = (total + count - 1) / count
      guard has("num_outputs") || total % count == 0 else {
        throw mismatch("\(total) elements cannot be split into \(count) equal parts")
      }
      sizes = (0..<count).map { min(size, max(total - $0 * size, 0)) }
    }
    guard sizes.count >= results.count, sizes.count <= 10_000 else {
      throw mismatch("\(sizes.count) parts for \(results.count) outputs")
    }
    if sizes == [total] { return handOn(try input(0)) }
    // Outputs at the end that nobody reads may be left out.
    let names = results + (results.count..<sizes.count).map { program.name(result, "part\($0)") }
    let filled = sizes.indices.filter { sizes[$0] != 0 }
    for index in sizes.indices where sizes[index] == 0 {
      var empty = shape
      empty[axis] = 0
      program.substitute(
        try emptyConstant(empty, elementClass(0)), for: names[index])
    }
    guard !filled.isEmpty else {
      // Inputs of no elements count as those of any size, hence one.
      guard total <= 1 else { throw mismatch("\(total) elements in parts without any") }
      return
    }
    try program.write(
      "split",
      [
        "x": [input(0)], "axis": [.integer(axis)],
        "split_sizes": [.integers(filled.map { sizes[$0] })],
      ], to: filled.map { names[$0] })
  }

  /// Amounts are all begins before all ends. Negative ones cut off.
  private func pad() throws(FoveaError) {
    let shape = try shape(0)
    guard let pads = try integers("pads", orInput: 1) else { throw mismatch("it has no \"pads\"") }
    let axes = try axes(
      has(3) ? integers(ofInput: 3) : Array(0..<shape.count), ofRank: shape.count)
    guard pads.count == 2 * axes.count, pads.allSatisfy({ abs($0) <= 1 << 24 }) else {
      throw mismatch("\"pads\" is \(pads.prefix(20)) for shape \(shape)")
    }
    var (before, after) = (shape.map { _ in 0 }, shape.map { _ in 0 })
    for (index, axis) in axes.enumerated() {
      (before[axis], after[axis]) = (pads[index], pads[axes.count + index])
    }
    let ranges = shape.indices.map { axis in
      let begin = max(-before[axis], 0)
      return PartRange(
        begin: begin, count: max(shape[axis] - begin - max(-after[axis], 0), 0), step: 1)
    }
    let value = try part(of: input(0), ranges)
    (before, after) = (before.map { max($0, 0) }, after.map { max($0, 0) })
    let first = shape.indices.first { before[$0] > 0 || after[$0] > 0 }
    guard let first else { return handOn(value) }
    let mode = try choice(
      "mode", default: "constant",
      ["constant": "constant", "reflect": "reflect", "edge": "replicate"])
    var filling = try float("value", default: 0)
    if has(2), let number = try floats(ofInput: 2).first { filling = number }
    try give(
      "pad",
      [
        "x": value, "pad": .integers(shape.indices[first...].flatMap { [before[$0], after[$0]] }),
        "mode": .string(mode), "constant_val": .float(filling),
      ])
  }
}

/// Some elements along a dimension.
struct PartRange {
  var begin: Int
  var count: Int
  /// Negative backwards.
  var step: Int

  /// What lies behind the last element; negative before the first one of all.
  var end: Int { step > 0 ? begin + (count - 1) * step + 1 : begin + (count - 1) * step - 1 }
}

extension PartRange {
  /// Python's slice of `size` elements.
  init(from start: Int, to end: Int, step: Int, size: Int) {
    let counted = { (index: Int) in index < 0 ? max(index, -size - 1) + size : index }
    let (lowest, highest) = step > 0 ? (0, size) : (-1, size - 1)
    let begin = min(max(counted(start), lowest), highest)
    let end = min(max(counted(end), lowest), highest)
    let reach = step > 0 ? end - begin : begin - end
    let stride = abs(step)
    let count = reach > 0 ? (reach - 1) / stride + 1 : 0
    // A step beyond the array counts as one to its end.
    self.init(begin: begin, count: count, step: count <= 1 ? step.signum() : step)
  }
}
