// Fovea - from stored values to floats.
// SPDX-License-Identifier: Apache-2.0

extension WeightData {
  /// The weights as floats.
  ///
  /// Halves and tables are exact. A linear code is converted, multiplied by its scale and added to
  /// its bias; each step is rounded to float.
  ///
  /// - Parameters:
  ///   - count: The number of weights to decode.
  ///   - channelCount: The number of channels that have their own scale.
  ///   - channelStride: The number of consecutive weights of one channel; `nil` for all.
  /// - Throws: If the stored values are not `count` weights, or if scales do not match.
  /// - Complexity: O(count). Allocates the result, and a copy of the stored bytes if the file
  ///   stores them in pieces.
  public func decoded(
    count: Int, channelCount: Int = 1, channelStride: Int? = nil
  ) throws(ModelFormatError) -> [Float] {
    let layout = WeightLayout(
      count: count, channelCount: channelCount, channelStride: channelStride)
    try validate(layout)
    let stored = contiguousBytes()
    return stored.withBytes { stored in
      [Float](unsafeUninitializedCapacity: count) { weights, written in
        decode(stored, into: weights, layout: layout)
        written = count
      }
    }
  }

  /// The weights as floats, with channels in the order of `layout`.
  public func decoded(_ layout: WeightLayout) throws(ModelFormatError) -> [Float] {
    try decoded(
      count: layout.count, channelCount: layout.channelCount,
      channelStride: layout.channelStride)
  }

  /// Checks that the numbers of stored values and of scales fit a layout.
  public func validate(_ layout: WeightLayout) throws(ModelFormatError) {
    guard layout.count >= 0, layout.channelCount >= 1, layout.channelStride >= 1 else {
      throw ModelFormatError(
        .invalidWeights, byteOffset: segments.first?.lowerBound,
        found: "\(layout.count) weights in \(layout.channelCount) channels",
        expected: "positive numbers")
    }
    try encoding.validate(
      channelCount: layout.channelCount, weightCount: layout.count, at: segments.first?.lowerBound)
    guard holds(count: layout.count) else {
      throw ModelFormatError(
        .invalidWeights, byteOffset: segments.first?.lowerBound,
        found: "\(storedValueCount) values (\(storedByteCount) bytes, \(encodingName))",
        expected: "\(encoding.isQuantized ? "at least " : "")\(layout.count) values")
    }
  }

  private func decode(
    _ stored: UnsafeRawBufferPointer, into weights: UnsafeMutableBufferPointer<Float>,
    layout: WeightLayout
  ) {
    switch encoding {
    case .float32:
      for index in 0..<layout.count {
        let word = stored.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
        weights.initializeElement(
          at: index, to: Float(bitPattern: UInt32(littleEndian: word)))
      }
    case .float16:
      for index in 0..<layout.count {
        let word = stored.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
        weights.initializeElement(
          at: index, to: Float(halfPrecisionBits: UInt16(littleEndian: word)))
      }
    case .lookupTable(let bits, let table):
      for index in 0..<layout.count {
        weights.initializeElement(at: index, to: table[code(index, of: bits, in: stored)])
      }
    case .linear(let bits, let scale, let bias):
      for index in 0..<layout.count {
        let channel = scale.count == 1 ? 0 : index / layout.channelStride % layout.channelCount
        let product = Double(code(index, of: bits, in: stored)) * Double(scale[channel])
        let weight = product + (bias.isEmpty ? 0 : Double(bias[channel]))
        weights.initializeElement(at: index, to: Float(weight))
      }
    case .signedLinear(let scale):
      for index in 0..<layout.count {
        weights.initializeElement(
          at: index, to: Float(Int8(bitPattern: stored[index])) * scale)
      }
    case .lookupTables(let bits, let tables, let parts):
      parts.forEach { index, place, part, neighbor in
        let entry = part << bits + code(place, of: bits, in: stored)
        weights.initializeElement(at: index, to: tables[entry * parts.vector + neighbor])
      }
    case .linearParts(let bits, let scale, let bias, let parts):
      parts.forEach { index, place, part, _ in
        let product = Double(code(place, of: bits, in: stored)) * Double(scale[part])
        let weight = product + (bias.isEmpty ? 0 : Double(bias[part]))
        weights.initializeElement(at: index, to: Float(weight))
      }
    }
  }

  /// Code `index` of a string of codes, most significant bit first.
  @inline(__always)
  private func code(_ index: Int, of bits: Int, in stored: UnsafeRawBufferPointer) -> Int {
    if bits == 8 { return Int(stored[index]) }
    let position = index * bits
    let byte = position >> 3
    let end = (position & 7) + bits
    let next = end > 8 ? Int(stored[byte + 1]) : 0
    let window = Int(stored[byte]) << 8 | next
    return window >> (16 - end) & ((1 << bits) - 1)
  }
}

extension WeightEncoding {
  /// Checks the numbers of table entries, scales and biases.
  package func validate(
    channelCount: Int, weightCount: Int? = nil, at offset: Int?
  ) throws(ModelFormatError) {
    var problem: (found: String, expected: String)?
    switch self {
    case .float32, .float16, .signedLinear: break
    case .lookupTable(let bits, let table):
      if !(1...8).contains(bits) {
        problem = ("codes of \(bits) bits", "1 to 8 bits")
      } else if table.count != 1 << bits {
        problem = ("a table of \(table.count) entries", "\(1 << bits) for \(bits)-bit codes")
      }
    case .linear(let bits, let scale, let bias):
      if !(1...8).contains(bits) {
        problem = ("codes of \(bits) bits", "1 to 8 bits")
      } else if scale.count != 1 && scale.count != channelCount {
        problem = ("\(scale.count) scales", channelCount == 1 ? "1" : "1 or \(channelCount)")
      } else if !bias.isEmpty && bias.count != scale.count {
        problem = ("\(bias.count) biases of the codes", "none or \(scale.count)")
      }
    case .lookupTables(let bits, let tables, let parts):
      problem = parts.problem(bits: bits, weightCount)
      if problem == nil, tables.count != parts.count << bits * parts.vector {
        problem = ("tables of \(tables.count) entries", "\(parts.count << bits * parts.vector)")
      }
    case .linearParts(let bits, let scale, let bias, let parts):
      problem = parts.problem(bits: bits, weightCount)
      if problem == nil, scale.count != parts.count || parts.vector != 1 {
        problem = ("\(scale.count) scales", "\(parts.count)")
      } else if problem == nil, !bias.isEmpty && bias.count != scale.count {
        problem = ("\(bias.count) biases of the codes", "none or \(scale.count)")
      }
    }
    if let problem {
      throw ModelFormatError(
        .invalidWeights, byteOffset: offset, found: problem.found, expected: problem.expected)
    }
  }
}

extension WeightParts {
  fileprivate func problem(
    bits: Int, _ wanted: Int?
  ) -> (found: String, expected: String)? {
    if !(1...8).contains(bits) { return ("codes of \(bits) bits", "1 to 8 bits") }
    if let wanted, weightCount != wanted {
      return ("parts of \(weightCount) weights", "parts of \(wanted)")
    }
    return nil
  }
}

extension Float {
  /// The value of an IEEE 754 binary16 pattern. Exact; the payload of a NaN is kept.
  package init(halfPrecisionBits half: UInt16) {
    let sign = UInt32(half & 0x8000) << 16
    let exponent = UInt32(half >> 10 & 0x1F)
    let fraction = UInt32(half & 0x3FF)
    switch exponent {
    case 0:
      let magnitude = Float(fraction) * 0x1p-24
      self = Float(bitPattern: magnitude.bitPattern | sign)
    case 31: self = Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
    default: self = Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
    }
  }
}
