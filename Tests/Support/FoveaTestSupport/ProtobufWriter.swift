// Fovea - a small writer of protocol buffers messages, valid and hostile.
// SPDX-License-Identifier: Apache-2.0

/// Writes protocol buffers fields one after another.
///
/// With it tests build model files from the field numbers of the specification, and also files
/// that no library would write.
public struct ProtobufWriter {
  /// What has been written.
  public private(set) var bytes: [UInt8] = []

  /// Creates an empty message.
  public init() {}

  /// Creates a message and fills it.
  public init(_ fill: (inout ProtobufWriter) -> Void) {
    fill(&self)
  }

  /// Appends bytes as they are.
  public mutating func raw(_ raw: [UInt8]) {
    bytes += raw
  }

  /// Appends a number in groups of 7 bits, with at least `width` bytes.
  public mutating func varint(_ value: UInt64, width: Int = 1) {
    var left = value
    var written = 0
    repeat {
      let low = UInt8(left & 0x7F)
      left >>= 7
      written += 1
      bytes.append(left != 0 || written < width ? low | 0x80 : low)
    } while left != 0 || written < width
  }

  /// Appends the tag of a field.
  public mutating func tag(_ number: Int, wire: Int) {
    varint(UInt64(number) << 3 | UInt64(wire))
  }

  /// Appends an integer, a boolean or an enumeration.
  public mutating func integer(_ number: Int, _ value: Int, width: Int = 1) {
    tag(number, wire: 0)
    varint(UInt64(bitPattern: Int64(value)), width: width)
  }

  /// Appends a float.
  public mutating func float(_ number: Int, _ value: Float) {
    tag(number, wire: 5)
    fixed(value.bitPattern)
  }

  /// Appends a double.
  public mutating func double(_ number: Int, _ value: Double) {
    tag(number, wire: 1)
    fixed(value.bitPattern)
  }

  /// Appends a field with a length.
  public mutating func data(_ number: Int, _ content: [UInt8]) {
    tag(number, wire: 2)
    varint(UInt64(content.count))
    bytes += content
  }

  /// Appends a string.
  public mutating func string(_ number: Int, _ text: String) {
    data(number, Array(text.utf8))
  }

  /// Appends a message inside the message.
  public mutating func message(_ number: Int, _ fill: (inout ProtobufWriter) -> Void) {
    data(number, ProtobufWriter(fill).bytes)
  }

  /// Appends packed integers.
  public mutating func integers(_ number: Int, _ values: [Int]) {
    data(
      number,
      ProtobufWriter { writer in
        for value in values { writer.varint(UInt64(bitPattern: Int64(value))) }
      }.bytes)
  }

  /// Appends packed floats.
  public mutating func floats(_ number: Int, _ values: [Float]) {
    data(
      number,
      ProtobufWriter { writer in
        for value in values { writer.fixed(value.bitPattern) }
      }.bytes)
  }

  /// Appends a little-endian number of fixed size.
  public mutating func fixed(_ value: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
