// Fovea - the text of a program as tokens.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// A word of the text form of a program.
struct ProgramTextToken {
  /// What a token is.
  enum Kind: Equatable {
    /// A letter or "_", then letters, digits and "_".
    case name
    /// A sign or a digit, then what may belong to a number; it is not checked yet.
    case number
    /// Anything in quotes.
    case quoted
    /// "->".
    case arrow
    /// One character of punctuation.
    case mark(UInt8)
    /// Behind the last character.
    case end
  }

  let kind: Kind
  /// The bytes of the token, quotes included.
  let range: Range<Int>

  /// Whether the token is a mark.
  func isMark(_ mark: Unicode.Scalar) -> Bool { kind == .mark(UInt8(ascii: mark)) }
}

/// Splits the text of a program into tokens. It looks at every byte once.
struct ProgramTextScanner {
  let bytes: [UInt8]
  /// The token that has not been taken yet.
  private(set) var token = ProgramTextToken(kind: .end, range: 0..<0)
  private var position = 0

  /// Begins with the first token.
  init(_ bytes: [UInt8]) throws(ModelFormatError) {
    self.bytes = bytes
    try advance()
  }

  /// Takes a token.
  mutating func take() throws(ModelFormatError) -> ProgramTextToken {
    let taken = token
    try advance()
    return taken
  }

  /// The text of a token.
  func text(_ token: ProgramTextToken) -> String {
    String(decoding: bytes[token.range], as: UTF8.self)
  }

  /// Whether a token is a certain name.
  func isName(_ token: ProgramTextToken, _ name: StaticString) -> Bool {
    guard token.kind == .name, token.range.count == name.utf8CodeUnitCount else { return false }
    return name.withUTF8Buffer { $0.elementsEqual(bytes[token.range]) }
  }

  // MARK: Tokens

  private mutating func advance() throws(ModelFormatError) {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    let start = position
    guard position < bytes.count else {
      token = ProgramTextToken(kind: .end, range: start..<start)
      return
    }
    let kind: ProgramTextToken.Kind
    switch bytes[position] {
    case let byte where Self.isLetter(byte):
      repeat { position += 1 } while isNext { Self.isLetter($0) || Self.isDigit($0) }
      kind = .name
    case UInt8(ascii: "\""):
      try skipQuoted()
      kind = .quoted
    case UInt8(ascii: "-") where isAhead { $0 == UInt8(ascii: ">") }:
      position += 2
      kind = .arrow
    case let byte where Self.isDigit(byte) || Self.isSign(byte):
      skipNumber()
      kind = .number
    case let byte:
      position += 1
      kind = .mark(byte)
    }
    token = ProgramTextToken(kind: kind, range: start..<position)
  }

  /// Skips text in quotes; a backslash takes the next character's meaning away.
  private mutating func skipQuoted() throws(ModelFormatError) {
    let start = position
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    throw ModelFormatError(
      .truncated, byteOffset: start, found: "a text without an end", expected: "its last quote")
  }

  /// Skips the characters of a number; a sign belongs to it at the beginning, and behind the letter
  /// of an exponent.
  private mutating func skipNumber() {
    var isHexadecimal = false
    var previous = bytes[position]
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      if Self.isSign(byte) {
        let letter = isHexadecimal ? UInt8(ascii: "p") : UInt8(ascii: "e")
        guard previous | 0x20 == letter else { return }
      } else if !Self.isLetter(byte), !Self.isDigit(byte), byte != UInt8(ascii: ".") {
        return
      }
      if byte | 0x20 == UInt8(ascii: "x") { isHexadecimal = true }
      previous = byte
      position += 1
    }
  }

  private func isNext(_ condition: (UInt8) -> Bool) -> Bool {
    position < bytes.count && condition(bytes[position])
  }

  private func isAhead(_ condition: (UInt8) -> Bool) -> Bool {
    position + 1 < bytes.count && condition(bytes[position + 1])
  }

  // MARK: Characters

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isSign(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
  }
}

extension [UInt8] {
  /// The line and the column of an offset in a text, both counted from 1; columns in bytes.
  func linePosition(of offset: Int) -> (line: Int, column: Int) {
    let before = self[..<Swift.min(offset, count)]
    let newline = UInt8(ascii: "\n")
    let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
    return (before.count { $0 == newline } + 1, before.count - start + 1)
  }
}
