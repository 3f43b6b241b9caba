// Fovea - what a command takes, and its help.
// SPDX-License-Identifier: Apache-2.0

/// What a command takes; the source of parsing, usage line and help.
struct CommandDescription: Sendable {
  /// The command's name.
  var name: String
  /// What it takes, after its name.
  var synopsis: String
  /// What it does, in one line.
  var summary: String
  /// What it takes by name.
  var options: [Option]
  /// How many operands it takes.
  var operandCount: ClosedRange<Int>
  /// Further lines of the help.
  var notes: String = ""

  /// Something a command takes by name.
  struct Option: Sendable {
    /// The name with its dashes.
    var name: String
    /// What its value is called; `nil` for a switch.
    var value: String?
    /// What it does, in one line.
    var help: String
    /// Whether it may be given more than once.
    var isRepeatable = false
  }

  /// The line that follows a usage error.
  var usage: String { "usage: fovea \(name) \(synopsis)" }

  /// The answer to `--help`.
  var help: String {
    let names = options.map { option in option.name + (option.value.map { " " + $0 } ?? "") }
    let width = (names.map(\.count).max() ?? 0) + 2
    var text = usage + "\n\n" + summary + "\n\noptions:\n"
    for (name, option) in zip(names, options) {
      text += "  " + name + String(repeating: " ", count: width - name.count) + option.help + "\n"
    }
    return notes.isEmpty ? text : text + "\n" + notes + "\n"
  }
}

extension CommandDescription.Option {
  static let backend = Self(
    name: "--backend", value: "NAME", help: "auto, reference, blas, float or int8 (default auto)")
  static let calibrate = Self(
    name: "--calibrate", value: "PICTURES",
    help: "int8 with ranges measured over a folder of pictures, or a list of paths")
  static let threads = Self(
    name: "--threads", value: "N", help: "threads to use (default: all that the process may use)")
  static let json = Self(name: "--json", help: "print one JSON document instead of text")
}
