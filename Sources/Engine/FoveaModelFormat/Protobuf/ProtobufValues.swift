// Fovea - values of protocol buffers fields.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

// A field whose wire type does not fit what is read is left alone, as an unknown field is.

extension ProtobufField {
  func read(_ value: inout UInt64) {
    if case .varint(let bits) = wire { value = bits }
  }

  func read(_ value: inout Int64) {
    if case .varint(let bits) = wire { value = Int64(bitPattern: bits) }
  }

  /// A 32-bit integer or an enumeration.
  func read(_ value: inout Int32) {
    if case .varint(let bits) = wire { value = Int32(truncatingIfNeeded: bits) }
  }

  func read(_ value: inout Bool) {
    if case .varint(let bits) = wire { value = bits != 0 }
  }

  func read(_ value: inout Float) {
    if case .fixed32(let bits) = wire { value = Float(bitPattern: bits) }
  }

  func read(_ value: inout Double) {
    if case .fixed64(let bits) = wire { value = Double(bitPattern: bits) }
  }

  func read(_ value: inout String) throws(ModelFormatError) {
    guard wire == .bytes else { return }
    guard let text = String(validating: file[payload], as: UTF8.self) else {
      throw ModelFormatError(
        .malformedEncoding, byteOffset: offset, found: "text that is not UTF-8",
        expected: "UTF-8")
    }
    value = text
  }

  /// The bytes of a `bytes` field; a later one replaces an earlier one.
  func read(_ value: inout Range<Int>?) {
    if wire == .bytes { value = payload }
  }

  /// A message inside the message; several pieces are merged.
  func read(_ value: inout ProtobufMessage?) {
    guard wire == .bytes else { return }
    if value == nil {
      value = ProtobufMessage(file: file, range: payload)
    } else {
      value?.merge(payload)
    }
  }

  // MARK: Repeated fields

  func read(_ values: inout [ProtobufMessage], limit: Int) throws(ModelFormatError) {
    guard wire == .bytes else { return }
    try checkCount(values.count, limit)
    values.append(ProtobufMessage(file: file, range: payload))
  }

  func read(_ values: inout [String], limit: Int) throws(ModelFormatError) {
    guard wire == .bytes else { return }
    try checkCount(values.count, limit)
    var text = ""
    try read(&text)
    values.append(text)
  }

  func read(_ values: inout [UInt64]) throws(ModelFormatError) {
    switch wire {
    case .varint(let bits): values.append(bits)
    case .bytes:
      var reader = PackedVarints(file: file, range: payload)
      while let bits = try reader.next() { values.append(bits) }
    default: break
    }
  }

  func read(_ values: inout [Int64]) throws(ModelFormatError) {
    var bits: [UInt64] = []
    try read(&bits)
    values.append(contentsOf: bits.map { Int64(bitPattern: $0) })
  }

  func read(_ values: inout [Bool]) throws(ModelFormatError) {
    var bits: [UInt64] = []
    try read(&bits)
    values.append(contentsOf: bits.map { $0 != 0 })
  }

  func read(_ values: inout [Float]) throws(ModelFormatError) {
    guard let range = try floatBytes() else { return }
    for offset in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
      values.append(Float(bitPattern: file.littleEndian(at: offset)))
    }
  }

  func read(_ values: inout [Double]) throws(ModelFormatError) {
    switch wire {
    case .fixed64(let bits): values.append(Double(bitPattern: bits))
    case .bytes:
      guard payload.count % 8 == 0 else {
        throw ModelFormatError(
          .malformedEncoding, byteOffset: offset,
          found: "an array of doubles in \(payload.count) bytes", expected: "a multiple of 8")
      }
      for offset in stride(from: payload.lowerBound, to: payload.upperBound, by: 8) {
        values.append(Double(bitPattern: file.littleEndian(at: offset)))
      }
    default: break
    }
  }

  /// The bytes of one float or of a packed run of floats; `nil` when it is something else.
  func floatBytes() throws(ModelFormatError) -> Range<Int>? {
    switch wire {
    case .fixed32: return payload
    case .bytes:
      guard payload.count % 4 == 0 else {
        throw ModelFormatError(
          .malformedEncoding, byteOffset: offset,
          found: "an array of floats in \(payload.count) bytes", expected: "a multiple of 4")
      }
      return payload
    default: return nil
    }
  }

  private func checkCount(_ count: Int, _ limit: Int) throws(ModelFormatError) {
    guard count < limit else {
      throw ModelFormatError(
        .limitExceeded, byteOffset: offset, found: "more than \(limit) entries",
        expected: "at most \(limit)", remedy: "Raise the limit if the file is to be trusted.")
    }
  }
}

/// The numbers of a packed run.
private struct PackedVarints {
  let file: [UInt8]
  var range: Range<Int>

  mutating func next() throws(ModelFormatError) -> UInt64? {
    guard !range.isEmpty else { return nil }
    var value: UInt64 = 0
    for index in 0..<10 {
      let position = range.lowerBound + index
      guard position < range.upperBound else { break }
      let byte = file[position]
      value |= UInt64(byte & 0x7F) &<< UInt64(7 * index)
      if byte < 0x80 {
        range = position + 1..<range.upperBound
        return value
      }
    }
    throw ModelFormatError(
      .malformedEncoding, byteOffset: range.lowerBound,
      found: "a packed number without a last byte", expected: "one of at most 10 bytes")
  }
}
