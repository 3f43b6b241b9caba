// Fovea - writing protocol buffers fields.
// SPDX-License-Identifier: Apache-2.0

/// Protocol buffers fields, written one after another.
struct WireWriter {
  /// What has been written.
  private(set) var output: [UInt8] = []

  /// Appends fields that are encoded already.
  mutating func raw(_ encoded: some Sequence<UInt8>) { output.append(contentsOf: encoded) }

  /// Appends a whole number that is not negative.
  mutating func integer(_ field: Int, _ value: Int) {
    varint(UInt64(field) << 3)
    varint(UInt64(value))
  }

  /// Appends bytes, or a message that is encoded already.
  mutating func bytes(_ field: Int, _ content: [UInt8]) {
    varint(UInt64(field) << 3 | 2)
    varint(UInt64(content.count))
    output += content
  }

  /// Appends a packed run of floats; nothing when there are none.
  mutating func floats(_ field: Int, _ values: [Float]) {
    if values.isEmpty { return }
    varint(UInt64(field) << 3 | 2)
    varint(UInt64(4 * values.count))
    words(values)
  }

  /// Appends floats, little-endian.
  mutating func words(_ values: [Float]) {
    output.reserveCapacity(output.count + 4 * values.count)
    for value in values {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { output.append(contentsOf: $0) }
    }
  }

  private mutating func varint(_ value: UInt64) {
    var left = value
    while left >= 0x80 {
      output.append(UInt8(truncatingIfNeeded: left) | 0x80)
      left >>= 7
    }
    output.append(UInt8(left))
  }
}
