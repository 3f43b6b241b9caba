// Fovea - a name in quotes.
// SPDX-License-Identifier: Apache-2.0

/// A text as JSON or Python write it: quotes around it, and a backslash before what is not itself.
package struct WrittenName {
  package let text: String

  /// Takes a name off the front; `nil` where none begins there, or it does not end.
  package init?(_ rest: inout Substring) {
    guard let quote = rest.unicodeScalars.first, quote == "'" || quote == "\"" else { return nil }
    var scalars = rest.unicodeScalars.dropFirst()
    var units: [UInt16] = []
    while let scalar = scalars.popFirst() {
      if scalar == quote {
        text = String(decoding: units, as: UTF16.self)
        rest = Substring(scalars)
        return
      }
      if scalar == "\\" {
        guard let escaped = Self.escaped(&scalars) else { return nil }
        units += escaped
      } else {
        units += Array(UTF16.encode(scalar).map { Array($0) } ?? [])
      }
    }
    return nil
  }

  /// Numbered names as a dictionary of Python, which allows commas in them.
  package static func dictionary(_ names: [String]) -> String {
    let entries = names.enumerated().map { "\($0): \(quoted($1))" }
    return "{\(entries.joined(separator: ", "))}"
  }

  /// A text in quotes, as Python reads it.
  private static func quoted(_ text: String) -> String {
    // The quote that a name has is not the one around it.
    let quote: Unicode.Scalar = text.unicodeScalars.contains("'") ? "\"" : "'"
    var quoted = String.UnicodeScalarView()
    quoted.append(quote)
    for scalar in text.unicodeScalars {
      if scalar == "\\" || scalar == quote { quoted.append("\\") }
      if scalar == "\n" { quoted += "\\n".unicodeScalars } else { quoted.append(scalar) }
    }
    quoted.append(quote)
    return String(quoted)
  }

  private static func escaped(_ scalars: inout Substring.UnicodeScalarView) -> [UInt16]? {
    guard let letter = scalars.popFirst() else { return nil }
    switch letter {
    case "n": return [10]
    case "r": return [13]
    case "t": return [9]
    case "b": return [8]
    case "f": return [12]
    case "x": return number(&scalars, digits: 2)
    case "u": return number(&scalars, digits: 4)
    case "U": return number(&scalars, digits: 8)
    default: return UTF16.encode(letter).map { Array($0) }
    }
  }

  /// A number of hexadecimal digits: a unit of UTF-16, of which JSON writes two for rare characters.
  private static func number(
    _ scalars: inout Substring.UnicodeScalarView, digits: Int
  ) -> [UInt16]? {
    let text = String(Substring(scalars.prefix(digits)))
    guard text.unicodeScalars.count == digits, let value = UInt32(text, radix: 16) else {
      return nil
    }
    scalars = scalars.dropFirst(digits)
    if value <= 0xFFFF { return [UInt16(value)] }
    return Unicode.Scalar(value).flatMap { UTF16.encode($0) }.map { Array($0) }
  }
}
