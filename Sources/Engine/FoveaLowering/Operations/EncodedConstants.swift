// Fovea - constants of programs that are stored as codes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// Decodes the operations whose names begin with "constexpr_".
///
/// Numbers are computed in single precision without rounding to the half precision that a file
/// declares: a code times a half is exact. Codes that the core can read stay codes.
extension OperationLowering {
  /// scale * (code - zero point), with one scale or one along an axis.
  func affineDequantize() throws(FoveaError) -> [ProgramValue] {
    let data = try constant("quantized_data")
    let axis = try dimension(integer("axis"), ofRank: data.shape.count, "axis")
    let scale = try constant("scale")
    let zero = try constant("zero_point")
    let channels = data.shape[axis]
    guard data.count > 0 else { throw mismatch("codes of shape \(data.shape)") }
    for (name, parameter) in [("scale", scale), ("zero_point", zero)] {
      guard parameter.shape.isEmpty || parameter.shape == [channels] else {
        throw mismatch("\(name) has shape \(parameter.shape) for \(channels) channels")
      }
    }
    let isPerChannel = !scale.shape.isEmpty || !zero.shape.isEmpty
    return [
      .constant(
        try linear(
          data, axis: isPerChannel ? axis : nil, scale: scale.floats(), zero: zero.floats()))
    ]
  }

  /// Codes as the core's linear weights where they have at most 8 bits.
  private func linear(
    _ data: ConstantValue, axis: Int?, scale: [Float], zero: [Float]
  ) throws(FoveaError) -> ConstantValue {
    let count = max(scale.count, zero.count)
    let scales = scale.count == count ? scale : Array(repeating: scale[0], count: count)
    let zeros = zero.count == count ? zero : Array(repeating: zero[0], count: count)
    guard let (codes, bits, biases) = coreCodes(data, scales, zeros) else {
      return try expanded(data, axis: axis, scales, zeros)
    }
    return ConstantValue(
      WeightData(
        codes, encoding: .linear(bits: bits, scale: scales, bias: biases)),
      axis: count == 1 ? nil : axis, shape: data.shape)
  }

  /// Unsigned codes in the core's order, and biases that take their zeros to zero; `nil` where the
  /// core has no such codes.
  private func coreCodes(
    _ data: ConstantValue, _ scales: [Float], _ zeros: [Float]
  ) -> (codes: StoredBytes, bits: Int, biases: [Float])? {
    guard case .stored(let bytes) = data.content, data.element.isInteger, data.element.bits <= 8
    else { return nil }
    let bits = data.element.bits
    // Unsigned codes: a signed one plus half of the range.
    let half = data.element.isSigned ? 1 << (bits - 1) : 0
    let biases = zip(scales, zeros).map { -$0 * ($1 + Float(half)) }
    let codes =
      bits == 8 && half == 0
      ? bytes : CodePacking.highBitsFirst(bytes, bits: bits, count: data.count, adding: half)
    return (codes, bits, biases)
  }

  private func expanded(
    _ data: ConstantValue, axis: Int?, _ scales: [Float], _ zeros: [Float]
  ) throws(FoveaError) -> ConstantValue {
    let inner = axis.map { data.shape[($0 + 1)...].reduce(1, *) } ?? 1
    var floats = try data.floats()
    for index in floats.indices {
      let channel = scales.count == 1 ? 0 : index / inner % scales.count
      floats[index] = scales[channel] * (floats[index] - zeros[channel])
    }
    return ConstantValue(floats, shape: data.shape)
  }

  // MARK: Tables

  /// Entries of a table: one table with codes in bytes (iOS 16), or tables of groups (iOS 18).
  func lookUpDense() throws(FoveaError) -> [ProgramValue] {
    let indices = try constant("indices")
    let table = try constant("lut")
    guard has("shape") else {
      let grouped = try GroupedTable(
        self, table, shape: indices.shape, codeBits: indices.element.bits)
      return [.constant(try grouped.dense(indices))]
    }
    let shape = try sizes("shape")
    guard indices.element == .uint8, table.shape.count == 1,
      let bits = CodePacking.bits(ofTable: table.count)
    else {
      throw mismatch(
        "a table of shape \(table.shape) with codes of type \(indices.element.rawValue)")
    }
    let count = try elementCount(shape)
    guard case .stored(let bytes) = indices.content, bytes.count == (count * bits + 7) / 8 else {
      throw mismatch("\(indices.count) bytes of codes for \(count) codes of \(bits) bits")
    }
    return [.constant(try table.lookedUp(bytes, bits: bits, shape: shape))]
  }

  /// Tables looked up where a mask has ones: the mask, and the values there.
  func lookUpSparse() throws(FoveaError) -> [ProgramValue] {
    let mask = try constant("indices_mask")
    let table = try GroupedTable(
      self, try constant("lut"), shape: mask.shape,
      codeBits: try constant("indices_nonzero_data").element.bits)
    guard try !constant("indices_nonzero_data").element.isSigned else {
      throw mismatch("codes with a sign")
    }
    let codes = try scattered("indices_nonzero_data", mask)
    let dense = table.looked(up: codes, shape: mask.shape)
    let flags = table.repeated(try mask.floats(), shape: mask.shape)
    let kept = zip(flags.values, dense.values).filter { $0.0 != 0 }.map(\.1)
    return [
      .constant(ConstantValue(flags.values, shape: flags.shape, as: .integer)),
      .constant(ConstantValue(kept, shape: [kept.count])),
    ]
  }

  // MARK: Blocks

  /// scale * (data - offset), the scale of blocks along every axis.
  func blockwiseShiftScale() throws(FoveaError) -> [ProgramValue] {
    let data = try constant("data")
    return [.constant(try shiftedAndScaled(data))]
  }

  /// The same where a mask has ones: the mask, and the values there.
  func sparseBlockwiseShiftScale() throws(FoveaError) -> [ProgramValue] {
    let mask = try constant("data_mask")
    let data = ConstantValue(try scattered("nonzero_data", mask), shape: mask.shape)
    let dense = try shiftedAndScaled(data).floats()
    let kept = zip(try mask.floats(), dense).filter { $0.0 != 0 }.map(\.1)
    return [.constant(mask), .constant(ConstantValue(kept, shape: [kept.count]))]
  }

  private func shiftedAndScaled(_ data: ConstantValue) throws(FoveaError) -> ConstantValue {
    let scale = try constant("scale")
    let offset = try has("offset") ? constant("offset") : nil
    let rank = data.shape.count
    let divides =
      scale.shape.count == rank
      && zip(data.shape, scale.shape).allSatisfy { $1 >= 1 && $0 % $1 == 0 }
    guard divides, data.count > 0, offset.map({ $0.shape == scale.shape }) ?? true else {
      throw mismatch(
        "scales of shape \(scale.shape) and offsets of shape \(offset?.shape ?? scale.shape)"
          + " for data of shape \(data.shape)")
    }
    let scales = try scale.floats()
    let zeros = try offset?.floats() ?? [Float](repeating: 0, count: scales.count)
    let axes = (0..<rank).filter { scale.shape[$0] > 1 }
    if axes.isEmpty || (axes.count == 1 && scale.shape[axes[0]] == data.shape[axes[0]]) {
      return try linear(data, axis: axes.first, scale: scales, zero: zeros)
    }
    if CodePacking.pays(
      bits: data.element.bits, codes: data.count, numbers: 2 * scales.count, weights: data.count),
      let parts = WeightParts(shape: data.shape, counts: scale.shape),
      let (codes, bits, biases) = coreCodes(data, scales, zeros)
    {
      return ConstantValue(
        WeightData(
          codes,
          encoding: .linearParts(bits: bits, scale: scales, bias: biases, parts: parts)),
        axis: nil, shape: data.shape)
    }
    var floats = try data.floats()
    BlockWalk(shape: data.shape, blocks: scale.shape).forEach { index, block in
      floats[index] = scales[block] * (floats[index] - zeros[block])
    }
    return ConstantValue(floats, shape: data.shape)
  }

  // MARK: Sparse

  /// Values where a mask has ones, zeros elsewhere.
  func sparseToDense() throws(FoveaError) -> [ProgramValue] {
    var mask = try constant("mask")
    if has("shape") {
      let shape = try sizes("shape")
      let count = try elementCount(shape)
      guard case .stored(let bytes) = mask.content, mask.element == .uint8,
        bytes.count == (count + 7) / 8
      else { throw mismatch("a mask of \(mask.count) bytes for \(count) elements") }
      mask = ConstantValue(
        TensorConstant(element: .uint1, shape: shape, content: .bytes(bytes)))
    }
    return [.constant(ConstantValue(try scattered("nonzero_data", mask), shape: mask.shape))]
  }

  /// The values of an argument at the ones of a mask, zeros elsewhere.
  private func scattered(
    _ name: String, _ mask: ConstantValue
  ) throws(FoveaError) -> [Float] {
    let values = try constant(name).floats()
    var result = try mask.floats()
    var next = 0
    for index in result.indices where result[index] != 0 {
      guard next < values.count else { next += 1; break }
      result[index] = values[next]
      next += 1
    }
    guard next == values.count else {
      throw mismatch("\(name) has \(values.count) values, its mask another number of ones")
    }
    return result
  }
}
