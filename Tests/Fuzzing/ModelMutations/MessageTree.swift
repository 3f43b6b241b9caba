// Fovea - a protocol buffers message as a tree, without knowing what its fields mean.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport

/// One field of a message.
struct MessageField {
  var number: Int
  var content: Content

  indirect enum Content {
    case integer(UInt64)
    case fixed32(UInt32)
    case fixed64(UInt64)
    /// Text, packed numbers, weights.
    case bytes([UInt8])
    case message(MessageTree)
  }
}

/// A message as a list of fields. Bytes that are a message when read as one are taken for one: text such as "9x" is, too, and loses
/// nothing by it, as every tree is written as it was read.
struct MessageTree {
  var fields: [MessageField]

  /// Reads a message; `nil` where the bytes are none, or would be written in another way.
  init?(_ bytes: ArraySlice<UInt8>) {
    fields = []
    var scanner = MessageScanner(rest: bytes)
    while !scanner.rest.isEmpty {
      guard let field = scanner.field() else { return nil }
      fields.append(field)
    }
    guard ArraySlice(self.bytes) == bytes else { return nil }
  }

  /// The message as it is in a file.
  var bytes: [UInt8] {
    var writer = ProtobufWriter()
    for field in fields { field.write(to: &writer) }
    return writer.bytes
  }
}

extension MessageField {
  func write(to writer: inout ProtobufWriter) {
    switch content {
    case .integer(let value):
      writer.tag(number, wire: 0)
      writer.varint(value)
    case .fixed64(let value):
      writer.tag(number, wire: 1)
      writer.fixed(value)
    case .fixed32(let value):
      writer.tag(number, wire: 5)
      writer.fixed(value)
    case .bytes(let bytes): writer.data(number, bytes)
    case .message(let message): writer.data(number, message.bytes)
    }
  }
}

private struct MessageScanner {
  var rest: ArraySlice<UInt8>

  mutating func field() -> MessageField? {
    guard let tag = varint(), let number = Int(exactly: tag >> 3), number > 0, number < 1 << 29
    else { return nil }
    switch tag & 7 {
    case 0: return varint().map { MessageField(number: number, content: .integer($0)) }
    case 1: return fixed(8).map { MessageField(number: number, content: .fixed64($0)) }
    case 5:
      return fixed(4).map { MessageField(number: number, content: .fixed32(UInt32($0))) }
    case 2:
      guard let count = varint(), count <= rest.count else { return nil }
      let part = rest.prefix(Int(count))
      rest = rest.dropFirst(Int(count))
      if let message = MessageTree(part) {
        return MessageField(number: number, content: .message(message))
      }
      return MessageField(number: number, content: .bytes(Array(part)))
    default: return nil
    }
  }

  private mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte < 0x80 { return value }
    }
    return nil
  }

  private mutating func fixed(_ count: Int) -> UInt64? {
    guard rest.count >= count else { return nil }
    let value = rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(count)
    return value
  }
}
