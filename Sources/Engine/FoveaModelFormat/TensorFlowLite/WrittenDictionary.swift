// Fovea - a dictionary written as text.
// SPDX-License-Identifier: Apache-2.0

/// The entries of a dictionary that is written as JSON or as Python writes it; inner lists and
/// dictionaries stay text.
///
///     {"task": "detect", "names": {"0": "person"}}   ->   task: detect, names: {"0": "person"}
package struct WrittenDictionary {
  package private(set) var entries: [String: String] = [:]

  package init(_ text: String) {
    let characters = Array(text.utf8)
    guard let start = characters.firstIndex(of: UInt8(ascii: "{")) else { return }
    var depth = 0
    var quote: UInt8?
    var isEscaped = false
    var key: String?
    var piece: [UInt8] = []
    for character in characters[(start + 1)...] {
      if let open = quote {
        piece.append(character)
        if isEscaped {
          isEscaped = false
        } else if character == UInt8(ascii: "\\") {
          isEscaped = true
        } else if character == open {
          quote = nil
        }
        continue
      }
      switch character {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = character
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "}") where depth > 0: depth -= 1
      case UInt8(ascii: ":") where depth == 0 && key == nil:
        key = Self.word(piece)
        piece = []
        continue
      case UInt8(ascii: ",") where depth == 0, UInt8(ascii: "}"):
        if let key { entries[key] = Self.word(piece) }
        if character == UInt8(ascii: "}") { return }
        (key, piece) = (nil, [])
        continue
      default: break
      }
      piece.append(character)
    }
  }

  /// A text without blanks around it and without its quotes.
  private static func word(_ bytes: [UInt8]) -> String {
    var text = String(decoding: bytes, as: UTF8.self)[...]
    text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    if let quote = text.first, quote == "\"" || quote == "'", text.count >= 2, text.last == quote {
      text = text.dropFirst().dropLast()
    }
    return String(text)
  }
}
