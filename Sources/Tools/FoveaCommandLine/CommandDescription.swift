// Fovea - what a command takes, and its help.
// SPDX-License-Identifier: Apache-2.0

/// What a command takes; the source of parsing, usage line and help.
package struct CommandDescription: Sendable {
  /// The command's name.
  package var name: String
  /// Other names that it answers to.
  package var aliases: [String]
  /// What it takes, after its name.
  package var synopsis: String
  /// What it does, in one line.
  package var summary: String
  /// What it takes by name.
  package var options: [Option]
  /// How many operands it takes.
  package var operandCount: ClosedRange<Int>
  /// Further lines of the help.
  package var notes: String
  /// The argument that may be an option or come first; `nil` where none may.
  package var leading: LeadingArgument?

  /// Describes a command.
  package init(
    name: String, aliases: [String] = [], synopsis: String, summary: String, options: [Option],
    operandCount: ClosedRange<Int>, notes: String = "", leading: LeadingArgument? = nil
  ) {
    self.name = name
    self.aliases = aliases
    self.synopsis = synopsis
    self.summary = summary
    self.options = options
    self.operandCount = operandCount
    self.notes = notes
    self.leading = leading
  }

  /// Something a command takes by name.
  package struct Option: Sendable {
    /// The name with its dashes.
    package var name: String
    /// What its value is called; `nil` for a switch.
    package var value: String?
    /// What it does, in one line.
    package var help: String
    /// Whether it may be given more than once.
    package var isRepeatable: Bool
    /// What those read who use it as it was before: what it means now.
    package var note: String?
    /// All values that it takes, for shells that complete them; empty where there are others.
    package var choices: [String]

    /// Describes an option.
    package init(
      name: String, value: String? = nil, help: String, isRepeatable: Bool = false,
      choices: [String] = [], note: String? = nil
    ) {
      self.name = name
      self.value = value
      self.help = help
      self.isRepeatable = isRepeatable
      self.choices = choices
      self.note = note
    }

    /// Another spelling, the same in all commands: one letter for what is typed most.
    var otherName: String? {
      switch name {
      case "--model": "-m"
      case "--confidence": "-c"
      case "--draw": "-o"
      case "-o": "--output"
      default: nil
      }
    }

    /// All spellings, the short one first.
    var spellings: [String] {
      ([name] + (otherName.map { [$0] } ?? [])).sorted { $0.utf8.count < $1.utf8.count }
    }
  }

  /// Whether `word` is its name or another that it answers to.
  func isCalled(_ word: String) -> Bool { word == name || aliases.contains(word) }

  /// What follows a usage error of a program's command: a line for each way to call it.
  func usage(of program: String) -> String {
    let call = "\(program) \(name) "
    var text = "usage: " + call
    for letter in synopsis {
      if letter == "|", text.hasSuffix(" ") {
        text.removeLast()
        text += "\n   or: " + call.dropLast()
      } else {
        text.append(letter)
      }
    }
    return text
  }

  /// The answer to `--help`.
  func help(of program: String) -> String {
    let names = options.map { option in
      option.spellings.joined(separator: ", ") + (option.value.map { " " + $0 } ?? "")
    }
    var text = usage(of: program) + "\n\n" + summary + "\n"
    if !options.isEmpty { text += "\noptions:\n" }
    text += HelpColumns.text(Array(zip(names, options.map(\.help))), widestName: 26)
    return notes.isEmpty ? text : text + "\n" + notes + "\n"
  }
}
