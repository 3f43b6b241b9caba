// Fovea - writing protocol buffers, as far as a Core ML file needs them.
// SPDX-License-Identifier: Apache-2.0

/// Bytes of one protocol buffer message, written field by field.
struct ProtobufMessageWriter {
  /// What has been written.
  private(set) var bytes: [UInt8] = []

  private enum WireType: UInt64 {
    case variableLength = 0
    case fixed64 = 1
    case lengthDelimited = 2
    case fixed32 = 5
  }

  /// An integer of any signed or unsigned type; negative ones take ten bytes, as int64 does.
  mutating func write(_ field: Int, integer value: Int) {
    writeTag(field, .variableLength)
    writeVariableLength(UInt64(bitPattern: Int64(value)))
  }

  /// A truth value.
  mutating func write(_ field: Int, bool value: Bool) { write(field, integer: value ? 1 : 0) }

  /// A 32-bit float.
  mutating func write(_ field: Int, float value: Float) {
    writeTag(field, .fixed32)
    writeLittleEndian(value.bitPattern)
  }

  /// A 64-bit float.
  mutating func write(_ field: Int, double value: Double) {
    writeTag(field, .fixed64)
    writeLittleEndian(value.bitPattern)
  }

  /// A string in UTF-8.
  mutating func write(_ field: Int, string value: String) { write(field, bytes: Array(value.utf8)) }

  /// Bytes as they are.
  mutating func write(_ field: Int, bytes value: [UInt8]) {
    writeTag(field, .lengthDelimited)
    writeVariableLength(UInt64(value.count))
    bytes += value
  }

  /// Integers of a repeated field, packed.
  mutating func write(_ field: Int, packed values: [Int]) {
    var content = ProtobufMessageWriter()
    for value in values { content.writeVariableLength(UInt64(bitPattern: Int64(value))) }
    write(field, bytes: content.bytes)
  }

  /// Floats of a repeated field, packed.
  mutating func write(_ field: Int, packed values: [Float]) {
    var content = ProtobufMessageWriter()
    for value in values { content.writeLittleEndian(value.bitPattern) }
    write(field, bytes: content.bytes)
  }

  /// A message inside this one.
  mutating func write(_ field: Int, message body: (inout ProtobufMessageWriter) -> Void) {
    var content = ProtobufMessageWriter()
    body(&content)
    write(field, bytes: content.bytes)
  }

  private mutating func writeTag(_ field: Int, _ type: WireType) {
    writeVariableLength(UInt64(field) << 3 | type.rawValue)
  }

  private mutating func writeVariableLength(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func writeLittleEndian(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }
}
