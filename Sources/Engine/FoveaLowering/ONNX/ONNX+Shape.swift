// Fovea - operations of ONNX that change shapes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// Elements stay what they are; their order may change.
  static let onnxShapeRules: [String: ONNXRule] = [
    "Reshape": { node throws(FoveaError) in try node.reshape() },
    "Flatten": { node throws(FoveaError) in
      let shape = try node.shape(0)
      let stated = try node.integer("axis", default: 1)
      guard abs(stated) <= shape.count else {
        throw node.mismatch("an axis of \(stated) for shape \(shape)")
      }
      let axis = stated < 0 ? stated + shape.count : stated
      try node.give("flatten2d", ["x": node.input(0), "axis": .integer(axis)])
    },
    "Squeeze": { node throws(FoveaError) in
      var arguments = ["x": try node.input(0)]
      if let axes = try node.integers("axes", orInput: 1) { arguments["axes"] = .integers(axes) }
      try node.give("squeeze", arguments)
    },
    "Unsqueeze": { node throws(FoveaError) in
      guard let axes = try node.integers("axes", orInput: 1) else {
        throw node.mismatch("it has no axes")
      }
      try node.give("expand_dims", ["x": node.input(0), "axes": .integers(axes)])
    },
    "Transpose": { node throws(FoveaError) in
      let rank = try node.shape(0).count
      let order = try node.integers("perm") ?? Array((0..<rank).reversed())
      if order == Array(0..<rank) { return node.handOn(try node.input(0)) }
      try node.give("transpose", ["x": node.input(0), "perm": .integers(order)])
    },
    "Concat": { node throws(FoveaError) in
      guard node.has("axis") else { throw node.mismatch("it has no \"axis\"") }
      try node.program.write(
        "concat",
        ["values": node.inputs(), "axis": [.integer(node.integer("axis", default: 1))]],
        to: [node.result])
    },
    "Expand": { node throws(FoveaError) in try node.expand() },
    "Tile": { node throws(FoveaError) in
      try node.give("tile", ["x": node.input(0), "reps": .integers(node.integers(ofInput: 1))])
    },
    "DepthToSpace": { node throws(FoveaError) in
      let block = try node.integer("blocksize", default: 1)
      let isBlockFirst = try node.choice("mode", default: "DCR", ["DCR": true, "CRD": false])
      try node.give(
        isBlockFirst ? "depth_to_space" : "pixel_shuffle",
        ["x": node.input(0), isBlockFirst ? "block_size" : "upscale_factor": .integer(block)])
    },
    "SpaceToDepth": { node throws(FoveaError) in
      let block = try node.integer("blocksize", default: 1)
      let isBlockFirst = try node.choice("mode", default: "DCR", ["DCR": true, "CRD": false])
      try node.give(
        isBlockFirst ? "space_to_depth" : "pixel_unshuffle",
        ["x": node.input(0), isBlockFirst ? "block_size" : "downscale_factor": .integer(block)])
    },
  ]

  private func reshape() throws(FoveaError) {
    let shape = try reshapedShape()
    if shape == (try self.shape(0)) { return handOn(try input(0)) }
    try give("reshape", ["x": input(0), "shape": .integers(shape)])
  }

  /// The shape that a reshape gives. 0 takes a size over from the same place, unless 0 is allowed as
  /// a size; -1 is what is left, and stays where that is no whole number.
  func reshapedShape() throws(FoveaError) -> [Int] {
    let given = try shape(0)
    var shape = try integers(ofInput: 1)
    if try integer("allowzero", default: 0) == 0 {
      for (index, size) in shape.enumerated() where size == 0 {
        guard given.indices.contains(index) else {
          throw mismatch("the shape \(shape) takes over a size that \(given) lacks")
        }
        shape[index] = given[index]
      }
    } else if shape.contains(0), !given.contains(0) {
      throw unsupported(
        "the shape \(shape) has no elements, and sizes of 0 of an input count as free ones")
    }
    let known = shape.filter { $0 != -1 }
    var (count, overflows) = (1, false)
    for size in known {
      let (next, overflow) = count.multipliedReportingOverflow(by: size)
      (count, overflows) = (next, overflows || overflow)
    }
    let whole = given.reduce(1, *)
    guard known.count == shape.count - 1, !overflows, count > 0, whole % count == 0 else {
      return shape
    }
    return shape.map { $0 == -1 ? whole / count : $0 }
  }

  /// Repeats along dimensions of 1, as numpy does; sizes of 1 in the shape keep those of the input.
  private func expand() throws(FoveaError) {
    let given = try shape(0)
    let wanted = try integers(ofInput: 1)
    guard let shape = Self.commonShape(given, wanted) else {
      throw mismatch("\(given) cannot have the shape \(wanted)")
    }
    guard shape.allSatisfy({ $0 >= 1 }) else {
      throw mismatch("the shape \(shape)")
    }
    handOn(try expanded(input(0), to: shape))
  }

  /// A value repeated along dimensions of 1, and along new ones, until it has a shape.
  func expanded(
    _ value: TensorProgram.Argument, to shape: [Int]
  ) throws(FoveaError) -> TensorProgram.Argument {
    var value = value
    var given = try self.shape(of: value)
    let missing = shape.count - given.count
    if missing > 0 {
      given = Array(repeating: 1, count: missing) + given
      value = try step("reshape", ["x": value, "shape": .integers(given)])
    }
    if given == shape { return value }
    let counts = zip(given, shape).map { $0 == $1 ? 1 : $1 }
    return try step("tile", ["x": value, "reps": .integers(counts)])
  }
}
