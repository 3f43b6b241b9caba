// Fovea - a kind of measured figures that becomes a plot and a table.
// SPDX-License-Identifier: Apache-2.0

/// Figures of one kind, from the CSV files that the measuring commands write. The plot and the
/// Markdown table come from the same figures, so they cannot disagree.
package protocol FigureReport {
  /// Reads figures, in the order in which they are to appear.
  init(_ rows: [FigureTable.Row]) throws(FigureTable.Malformed)
  /// The plot as an SVG file.
  var svg: String { get }
  /// The same figures as Markdown tables.
  var markdown: String { get }
}

extension Sequence where Element: Hashable {
  /// The elements without those that came before.
  var withoutRepetition: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

/// The lines of a Markdown table.
func markdownTable(_ header: [String], _ rows: [[String]]) -> String {
  let rule = "|" + String(repeating: "---|", count: header.count) + "\n"
  let lines = ([header] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }
  return lines[0] + rule + lines.dropFirst().joined()
}
