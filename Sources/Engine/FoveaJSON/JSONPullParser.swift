// Fovea - a strict reader of JSON that keeps nothing.
// SPDX-License-Identifier: Apache-2.0
//
// Why not a library: annotation files are large (448 MiB for COCO's training set) and nine tenths of
// them are outlines that nobody asks for here. Parsers that make a tree, as jansson does, need several
// times the file's size for it. This one reads a file where it is mapped, hands out what is asked for
// and checks the rest on the way past.

/// What is wrong with a document, and where.
package struct JSONError: Error {
  /// Bytes before it.
  package var offset: Int
  /// What was expected.
  package var reason: String

  /// An error at a place.
  package init(offset: Int, reason: String) { (self.offset, self.reason) = (offset, reason) }
}

/// Reads a JSON document (RFC 8259) from its beginning to its end, as its caller asks for values.
///
/// The whole document is checked, also what is skipped: only UTF-8 is checked in texts that are asked
/// for and nowhere else. The bytes must outlive the parser.
package struct JSONPullParser {
  /// Arrays and objects inside each other; annotation files need five.
  static let greatestDepth = 64

  private let bytes: UnsafeRawBufferPointer
  package private(set) var offset = 0
  private var depth = 0

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// An error at the current place, or at another.
  package func error(_ reason: String, at offset: Int? = nil) -> JSONError {
    JSONError(offset: offset ?? self.offset, reason: reason)
  }

  // MARK: Structure

  /// Reads an object: `member` is called with each key and must read or skip the value.
  package mutating func readObject(
    _ member: (inout JSONPullParser, JSONKey) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard take(UInt8(ascii: "{")) else { throw error("expected an object") }
    try enter()
    if !take(UInt8(ascii: "}")) {
      repeat {
        let key = JSONKey(try readRawText("expected a key in quotes"))
        guard take(UInt8(ascii: ":")) else { throw error("expected ':'") }
        try member(&self, key)
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw error("expected ',' or '}'") }
    }
    depth -= 1
  }

  /// Reads an array: `element` is called for each element and must read or skip it.
  package mutating func readArray(
    _ element: (inout JSONPullParser) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard take(UInt8(ascii: "[")) else { throw error("expected an array") }
    try enter()
    if !take(UInt8(ascii: "]")) {
      repeat { try element(&self) } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw error("expected ',' or ']'") }
    }
    depth -= 1
  }

  /// Passes over a value of any kind.
  package mutating func skipValue() throws(JSONError) {
    switch peek() {
    case UInt8(ascii: "{"):
      try readObject { parser, _ throws(JSONError) in try parser.skipValue() }
    case UInt8(ascii: "["):
      try readArray { parser throws(JSONError) in try parser.skipValue() }
    case UInt8(ascii: "\""): _ = try readRawText("expected a text")
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try readBoolean()
    case UInt8(ascii: "n"):
      guard try takeNull() else { throw error("expected a value") }
    default: _ = try readNumber()
    }
  }

  /// Makes sure that nothing follows.
  package mutating func finish() throws(JSONError) {
    if peek() != nil { throw error("expected the end of the document") }
  }

  // MARK: Values

  /// Reads a number.
  package mutating func readNumber() throws(JSONError) -> JSONNumber {
    _ = peek()
    let start = offset
    guard let (number, length) = JSONNumber.read(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    else { throw error("expected a number that a double can hold") }
    offset += length
    return number
  }

  /// Reads a whole number, which may be written as a fraction: 12.0.
  package mutating func readInteger() throws(JSONError) -> Int {
    _ = peek()
    let start = offset
    guard let integer = try readNumber().integer else {
      throw error("expected a whole number", at: start)
    }
    return integer
  }

  /// Reads `true`, `false`.
  package mutating func readBoolean() throws(JSONError) -> Bool {
    if try takeWord("true") { return true }
    if try takeWord("false") { return false }
    throw error("expected true or false")
  }

  /// Reads a text.
  package mutating func readText() throws(JSONError) -> String {
    _ = peek()
    let start = offset
    let raw = try readRawText("expected a text")
    let decoded = raw.hasEscapes ? JSONEscapes.decode(raw.bytes) : Array(raw.bytes)
    guard let decoded, let text = String(validating: decoded, as: UTF8.self) else {
      throw error("the text is no UTF-8, or half of a surrogate pair", at: start)
    }
    return text
  }

  /// Passes over `null`; `false` where something else stands.
  package mutating func takeNull() throws(JSONError) -> Bool { try takeWord("null") }

  /// Whether a number comes next.
  package mutating func numberFollows() -> Bool {
    guard let byte = peek() else { return false }
    return byte == UInt8(ascii: "-") || isDigit(byte)
  }

  /// Whether a text comes next.
  package mutating func textFollows() -> Bool { peek() == UInt8(ascii: "\"") }

  /// Whether an object comes next.
  package mutating func objectFollows() -> Bool { peek() == UInt8(ascii: "{") }

  /// Whether an array comes next.
  package mutating func arrayFollows() -> Bool { peek() == UInt8(ascii: "[") }

  // MARK: Bytes

  /// The next byte that is no space.
  private mutating func peek() -> UInt8? {
    while offset < bytes.count {
      let byte = bytes[offset]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      offset += 1
    }
    return nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    offset += 1
    return true
  }

  private mutating func enter() throws(JSONError) {
    depth += 1
    guard depth <= Self.greatestDepth else {
      throw error("more than \(Self.greatestDepth) arrays and objects inside each other")
    }
  }

  private mutating func takeWord(_ word: StaticString) throws(JSONError) -> Bool {
    guard let first = peek(), first == word.utf8Start.pointee else { return false }
    let count = word.utf8CodeUnitCount
    guard bytes.count - offset >= count,
      bytes[offset..<offset + count].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: count))
    else { throw error("expected \(word)") }
    offset += count
    return true
  }

  /// The bytes between quotes, as they stand; escapes are checked, and not replaced.
  private mutating func readRawText(_ expectation: String) throws(JSONError) -> RawText {
    guard take(UInt8(ascii: "\"")) else { throw error(expectation) }
    let start = offset
    var hasEscapes = false
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        let text = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
        offset += 1
        return RawText(bytes: text, hasEscapes: hasEscapes)
      }
      guard byte >= 0x20 else { throw error("a control character in a text") }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        let rest = UnsafeRawBufferPointer(rebasing: bytes[(offset + 1)...])
        guard let length = JSONEscapes.length(rest) else { throw error("an unknown escape") }
        offset += length
      }
      offset += 1
    }
    throw error("a text without an end", at: start - 1)
  }

  /// A text as it stands in the document.
  struct RawText {
    var bytes: UnsafeRawBufferPointer
    var hasEscapes: Bool
  }
}

/// The key of a member, comparable with a literal: `case "bbox":`.
package struct JSONKey {
  private let raw: JSONPullParser.RawText

  fileprivate init(_ raw: JSONPullParser.RawText) { self.raw = raw }

  /// The key as text, its escapes replaced; `nil` where it is no text.
  package var text: String? {
    let bytes = raw.hasEscapes ? JSONEscapes.decode(raw.bytes) : Array(raw.bytes)
    return bytes.flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Whether the key, its escapes replaced, is `literal`.
  package static func ~= (literal: StaticString, key: JSONKey) -> Bool {
    let literal = UnsafeBufferPointer(
      start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    if key.raw.hasEscapes {
      return JSONEscapes.decode(key.raw.bytes)?.elementsEqual(literal) ?? false
    }
    return key.raw.bytes.count == literal.count && key.raw.bytes.elementsEqual(literal)
  }
}

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
