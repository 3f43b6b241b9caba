// Fovea - the few Python literals of a .npy header.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore

/// A value in a .npy header.
enum PythonLiteral: Equatable {
  case string(String)
  case boolean(Bool)
  case tuple([Int])
  /// A value of a kind that no header needs to have, such as the list of a record type.
  case other
}

/// Reads a dictionary of strings, booleans and tuples of integers, without recursion.
struct PythonLiteralScanner {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The whole dictionary. An entry that appears twice, or bytes after the end, are errors.
  mutating func dictionary() throws(FoveaError) -> [String: PythonLiteral] {
    var entries: [String: PythonLiteral] = [:]
    try expect("{")
    while !take("}") {
      let key = try string()
      try expect(":")
      let value = try literal()
      guard entries.updateValue(value, forKey: key) == nil else {
        throw NPYHeader.damaged("its header has '\(key)' twice")
      }
      // A list inside a value cannot be told apart further; the caller names the entry.
      if value == .other { return entries }
      if !take(",") {
        try expect("}")
        break
      }
    }
    skipSpaces()
    guard rest.isEmpty else { throw NPYHeader.damaged("its header goes on after the dictionary") }
    return entries
  }

  private mutating func literal() throws(FoveaError) -> PythonLiteral {
    skipSpaces()
    switch rest.first {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "("): return .tuple(try tuple())
    case UInt8(ascii: "T"):
      try word("True")
      return .boolean(true)
    case UInt8(ascii: "F"):
      try word("False")
      return .boolean(false)
    default: return .other
    }
  }

  private mutating func string() throws(FoveaError) -> String {
    skipSpaces()
    guard let quote = rest.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""),
      let end = rest.dropFirst().firstIndex(of: quote)
    else { throw NPYHeader.damaged("its header lacks a quoted word") }
    let text = String(decoding: rest[rest.startIndex + 1..<end], as: UTF8.self)
    rest = rest[(end + 1)...]
    return text
  }

  private mutating func tuple() throws(FoveaError) -> [Int] {
    var values: [Int] = []
    try expect("(")
    while !take(")") {
      values.append(try integer())
      if !take(",") {
        try expect(")")
        break
      }
    }
    return values
  }

  private mutating func integer() throws(FoveaError) -> Int {
    skipSpaces()
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard let value = Int(String(decoding: digits, as: UTF8.self)) else {
      throw NPYHeader.damaged("its shape holds something that is no size")
    }
    rest = rest[digits.endIndex...]
    _ = rest.first == UInt8(ascii: "L") ? rest.popFirst() : nil  // written by Python 2
    return value
  }

  private mutating func word(_ word: StaticString) throws(FoveaError) {
    let bytes = Array("\(word)".utf8)
    guard rest.starts(with: bytes) else {
      throw NPYHeader.damaged("its header lacks the word \(word)")
    }
    rest = rest.dropFirst(bytes.count)
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(FoveaError) {
    guard take(character) else {
      throw NPYHeader.damaged("its header lacks '\(character)'")
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func skipSpaces() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
  }
}
