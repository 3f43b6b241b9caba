// Fovea - the manual page of a program.
// SPDX-License-Identifier: Apache-2.0

extension CommandProgram {
  /// The manual page, as `man` reads it.
  ///
  /// - Parameters:
  ///   - summary: What the program does, in a few words without a full stop.
  ///   - text: What it does, in paragraphs of plain text.
  package func manualPage(summary: String, text: String) -> String {
    var page = ".\\\" Manual page of \(name), which \(name) wrote.\n"
    page += ".TH \(name.uppercased()) 1 \"\" \"\(name) \(version)\"\n"
    page += ".SH NAME\n\(name) \\- \(Self.roff(summary))\n"
    page += ".SH SYNOPSIS\n.B \(name)\n.I COMMAND\n[\\fIOPTIONS\\fR] ...\n"
    page += ".SH DESCRIPTION\n\(Self.paragraphs(text))"
    page += ".SH COMMANDS\n"
    for command in commands { page += Self.section(command.description) }
    page += ".SH EXIT STATUS\n"
    for (status, meaning) in [
      (0, "The work is done. An image without objects is a result."), (1, "The work failed."),
      (2, "The command was used wrongly."),
    ] {
      page += ".TP\n.B \(status)\n\(meaning)\n"
    }
    return page
  }

  private static func section(_ command: CommandDescription) -> String {
    var text = ".SS \(roff(command.name)) \(roff(command.synopsis))\n"
    text += paragraphs(command.summary + "\n\n" + command.notes)
    for option in command.options {
      let value = option.value.map { " \\fI\(roff($0))\\fR" } ?? ""
      let names = option.spellings.map { "\\fB\(roff($0))\\fR" }.joined(separator: ", ")
      text += ".TP\n\(names)\(value)\n\(roff(option.help))\n"
    }
    return text
  }

  /// Paragraphs lie between empty lines.
  private static func paragraphs(_ text: String) -> String {
    var result = ""
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        isInside = false
      } else {
        result += (isInside ? "" : ".PP\n") + roff(String(line)) + "\n"
        isInside = true
      }
    }
    return result
  }

  /// Text that is not taken for a request.
  private static func roff(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
  }
}
