// Fovea - protocol buffers messages with some fields changed.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// What becomes of a field.
package enum FieldChange {
  /// It stays byte for byte.
  case kept
  case dropped
  /// A message, text or run of bytes in its place.
  case replaced([UInt8])
}

extension ProtobufMessage {
  /// The message with the content of every singular message among `fields` edited.
  ///
  /// Pieces of one message mean the same as their concatenation; they are written where the last of
  /// them stood, since among alternatives the last one counts. Of alternatives only the one that counts is
  /// edited.
  package func edited(
    fields: [Int],
    _ edit: (Int, ProtobufMessage) throws(ModelFormatError) -> [UInt8]
  ) throws(ModelFormatError) -> [UInt8] {
    let wanted = Set(fields)
    var pieces: [Int: ProtobufMessage] = [:]
    var lastPiece: [Int: Int] = [:]
    try walk { (_, field) in
      guard let field, field.wire == .bytes, wanted.contains(field.number) else { return }
      lastPiece[field.number] = field.offset
      if pieces[field.number] == nil {
        pieces[field.number] = ProtobufMessage(file: file, range: field.payload)
      } else {
        pieces[field.number]?.merge(field.payload)
      }
    }
    var contents: [Int: [UInt8]] = [:]
    for (number, content) in pieces.sorted(by: { $0.key < $1.key }) {
      contents[number] = try edit(number, content)
    }
    var output = WireWriter()
    try walk { (bytes, field) in
      guard let field, field.wire == .bytes, let content = contents[field.number] else {
        return output.raw(file[bytes])
      }
      if lastPiece[field.number] == field.offset { output.bytes(field.number, content) }
    }
    return output.output
  }

  /// The message with the messages of the repeated field `number` edited, which are counted from 0.
  package func edited(
    repeated number: Int,
    _ edit: (Int, ProtobufMessage) throws(ModelFormatError) -> FieldChange
  ) throws(ModelFormatError) -> [UInt8] {
    var changes: [FieldChange] = []
    for (index, element) in try elements(number).enumerated() {
      changes.append(try edit(index, element))
    }
    var output = WireWriter()
    var index = 0
    try walk { (bytes, field) in
      guard let field, field.wire == .bytes, field.number == number else {
        return output.raw(file[bytes])
      }
      switch changes[index] {
      case .kept: output.raw(file[bytes])
      case .dropped: break
      case .replaced(let content): output.bytes(number, content)
      }
      index += 1
    }
    return output.output
  }

  /// The messages, texts or bytes of a repeated field.
  package func elements(_ number: Int) throws(ModelFormatError) -> [ProtobufMessage] {
    var elements: [ProtobufMessage] = []
    try walk { (_, field) in
      if let field, field.wire == .bytes, field.number == number {
        elements.append(ProtobufMessage(file: file, range: field.payload))
      }
    }
    return elements
  }

  /// The singular message `number`, its pieces merged; `nil` where it is absent.
  package func content(_ number: Int) throws(ModelFormatError) -> ProtobufMessage? {
    let pieces = try elements(number)
    guard var content = pieces.first else { return nil }
    for piece in pieces.dropFirst() { content.merge(piece.first) }
    return content
  }

  /// The text of a field, of which the last one counts; empty where it is absent.
  package func text(_ number: Int) throws(ModelFormatError) -> String {
    guard let last = try elements(number).last else { return "" }
    return String(decoding: file[last.first], as: UTF8.self)
  }

  /// Calls `visit` for the bytes of every field, tag included, in order; for groups, which the cursor
  /// skips, with their bytes and no field.
  package func walk(
    _ visit: (Range<Int>, ProtobufField?) -> Void
  ) throws(ModelFormatError) {
    for piece in [first] + rest {
      var position = piece.lowerBound
      var cursor = ProtobufCursor(ProtobufMessage(file: file, range: piece))
      while let field = try cursor.next() {
        if field.offset > position { visit(position..<field.offset, nil) }
        visit(field.offset..<field.payload.upperBound, field)
        position = field.payload.upperBound
      }
      if position < piece.upperBound { visit(position..<piece.upperBound, nil) }
    }
  }
}
