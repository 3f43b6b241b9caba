// Fovea - lines of numbers, as MOTChallenge's files have them.
// SPDX-License-Identifier: Apache-2.0

/// The lines of a text that states numbers, between which commas or spaces stand.
struct NumberLines {
  /// The numbers of the current line, all finite.
  private(set) var numbers: [Double] = []
  /// The number of the current line, counted from 1.
  private(set) var line = 0

  private let bytes: UnsafeRawBufferPointer
  private let name: String
  private var offset: Int

  /// A line of more numbers than this is an error.
  static let greatestCount = 64
  /// A number of more characters than this is an error.
  static let longestNumber = 64

  init(_ bytes: UnsafeRawBufferPointer, name: String) {
    self.bytes = bytes
    self.name = name
    offset = AnnotationFile.textStart(bytes)
  }

  /// Goes to the next line that is not empty; `false` after the last.
  ///
  /// - Throws: `.malformed` for what is no number.
  mutating func next() throws(EvaluationError) -> Bool {
    while offset < bytes.count {
      line += 1
      try readLine()
      if !numbers.isEmpty { return true }
    }
    return false
  }

  /// An error in the current line.
  func error(_ reason: String) -> EvaluationError {
    .malformed(path: name, place: .line(line), reason: reason)
  }

  private mutating func readLine() throws(EvaluationError) {
    numbers.removeAll(keepingCapacity: true)
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\n") {
        offset += 1
        return
      }
      guard !Self.separates(byte) else {
        offset += 1
        continue
      }
      let start = offset
      while offset < bytes.count, !Self.separates(bytes[offset]),
        bytes[offset] != UInt8(ascii: "\n")
      { offset += 1 }
      numbers.append(try number(start..<offset))
      guard numbers.count <= Self.greatestCount else {
        throw error("more than \(Self.greatestCount) numbers; write one box a line")
      }
    }
  }

  private func number(_ range: Range<Int>) throws(EvaluationError) -> Double {
    guard range.count <= Self.longestNumber else {
      throw error("a word of \(range.count) characters stands where a number is expected")
    }
    let word = String(decoding: bytes[range], as: UTF8.self)
    guard let number = Double(word), number.isFinite else {
      throw error("'\(word)' is no number; write numbers with commas between them")
    }
    return number
  }

  /// Commas, spaces, tabs, and the carriage returns of some systems.
  private static func separates(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
      || byte == UInt8(ascii: "\r")
  }
}
