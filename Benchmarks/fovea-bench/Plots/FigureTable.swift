// Fovea - figures of a CSV file, by the names of its columns.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// Figures of a CSV file (RFC 4180; lines may end without a carriage return). The first line names
/// the columns.
package struct FigureTable {
  /// Why a table cannot be used.
  package struct Malformed: Error, CustomStringConvertible {
    package var description: String
  }

  /// One line; cells are reached by the names of their columns.
  package struct Row {
    fileprivate var cells: [String: String]
    /// The number of the record in its table, from 1 (the names).
    fileprivate var number: Int

    /// The text of a column.
    package func text(_ column: String) throws(Malformed) -> String {
      guard let text = cells[column], !text.isEmpty else {
        throw Malformed(description: "record \(number) has nothing in column '\(column)'")
      }
      return text
    }

    /// The number of a column, not negative.
    package func number(_ column: String) throws(Malformed) -> Double {
      let text = try text(column)
      guard let value = Double(text), value.isFinite, value >= 0 else {
        throw Malformed(description: "record \(number): \(column) is '\(text)'; expected a number")
      }
      return value
    }
  }

  package private(set) var rows: [Row] = []

  /// The rows of a CSV text.
  package init(csv text: String) throws(Malformed) {
    let records = Self.records(text)
    guard let names = records.first else { throw Malformed(description: "there is no line") }
    for (place, record) in records.enumerated().dropFirst() {
      guard record.count == names.count else {
        throw Malformed(
          description: "record \(place + 1) has \(record.count) cells; expected \(names.count)")
      }
      rows.append(
        Row(
          cells: Dictionary(zip(names, record), uniquingKeysWith: { first, _ in first }),
          number: place + 1))
    }
  }

  /// The rows of a file.
  ///
  /// - Throws: `CommandFailure`, which names the file.
  static func rows(ofFile path: String) throws(CommandFailure) -> [Row] {
    guard let text = TextFile.read(path) else { throw CommandFailure("\(path): cannot be read") }
    do throws(Malformed) { return try FigureTable(csv: text).rows } catch {
      throw CommandFailure("\(path): \(error)")
    }
  }

  private static func records(_ text: String) -> [[String]] {
    var records: [[String]] = []
    var (record, cell, isQuoted, wasQuote) = ([String](), "", false, false)
    func endRecord() {
      record.append(cell)
      if record != [""] { records.append(record) }
      (record, cell) = ([], "")
    }
    for scalar in text.unicodeScalars {
      if scalar == "\"" {
        // Two quotes inside quotes are one.
        if wasQuote { cell.unicodeScalars.append(scalar) }
        wasQuote = isQuoted
        isQuoted.toggle()
        continue
      }
      wasQuote = false
      switch scalar {
      case "," where !isQuoted:
        record.append(cell)
        cell = ""
      case "\r" where !isQuoted: break
      case "\n" where !isQuoted: endRecord()
      default: cell.unicodeScalars.append(scalar)
      }
    }
    if !cell.isEmpty || !record.isEmpty { endRecord() }
    return records
  }
}
