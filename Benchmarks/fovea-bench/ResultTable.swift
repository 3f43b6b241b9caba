// Fovea - measured figures: one table for people, CSV and JSON.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// Measured figures in rows. Text, CSV and JSON come from here, so that they agree.
package struct ResultTable {
  /// A column: what JSON and CSV call it, and what the text calls it.
  package struct Column {
    package var key: String
    package var title: String
    /// Whether the text has the column, too.
    package var isInText: Bool

    package init(_ key: String, _ title: String? = nil, isInText: Bool = true) {
      self.key = key
      self.title = title ?? key
      self.isInText = isInText
    }
  }

  /// One figure.
  package enum Cell: Equatable {
    case text(String)
    case count(Int)
    /// A number, and how many digits after the point the text shows.
    case number(Double, digits: Int)
    /// A part of one, shown as percent.
    case share(Double)
    case none
  }

  package var name: String
  package var columns: [Column]
  package var rows: [[Cell]] = []

  package init(_ name: String, _ columns: [Column]) {
    self.name = name
    self.columns = columns
  }

  /// The table for people. Columns without any figure are left out.
  package var text: String {
    let shown = columns.indices.filter { column in
      columns[column].isInText && rows.contains { $0[column] != .none }
    }
    var table = TextTable(
      shown.map { column in
        let isText = rows.contains { if case .text = $0[column] { true } else { false } }
        return isText ? .left(columns[column].title) : .right(columns[column].title)
      })
    table.rows = rows.map { row in shown.map { row[$0].text } }
    return table.text()
  }

  /// The table as comma-separated values after RFC 4180, the first line naming the columns.
  package var csv: String {
    let lines =
      [columns.map { Self.quoted($0.key) }] + rows.map { $0.map { Self.quoted($0.plain) } }
    return lines.map { $0.joined(separator: ",") + "\r\n" }.joined()
  }

  private static func quoted(_ text: String) -> String {
    guard text.contains(where: { ",\"\r\n".contains($0) }) else { return text }
    return "\""
      + text.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}

extension ResultTable.Cell {
  /// For people.
  package var text: String {
    switch self {
    case .text(let text): text
    case .count(let count): String(count)
    case .number(let value, let digits): NumberText.fixed(value, digits: digits)
    case .share(let part): NumberText.percent(part)
    case .none: ""
    }
  }

  /// For programs: all digits, no units.
  package var plain: String {
    switch self {
    case .text(let text): text
    case .count(let count): String(count)
    case .number(let value, _), .share(let value): value.isFinite ? "\(value)" : ""
    case .none: ""
    }
  }
}

extension ResultTable: Encodable {
  /// A list of objects, keys as in CSV; figures that do not apply are left out.
  package func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for row in rows {
      var object = list.nestedContainer(keyedBy: Key.self)
      for (column, cell) in zip(columns, row) {
        let key = Key(stringValue: column.key)
        switch cell {
        case .text(let text): try object.encode(text, forKey: key)
        case .count(let count): try object.encode(count, forKey: key)
        case .number(let value, _), .share(let value):
          if value.isFinite { try object.encode(value, forKey: key) }
        case .none: break
        }
      }
    }
  }

  package struct Key: CodingKey {
    package var stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
  }
}
