// Fovea - operations of programs that change shapes.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension OperationLowering {
  /// Elements stay what they are; their order may change.
  static let shapeRules: [String: OperationRule] = [
    "concat": { op throws(FoveaError) in try op.concatenation() },
    "depth_to_space": { op throws(FoveaError) in
      try op.blocksToPlane(op.positive("block_size", default: 1), isBlockFirst: true)
    },
    "expand_dims": { op throws(FoveaError) in try op.expandDimensions() },
    "flatten2d": { op throws(FoveaError) in try op.flatten() },
    "pixel_shuffle": { op throws(FoveaError) in
      try op.blocksToPlane(op.positive("upscale_factor", default: 1), isBlockFirst: false)
    },
    "pixel_unshuffle": { op throws(FoveaError) in
      try op.planeToBlocks(op.positive("downscale_factor", default: 1), isBlockFirst: false)
    },
    "reshape": { op throws(FoveaError) in try op.reshape() },
    "reshape_like": { op throws(FoveaError) in try op.reshapeLike() },
    "reverse": { op throws(FoveaError) in try op.reverse() },
    "space_to_depth": { op throws(FoveaError) in
      try op.planeToBlocks(op.positive("block_size", default: 1), isBlockFirst: true)
    },
    "squeeze": { op throws(FoveaError) in try op.squeeze() },
    "stack": { op throws(FoveaError) in try op.stack() },
    "tile": { op throws(FoveaError) in try op.tile() },
    "transpose": { op throws(FoveaError) in try op.transpose() },
  ]

  /// "x" under a shape.
  func reshaped(_ name: String, to shape: [Int]) throws(FoveaError) -> [ProgramValue] {
    let given = try argument(name)
    try checkRank(shape.count)
    if let constant = given.constant { return [.constant(try constant.reshaped(shape))] }
    return result(try graph.reshape(value(given), to: shape), try classOf(name))
  }

  /// One size may be -1, for what is left; 0 takes over a size, counted from the right.
  private func reshape() throws(FoveaError) -> [ProgramValue] {
    let given = try argument("x").shape
    var shape = try integers("shape")
    try checkRank(shape.count)
    for (index, size) in shape.enumerated() where size == 0 && !given.contains(0) {
      let source = given.count - shape.count + index
      guard given.indices.contains(source) else {
        throw mismatch("the shape \(shape) takes over a size that \(given) lacks")
      }
      shape[index] = given[source]
    }
    let free = shape.indices.filter { shape[$0] == -1 }
    guard free.count <= 1, shape.allSatisfy({ $0 >= -1 }) else {
      throw mismatch("the shape \(shape) has more than one free size, or a negative one")
    }
    let count = try elementCount(given)
    let known = try elementCount(shape.filter { $0 != -1 })
    if let free = free.first {
      guard known > 0, count % known == 0 else {
        throw mismatch("\(count) elements cannot have the shape \(shape)")
      }
      shape[free] = count / known
    } else if known != count {
      throw mismatch("\(count) elements cannot have the shape \(shape)")
    }
    return try reshaped("x", to: shape)
  }

  /// Dimensions begin...end of "x" replaced by those of other arrays.
  private func reshapeLike() throws(FoveaError) -> [ProgramValue] {
    let references = try list("ref_tensors")
    let begins = try integers("begins", count: references.count, default: 0)
    let ends = try integers("ends", count: references.count, default: 0)
    let masks = try has("end_masks") ? booleans("end_masks") : []
    var shape: [Int] = []
    for (index, reference) in references.enumerated() {
      let sizes = reference.shape
      let end = index < masks.count && masks[index] ? sizes.count : ends[index]
      guard begins[index] >= 0, begins[index] <= end, end <= sizes.count else {
        throw mismatch("dimensions \(begins[index]) to \(end) of shape \(sizes)")
      }
      shape += sizes[begins[index]..<end]
      try checkRank(shape.count)
    }
    guard try elementCount(shape) == elementCount(argument("x").shape) else {
      throw mismatch("\(try argument("x").shape) cannot have the shape \(shape)")
    }
    return try reshaped("x", to: shape)
  }

  private func expandDimensions() throws(FoveaError) -> [ProgramValue] {
    let given = try argument("x").shape
    let rank = given.count + (try integers("axes").count)
    let axes = try axes("axes", ofRank: rank)
    var rest = given[...]
    let shape = (0..<rank).map { axes.contains($0) ? 1 : rest.popFirst() ?? 1 }
    return try reshaped("x", to: shape)
  }

  /// The stated dimensions of size 1, or all of them, are dropped.
  private func squeeze() throws(FoveaError) -> [ProgramValue] {
    let given = try argument("x").shape
    let axes =
      try has("axes")
      ? axes("axes", ofRank: given.count) : given.indices.filter { given[$0] == 1 }
    guard axes.allSatisfy({ given[$0] == 1 }) else {
      throw mismatch("axes \(axes) of shape \(given) are not all of size 1")
    }
    return try reshaped(
      "x", to: given.indices.filter { !axes.contains($0) }.map { given[$0] })
  }

  private func flatten() throws(FoveaError) -> [ProgramValue] {
    let given = try argument("x").shape
    let axis = try integer("axis", default: 1)
    guard axis >= -given.count, axis <= given.count else {
      throw mismatch("\"axis\" is \(axis), and there are \(given.count) dimensions")
    }
    let border = axis < 0 ? axis + given.count : axis
    return try reshaped(
      "x", to: [elementCount(Array(given[..<border])), elementCount(Array(given[border...]))])
  }

  private func transpose() throws(FoveaError) -> [ProgramValue] {
    if case .image(let image) = try argument("x"),
      let transposed = image.transposed(try axes("perm", ofRank: 4))
    {
      return [.image(transposed)]
    }
    let x = try tensor("x")
    let axes = try axes("perm", ofRank: x.rank)
    guard axes.count == x.rank else {
      throw mismatch("\"perm\" is \(axes) for \(x.rank) dimensions")
    }
    return result(try graph.transpose(x, axes: axes), try classOf("x"))
  }

  // MARK: Joining

  /// Values one after another, or element by element in turn. Scalars count as vectors of one.
  private func concatenation() throws(FoveaError) -> [ProgramValue] {
    let list = try list("values")
    var values: [GraphValue] = []
    for item in list where !item.shape.contains(0) {
      let value = try value(item)
      values.append(value.rank == 0 ? try graph.reshape(value, to: [1]) : value)
    }
    let elementClass = list[0].elementClass ?? .float
    guard let first = values.first else {
      return [.constant(ConstantValue([], shape: list[0].shape, as: elementClass))]
    }
    let axis = try dimension(integer("axis"), ofRank: first.rank)
    guard values.allSatisfy({ $0.rank == first.rank }) else {
      throw mismatch("values of shapes \(values.map(\.shape))")
    }
    if try boolean("interleave") {
      let layers = try stacked(values, at: axis + 1)
      var shape = first.shape
      shape[axis] *= values.count
      return result(try graph.reshape(layers, to: shape), elementClass)
    }
    let value = values.count == 1 ? first : try graph.concat(values, axis: axis)
    return result(value, elementClass)
  }

  private func stack() throws(FoveaError) -> [ProgramValue] {
    let list = try list("values")
    var values: [GraphValue] = []
    for item in list { values.append(try value(item)) }
    let axis = try dimension(integer("axis"), ofRank: values[0].rank + 1)
    return result(try stacked(values, at: axis), list[0].elementClass ?? .float)
  }

  private func stacked(_ values: [GraphValue], at axis: Int) throws(FoveaError) -> GraphValue {
    guard values.allSatisfy({ $0.shape == values[0].shape }) else {
      throw mismatch("values of shapes \(values.map(\.shape))")
    }
    return try graph.stacked(values, at: axis)
  }

  /// Repeats along every dimension.
  private func tile() throws(FoveaError) -> [ProgramValue] {
    var x = try tensor("x")
    let elementClass = try classOf("x")
    let repetitions = try integers("reps")
    guard repetitions.count == x.rank, repetitions.allSatisfy({ $0 >= 1 }) else {
      throw mismatch("\"reps\" is \(repetitions) for shape \(x.shape)")
    }
    for (axis, count) in repetitions.enumerated() {
      _ = try elementCount([x.shape[axis], count])
      x = try graph.repeated(x, axis: axis, times: count)
    }
    return result(x, elementClass)
  }

  private func reverse() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let axes = try axes("axes", ofRank: x.rank)
    let ranges = (0..<x.rank).map { axis in
      axes.contains(axis)
        ? SliceRange(begin: x.shape[axis] - 1, count: x.shape[axis], stride: -1)
        : SliceRange(begin: 0, count: x.shape[axis])
    }
    return result(try graph.slice(x, ranges), try classOf("x"))
  }

  // MARK: Blocks of planes

  /// Channels become blocks of the plane. The block's index comes before that of the channel kept,
  /// or behind it.
  private func blocksToPlane(_ block: Int, isBlockFirst: Bool) throws(FoveaError) -> [ProgramValue]
  {
    let x = try tensor("x")
    let area = try elementCount([block, block])
    guard x.rank == 4, x.shape[1] % area == 0 else {
      throw mismatch("blocks of \(block)x\(block) from an input of shape \(x.shape)")
    }
    return result(try graph.blocksToPlane(x, block: block, isBlockFirst: isBlockFirst))
  }

  /// Blocks of the plane become channels.
  private func planeToBlocks(_ block: Int, isBlockFirst: Bool) throws(FoveaError) -> [ProgramValue]
  {
    let x = try tensor("x")
    guard x.rank == 4, x.plane.height % block == 0, x.plane.width % block == 0 else {
      throw mismatch("blocks of \(block)x\(block) of an input of shape \(x.shape)")
    }
    return result(try graph.planeToBlocks(x, block: block, isBlockFirst: isBlockFirst))
  }
}
