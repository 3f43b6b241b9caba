// Fovea - tables of weights, one for each group of channels.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// Tables of shape [groups of every axis..., entries, vector]. The group of an index is the index
/// divided by the size of a group. A code stands for `vector` neighbors along one axis.
struct GroupedTable {
  private let table: ConstantValue
  private let values: [Float]
  private let groups: [Int]
  private let entries: Int
  private let vector: Int
  private let vectorAxis: Int

  /// Checks a table against the shape and the bits of its codes.
  init(
    _ lowering: OperationLowering, _ table: ConstantValue, shape: [Int], codeBits: Int
  ) throws(FoveaError) {
    let rank = shape.count
    guard rank >= 1, table.shape.count == rank + 2 else {
      throw lowering.mismatch(
        "a table of shape \(table.shape) for codes of shape \(shape); two dimensions more"
          + " were expected")
    }
    groups = Array(table.shape.prefix(rank))
    entries = table.shape[rank]
    vector = table.shape[rank + 1]
    guard zip(shape, groups).allSatisfy({ $1 >= 1 && $0 % $1 == 0 }) else {
      throw lowering.mismatch("groups of \(groups) do not divide codes of shape \(shape)")
    }
    guard CodePacking.bits(ofTable: entries) == codeBits, vector >= 1 else {
      throw lowering.mismatch("a table of \(entries) entries for codes of \(codeBits) bits")
    }
    if vector > 1 || lowering.has("vector_axis") {
      vectorAxis = try lowering.dimension(
        lowering.integer("vector_axis"), ofRank: rank, "vector_axis")
    } else {
      vectorAxis = 0
    }
    guard shape.allSatisfy({ $0 >= 1 }) else { throw lowering.mismatch("codes of shape \(shape)") }
    // Each code becomes a vector.
    if vector > 1 {
      try lowering.graph.budget?.spend(lowering.elementCount(shape + [vector]))
    }
    self.table = table
    values = try table.floats()
  }

  /// All codes looked up. They stay codes, unless their tables are larger than floats.
  func dense(_ codes: ConstantValue) throws(FoveaError) -> ConstantValue {
    guard case .stored(let bytes) = codes.content else {
      throw FoveaError(.invalidModel, "codes that are computed; \(FoveaError.damaged)")
    }
    if vector == 1, groups.allSatisfy({ $0 == 1 }) {
      return try table.lookedUp(bytes, bits: codes.element.bits, shape: codes.shape)
    }
    let bits = codes.element.bits
    var shape = codes.shape
    shape[vectorAxis] *= vector
    if CodePacking.pays(
      bits: bits, codes: codes.count, numbers: values.count, weights: codes.count * vector),
      let parts = WeightParts(
        shape: shape, counts: groups, vector: vector, vectorAxis: vectorAxis)
    {
      let codes =
        bits == 8 ? bytes : CodePacking.highBitsFirst(bytes, bits: bits, count: codes.count)
      return ConstantValue(
        WeightData(
          codes, encoding: .lookupTables(bits: bits, tables: values, parts: parts)),
        axis: nil, shape: shape)
    }
    let result = looked(
      up: bytes.codes(bits: codes.element.bits, codes.count).map { Float($0) },
      shape: codes.shape)
    return ConstantValue(result.values, shape: result.shape)
  }

  /// Codes, given as floats, looked up.
  func looked(up codes: [Float], shape: [Int]) -> (values: [Float], shape: [Int]) {
    var picked: [[Float]] = Array(
      repeating: [Float](repeating: 0, count: codes.count), count: vector)
    BlockWalk(shape: shape, blocks: groups).forEach { index, group in
      let entry = (group * entries + min(Int(codes[index]), entries - 1)) * vector
      for part in 0..<vector { picked[part][index] = values[entry + part] }
    }
    return interleaved(picked, shape)
  }

  /// Values of codes repeated for all that a code stands for.
  func repeated(_ values: [Float], shape: [Int]) -> (values: [Float], shape: [Int]) {
    interleaved(Array(repeating: values, count: vector), shape)
  }

  /// Element i * vector + j along the axis is element i of part j.
  private func interleaved(
    _ parts: [[Float]], _ shape: [Int]
  ) -> (values: [Float], shape: [Int]) {
    if vector == 1 { return (parts[0], shape) }
    var result: [Float] = []
    result.reserveCapacity(parts[0].count * vector)
    let inner = shape[(vectorAxis + 1)...].reduce(1, *)
    for start in stride(from: 0, to: parts[0].count, by: inner) {
      for part in parts { result += part[start..<start + inner] }
    }
    var shape = shape
    shape[vectorAxis] *= vector
    return (result, shape)
  }
}

/// Walks over the elements of an array that is divided into equal blocks.
struct BlockWalk {
  /// The sizes of the array.
  let shape: [Int]
  /// The number of blocks along every axis, which divides the size.
  let blocks: [Int]

  /// Calls a function with every element's index and its block's, both row-major.
  func forEach(_ body: (_ index: Int, _ block: Int) -> Void) {
    let count = shape.reduce(1, *)
    guard count > 0 else { return }
    // What a step along every axis adds to the block's index.
    var strides = [Int](repeating: 1, count: shape.count)
    for axis in shape.indices.dropLast().reversed() {
      strides[axis] = strides[axis + 1] * blocks[axis + 1]
    }
    var place = [Int](repeating: 0, count: shape.count)
    for index in 0..<count {
      var block = 0
      for axis in shape.indices {
        block += place[axis] / (shape[axis] / blocks[axis]) * strides[axis]
      }
      body(index, block)
      for axis in shape.indices.reversed() {
        place[axis] += 1
        if place[axis] < shape[axis] { break }
        place[axis] = 0
      }
    }
  }
}
