// Fovea - names and what they mean, in two columns that fit a terminal.
// SPDX-License-Identifier: Apache-2.0

/// Names and what they mean, in two columns that fit a terminal.
enum HelpColumns {
  /// Columns of a line.
  private static let lineWidth = 100

  /// Lines of two columns; what a name means goes on in its column.
  ///
  /// - Parameter widestName: A longer name has a line of its own.
  static func text(_ entries: [(name: String, help: String)], widestName: Int) -> String {
    let fitting = entries.map(\.name.count).filter { $0 <= widestName }
    let indent = 2 + (fitting.max() ?? 0) + 2
    let margin = String(repeating: " ", count: indent)
    var text = ""
    for (name, help) in entries {
      text += "  " + name
      var lines = wrapped(help, width: lineWidth - indent)[...]
      if name.count > widestName {
        text += "\n"
      } else {
        let gap = String(repeating: " ", count: indent - 2 - name.count)
        text += gap + (lines.popFirst() ?? "") + "\n"
      }
      for line in lines { text += margin + line + "\n" }
    }
    return text
  }

  /// A text in lines of at most so many characters, unless a word is longer.
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
