// Fovea - escapes in texts of JSON.
// SPDX-License-Identifier: Apache-2.0

/// Escapes in texts of JSON: a backslash and what follows it.
enum JSONEscapes {
  /// How many bytes after the backslash belong to the escape, or `nil` for an unknown one.
  static func length(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let first = bytes.first else { return nil }
    if first == UInt8(ascii: "u") { return codeUnit(bytes.dropFirst()) == nil ? nil : 5 }
    return plain(first) == nil ? nil : 1
  }

  /// The text without escapes, or `nil` where half of a surrogate pair stands. The escapes have been
  /// checked.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard let kind = rest.popFirst() else { return nil }
      if let character = plain(kind) {
        text.append(character)
      } else {
        guard let scalar = scalar(&rest) else { return nil }
        text += Array(String(Character(scalar)).utf8)
      }
    }
    return text
  }

  /// The character of one or two `\u` escapes, after the first `\u`.
  private static func scalar(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Unicode.Scalar? {
    guard let first = codeUnit(rest) else { return nil }
    rest = rest.dropFirst(4)
    guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
    guard rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]),
      let second = codeUnit(rest.dropFirst(2)), (0xDC00..<0xE000).contains(second)
    else { return nil }
    rest = rest.dropFirst(6)
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  /// The number of four hexadecimal digits.
  private static func codeUnit(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt32? {
    let digits = bytes.prefix(4)
    guard digits.count == 4 else { return nil }
    var number: UInt32 = 0
    for digit in digits {
      switch digit {
      case 0x30...0x39: number = number << 4 | UInt32(digit - 0x30)
      case 0x41...0x46: number = number << 4 | UInt32(digit - 0x41 + 10)
      case 0x61...0x66: number = number << 4 | UInt32(digit - 0x61 + 10)
      default: return nil
      }
    }
    return number
  }

  /// What a letter after a backslash stands for.
  private static func plain(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }
}
