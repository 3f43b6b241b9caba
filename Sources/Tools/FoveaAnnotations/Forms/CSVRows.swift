// Fovea - rows of a table in text.
// SPDX-License-Identifier: Apache-2.0

/// The rows of a table in text (RFC 4180), with commas, semicolons or tabs between their cells.
struct CSVRows {
  /// A row and the line that it begins in, from 1.
  struct Row {
    var line: Int
    var cells: [String]
  }

  static let greatestCell = 1 << 16

  private let bytes: UnsafeRawBufferPointer
  private let separator: UInt8
  private let file: String
  private var offset: Int
  private var line = 1

  init(_ bytes: UnsafeRawBufferPointer, file: String) {
    (self.bytes, self.file) = (bytes, file)
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let header = bytes[offset...].prefix { $0 != UInt8(ascii: "\n") }
    let separators = [",", ";", "\t"].map { (character: Unicode.Scalar) in UInt8(ascii: character) }
    separator =
      separators.max { one, other in
        header.count { $0 == one } < header.count { $0 == other }
      } ?? UInt8(ascii: ",")
  }

  /// The next row that is not empty; `nil` at the end.
  ///
  /// - Throws: `.malformed`.
  mutating func next() throws(AnnotationError) -> Row? {
    while offset < bytes.count {
      let start = line
      let cells = try nextCells()
      if cells.count > 1 || cells.first?.isEmpty == false { return Row(line: start, cells: cells) }
    }
    return nil
  }

  private mutating func nextCells() throws(AnnotationError) -> [String] {
    var cells: [String] = []
    while true {
      cells.append(try nextCell())
      guard offset < bytes.count else { return cells }
      let byte = bytes[offset]
      offset += 1
      if byte == separator {
        // A row may end behind a separator, at the end of the text.
        if offset == bytes.count { return cells + [""] }
        continue
      }
      if byte == UInt8(ascii: "\r"), offset < bytes.count, bytes[offset] == UInt8(ascii: "\n") {
        offset += 1
      }
      line += 1
      return cells
    }
  }

  /// A cell; `offset` is then at the separator, the end of the line, or the end of the text.
  private mutating func nextCell() throws(AnnotationError) -> String {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
      let start = offset
      while offset < bytes.count, bytes[offset] != separator, bytes[offset] != UInt8(ascii: "\n"),
        bytes[offset] != UInt8(ascii: "\r")
      {
        offset += 1
      }
      return try text(Array(bytes[start..<offset]))
    }
    offset += 1
    let start = line
    var cell: [UInt8] = []
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == UInt8(ascii: "\"") {
        guard offset < bytes.count, bytes[offset] == byte else { return try endOfQuoted(cell) }
        offset += 1
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
      cell.append(byte)
    }
    throw error("a quoted cell without an end", at: start)
  }

  private func endOfQuoted(_ cell: [UInt8]) throws(AnnotationError) -> String {
    guard
      offset == bytes.count || bytes[offset] == separator || bytes[offset] == UInt8(ascii: "\n")
        || bytes[offset] == UInt8(ascii: "\r")
    else { throw error("something stands behind a quoted cell", at: line) }
    return try text(cell)
  }

  private func text(_ bytes: [UInt8]) throws(AnnotationError) -> String {
    guard bytes.count <= Self.greatestCell else {
      throw error("a cell of more than \(Self.greatestCell) bytes", at: line)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw error("a cell is no text in UTF-8", at: line)
    }
    return text
  }

  func error(_ cause: String, at line: Int) -> AnnotationError {
    AnnotationError(
      .malformed, file, at: .line(line), cause, "repair the table, or export it again")
  }
}
