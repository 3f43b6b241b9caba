// Fovea - a protocol buffers message as ranges of a file.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// A message: ranges of the file's bytes, read one after another.
///
/// A message may be given in several pieces, which mean the same as their concatenation; so
/// merging is appending a range, and nothing is copied.
package struct ProtobufMessage: Sendable {
  package let file: [UInt8]
  package private(set) var first: Range<Int>
  package private(set) var rest: [Range<Int>] = []

  /// The message that is the whole file.
  package init(file: [UInt8]) {
    self.init(file: file, range: file.indices)
  }

  package init(file: [UInt8], range: Range<Int>) {
    self.file = file
    self.first = range
  }

  /// Where the message begins, for error messages.
  package var offset: Int { first.lowerBound }

  package mutating func merge(_ piece: Range<Int>) {
    rest.append(piece)
  }
}

/// One field of a message, with what its wire type carries.
package struct ProtobufField {
  package let number: Int
  package let wire: Wire
  /// Where the field's tag begins.
  package let offset: Int
  /// The value's bytes, without a length before them.
  package let payload: Range<Int>
  let file: [UInt8]

  package enum Wire: Equatable {
    case varint(UInt64)
    case fixed32(UInt32)
    case fixed64(UInt64)
    case bytes
  }
}

/// Walks over the fields of a message, skipping groups.
package struct ProtobufCursor {
  private let file: [UInt8]
  private var position: Int
  private var end: Int
  private let rest: [Range<Int>]
  private var nextPiece = 0

  /// Groups inside groups; protocol buffers libraries stop at 100 as well.
  private static let groupDepth = 100

  package init(_ message: ProtobufMessage) {
    file = message.file
    position = message.first.lowerBound
    end = message.first.upperBound
    rest = message.rest
  }

  /// The next field, or `nil` at the end of the message.
  package mutating func next() throws(ModelFormatError) -> ProtobufField? {
    while true {
      while position == end {
        guard nextPiece < rest.count else { return nil }
        position = rest[nextPiece].lowerBound
        end = rest[nextPiece].upperBound
        nextPiece += 1
      }
      let start = position
      let (number, wireType) = try tag()
      switch wireType {
      case 3: try skipGroup(number, from: start)
      case 4:
        throw malformed(start, found: "the end of a group that never began", expected: "a field")
      default: return try value(number, wireType, from: start)
      }
    }
  }

  private mutating func value(
    _ number: Int, _ wireType: Int, from start: Int
  ) throws(ModelFormatError) -> ProtobufField {
    let before = position
    switch wireType {
    case 0:
      let value = try varint()
      return field(number, .varint(value), start, before..<position)
    case 1:
      let payload = try take(8, from: start)
      return field(number, .fixed64(file.littleEndian(at: payload.lowerBound)), start, payload)
    case 2:
      let length = try varint()
      return field(number, .bytes, start, try take(length, from: start))
    case 5:
      let payload = try take(4, from: start)
      return field(number, .fixed32(file.littleEndian(at: payload.lowerBound)), start, payload)
    default:
      throw malformed(start, found: "wire type \(wireType)", expected: "0 to 5")
    }
  }

  private func field(
    _ number: Int, _ wire: ProtobufField.Wire, _ start: Int, _ payload: Range<Int>
  ) -> ProtobufField {
    ProtobufField(number: number, wire: wire, offset: start, payload: payload, file: file)
  }

  /// Skips a group, which may hold other groups, without recursion.
  private mutating func skipGroup(
    _ number: Int, from start: Int
  ) throws(ModelFormatError) {
    var open = [number]
    while let innermost = open.last {
      let fieldStart = position
      guard position < end else {
        throw malformed(start, found: "a group that does not end", expected: "its end")
      }
      let (number, wireType) = try tag()
      if wireType == 3 {
        guard open.count < Self.groupDepth else {
          throw malformed(
            start, found: "more than \(Self.groupDepth) groups inside each other",
            expected: "fewer")
        }
        open.append(number)
      } else if wireType == 4 {
        guard number == innermost else {
          throw malformed(
            fieldStart, found: "the end of group \(number)", expected: "that of \(innermost)")
        }
        open.removeLast()
      } else {
        _ = try value(number, wireType, from: fieldStart)
      }
    }
  }

  private mutating func tag() throws(ModelFormatError) -> (number: Int, wireType: Int) {
    let start = position
    let tag = try varint()
    guard tag >> 3 >= 1, tag <= UInt64(UInt32.max) else {
      throw malformed(start, found: "field number \(tag >> 3)", expected: "1 to 536870911")
    }
    return (Int(tag >> 3), Int(tag & 7))
  }

  /// A number in groups of 7 bits, least significant first, in at most 10 bytes.
  private mutating func varint() throws(ModelFormatError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    let start = position
    while position < end {
      let byte = file[position]
      position += 1
      value |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return value }
      shift += 7
      guard shift < 70 else {
        throw malformed(start, found: "a number of more than 10 bytes", expected: "at most 10")
      }
    }
    throw truncated(start, found: "the end inside a number", expected: "its last byte")
  }

  private mutating func take(
    _ length: UInt64, from start: Int
  ) throws(ModelFormatError) -> Range<Int> {
    let left = end - position
    guard length <= UInt64(left) else {
      throw truncated(
        start, found: "a field of \(length) bytes", expected: "at most \(left), which are left")
    }
    let payload = position..<position + Int(length)
    position = payload.upperBound
    return payload
  }

  private func malformed(
    _ offset: Int, found: String, expected: String
  ) -> ModelFormatError {
    ModelFormatError(.malformedEncoding, byteOffset: offset, found: found, expected: expected)
  }

  private func truncated(
    _ offset: Int, found: String, expected: String
  ) -> ModelFormatError {
    ModelFormatError(.truncated, byteOffset: offset, found: found, expected: expected)
  }
}

extension [UInt8] {
  /// The little-endian number at an offset.
  func littleEndian<Number: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Number {
    var value: Number = 0
    for index in 0..<MemoryLayout<Number>.size {
      value |= Number(self[offset + index]) << (8 * index)
    }
    return value
  }
}
