// Fovea - columns of text.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// A table for people: a title for each column, then rows.
package struct TextTable {
  /// A column's title and whether its cells are pushed to the right, as numbers are.
  package struct Column {
    var title: String
    var alignsRight = false

    package static func left(_ title: String) -> Column { Column(title: title) }
    package static func right(_ title: String) -> Column { Column(title: title, alignsRight: true) }
  }

  package var columns: [Column]
  package var rows: [[String]] = []

  package init(_ columns: [Column]) { self.columns = columns }

  /// The lines of the table, each ended by a newline and begun by `indentation` spaces.
  package func text(indentation: Int = 0) -> String {
    let lines = [columns.map(\.title)] + rows.map { $0.map(\.printable) }
    let widths = columns.indices.map { column in
      lines.map { $0[column].count }.max() ?? 0
    }
    return lines.map { line in
      var text = String(repeating: " ", count: indentation)
      for (index, cell) in line.enumerated() {
        let gap = String(repeating: " ", count: widths[index] - cell.count)
        text += (index == 0 ? "" : "  ") + (columns[index].alignsRight ? gap + cell : cell + gap)
      }
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }.joined()
  }
}
