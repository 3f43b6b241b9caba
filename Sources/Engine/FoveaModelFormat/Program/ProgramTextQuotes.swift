// Fovea - quoted texts in the text of a program.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension ProgramTextReader {
  /// The text between the quotes of a token.
  ///
  /// Only `\"` and `\\` were seen; the other escapes are those of C.
  func unquoted(_ token: ProgramTextToken) throws(ModelFormatError) -> String {
    let content = scanner.bytes[token.range].dropFirst().dropLast()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.count)
    var position = content.startIndex
    while position < content.endIndex {
      let byte = content[position]
      position += 1
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      let start = position - 1
      guard let escaped = Self.escaped(content, &position) else {
        throw ModelFormatError(
          .malformedEncoding, byteOffset: start, found: "an unknown escape in a text",
          expected: #"one of \" \\ \' \n \r \t, \x and two hexadecimal digits, or octal digits"#)
      }
      bytes.append(escaped)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ModelFormatError(
        .malformedEncoding, byteOffset: token.range.lowerBound, found: "text that is not UTF-8",
        expected: "UTF-8")
    }
    return text
  }

  /// The byte that stands behind a backslash; `nil` for unknown escapes.
  private static func escaped(_ content: ArraySlice<UInt8>, _ position: inout Int) -> UInt8? {
    guard position < content.endIndex else { return nil }
    let byte = content[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "'"): return byte
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "x"):
      let digits = content[position...].prefix(2).prefix {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20)
      }
      return number(digits, radix: 16, &position)
    case 0x30...0x37:
      position -= 1
      let digits = content[position...].prefix(3).prefix { (0x30...0x37).contains($0) }
      return number(digits, radix: 8, &position)
    default: return nil
    }
  }

  private static func number(
    _ digits: ArraySlice<UInt8>, radix: Int, _ position: inout Int
  ) -> UInt8? {
    position = digits.endIndex
    return UInt8(String(decoding: digits, as: UTF8.self), radix: radix)
  }
}
