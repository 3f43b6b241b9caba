// Fovea - writing protocol buffers fields.
// SPDX-License-Identifier: Apache-2.0

/// Protocol buffers fields, written one after another.
package struct WireWriter {
  /// What has been written.
  package private(set) var output: [UInt8] = []

  /// Begins with nothing.
  package init() {}

  /// Appends fields that are encoded already.
  package mutating func raw(_ encoded: some Sequence<UInt8>) {
    output.append(contentsOf: encoded)
  }

  /// Appends a whole number, also a negative one.
  package mutating func integer(_ field: Int, _ value: Int) {
    varint(UInt64(field) << 3)
    varint(UInt64(bitPattern: Int64(value)))
  }

  /// Appends a truth value, which is left out where it is false.
  package mutating func boolean(_ field: Int, _ value: Bool) {
    if value { integer(field, 1) }
  }

  /// Appends a number of 64 bits.
  package mutating func double(_ field: Int, _ value: Double) {
    varint(UInt64(field) << 3 | 1)
    withUnsafeBytes(of: value.bitPattern.littleEndian) { output.append(contentsOf: $0) }
  }

  /// Appends bytes, or a message that is encoded already.
  package mutating func bytes(_ field: Int, _ content: [UInt8]) {
    varint(UInt64(field) << 3 | 2)
    varint(UInt64(content.count))
    output += content
  }

  /// Appends a text, also an empty one.
  package mutating func text(_ field: Int, _ text: String) { bytes(field, Array(text.utf8)) }

  /// Appends a text, which is left out where it is empty.
  package mutating func optionalText(_ field: Int, _ text: String) {
    if !text.isEmpty { self.text(field, text) }
  }

  /// Appends a message; `fill` writes its fields.
  package mutating func message<Failure: Error>(
    _ field: Int, _ fill: (inout WireWriter) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = WireWriter()
    try fill(&writer)
    bytes(field, writer.output)
  }

  /// Appends a packed run of whole numbers; nothing when there are none.
  package mutating func integers(_ field: Int, _ values: [Int]) {
    if values.isEmpty { return }
    var packed = WireWriter()
    for value in values { packed.varint(UInt64(bitPattern: Int64(value))) }
    bytes(field, packed.output)
  }

  /// Appends a packed run of floats; nothing when there are none.
  package mutating func floats(_ field: Int, _ values: [Float]) {
    if values.isEmpty { return }
    varint(UInt64(field) << 3 | 2)
    varint(UInt64(4 * values.count))
    words(values)
  }

  /// Appends floats, little-endian.
  package mutating func words(_ values: [Float]) {
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
