// Fovea - JSON of annotations: its parsing, and numbers and texts in it.
// SPDX-License-Identifier: Apache-2.0
package import FoveaJSON

/// JSON of annotations.
package enum JSONAnnotations {
  /// Parses a whole document, behind the mark that says UTF-8, which some editors write.
  package static func parse(
    _ bytes: UnsafeRawBufferPointer, file: String,
    _ body: (inout JSONPullParser) throws(JSONError) -> Void
  ) throws(AnnotationError) {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    do throws(JSONError) {
      var parser = JSONPullParser(UnsafeRawBufferPointer(rebasing: bytes[start...]))
      try body(&parser)
      try parser.finish()
    } catch {
      throw AnnotationError(
        .malformed, file, at: .byte(start + error.offset), error.reason,
        "repair the file, or export it again")
    }
  }
}

extension JSONPullParser {
  /// Reads a number that tells where something is.
  mutating func readCoordinate() throws(JSONError) -> Double {
    if textFollows() { throw error("a string where a number stands") }
    return try readNumber().double
  }

  /// Reads `[x, y, width, height]`.
  package mutating func readFourNumbers() throws(JSONError) -> (Double, Double, Double, Double) {
    var numbers = (0.0, 0.0, 0.0, 0.0)
    var count = 0
    try readArray { parser throws(JSONError) in
      let number = try parser.readCoordinate()
      switch count {
      case 0: numbers.0 = number
      case 1: numbers.1 = number
      case 2: numbers.2 = number
      case 3: numbers.3 = number
      default: throw parser.error("a box of more than four numbers")
      }
      count += 1
    }
    guard count == 4 else {
      throw error("a box of \(count) numbers; expected [x, y, width, height]")
    }
    return numbers
  }

  /// Reads `[[x, y], ...]`.
  mutating func readPoints() throws(JSONError) -> [(x: Double, y: Double)] {
    var points: [(x: Double, y: Double)] = []
    try readArray { parser throws(JSONError) in
      var numbers: [Double] = []
      try parser.readArray { parser throws(JSONError) in
        numbers.append(try parser.readCoordinate())
      }
      guard numbers.count >= 2 else { throw parser.error("a point of \(numbers.count) numbers") }
      points.append((numbers[0], numbers[1]))
    }
    return points
  }

  /// Reads an array of numbers.
  mutating func readCoordinates() throws(JSONError) -> [Double] {
    var numbers: [Double] = []
    try readArray { parser throws(JSONError) in numbers.append(try parser.readCoordinate()) }
    return numbers
  }

  /// Reads an array of texts.
  mutating func readTexts() throws(JSONError) -> [String] {
    var texts: [String] = []
    try readArray { parser throws(JSONError) in texts.append(try parser.readText()) }
    return texts
  }

  /// Reads `0`, `1`, `false` or `true`.
  mutating func readFlag() throws(JSONError) -> Bool {
    guard numberFollows() else { return try readBoolean() }
    let start = offset
    let number = try readInteger()
    guard number == 0 || number == 1 else { throw error("expected 0 or 1", at: start) }
    return number == 1
  }

  /// Reads a value that may be `null`.
  mutating func unlessNull<Value>(
    _ read: (inout JSONPullParser) throws(JSONError) -> Value
  ) throws(JSONError) -> Value? {
    try takeNull() ? nil : read(&self)
  }

  /// Reads a text, or passes over what is none.
  mutating func readTextIfAny() throws(JSONError) -> String? {
    if textFollows() { return try readText() }
    try skipValue()
    return nil
  }

  /// Reads a number, or passes over what is none.
  mutating func readNumberIfAny() throws(JSONError) -> Double? {
    if numberFollows() { return try readNumber().double }
    try skipValue()
    return nil
  }
}
