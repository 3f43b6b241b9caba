// Fovea - what shells complete of a program's arguments.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// A shell that completes arguments.
package enum CompletingShell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish
}

extension CommandProgram {
  /// The script that makes a shell complete the arguments of the program: commands, options, the
  /// values of options that have a few, and files.
  package func completions(for shell: CompletingShell) -> String {
    switch shell {
    case .bash: bashCompletions
    case .zsh: zshCompletions
    case .fish: fishCompletions
    }
  }

  private var descriptions: [CommandDescription] { commands.map { $0.description } }

  // MARK: bash

  private var bashCompletions: String {
    var values = ""
    var options = ""
    for command in descriptions {
      let names = ([command.name] + command.aliases).joined(separator: "|")
      options +=
        "      \(names)) words='\((command.options.map(\.name) + ["--help"]).joined(separator: " "))' ;;\n"
      for option in command.options where option.value != nil {
        let pattern = command.allNames.map { "\($0):\(option.name)" }.joined(separator: "|")
        if !option.choices.isEmpty {
          values += "    \(pattern)) words='\(option.choices.joined(separator: " "))' ;;\n"
        } else if !option.takesFile {
          values += "    \(pattern)) return ;;\n"
        }
      }
    }
    return """
      # Completions of \(name) for bash.
      _\(name)() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
        COMPREPLY=()
        # bash takes --name=value apart.
        [[ $word != = ]] || word=
        [[ $before != = ]] || before=${COMP_WORDS[COMP_CWORD - 2]}
        if ((COMP_CWORD == 1)); then
          COMPREPLY=($(compgen -W '\(descriptions.map(\.name).joined(separator: " ")) --help --version' -- "$word"))
          return
        fi
        case ${COMP_WORDS[1]}:$before in
      \(values)  esac
        if [[ -z $words && $word == -* ]]; then
          case ${COMP_WORDS[1]} in
      \(options)    esac
        fi
        if [[ -n $words ]]; then
          COMPREPLY=($(compgen -W "$words" -- "$word"))
        else
          mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
      }
      complete -o filenames -F _\(name) \(name)

      """
  }

  // MARK: zsh

  private var zshCompletions: String {
    var cases = ""
    for command in descriptions {
      cases += "    \(command.allNames.joined(separator: "|")))\n      _arguments -S \\\n"
      for option in command.options {
        let repeats = option.isRepeatable ? "'*'" : ""
        cases += "        \(repeats)\(Self.zshOption(option)) \\\n"
      }
      cases += "        '(- *)--help[what the command takes]' '*:file:_files' ;;\n"
    }
    let list = descriptions.map { "    \(Self.quoted("\($0.name):\($0.summary)"))\n" }.joined()
    return """
      #compdef \(name)
      # Completions of \(name) for zsh.
      _\(name)() {
        local -a commands
        commands=(
      \(list)  )
        if ((CURRENT == 2)); then
          _describe command commands
          _arguments '--help[the commands]' '--version[which version this is]'
          return
        fi
        local command=$words[2]
        shift words
        ((CURRENT--))
        case $command in
      \(cases)  esac
      }
      _\(name) "$@"

      """
  }

  private static func zshOption(_ option: CommandDescription.Option) -> String {
    // Brackets, colons and backslashes divide a specification.
    var help = ""
    for character in option.help {
      if "[]:\\".contains(character) { help.append("\\") }
      help.append(character)
    }
    guard let value = option.value else { return quoted("\(option.name)[\(help)]") }
    let title = value.filter { $0.isLetter || $0 == " " }
    let action =
      if !option.choices.isEmpty { "(\(option.choices.joined(separator: " ")))" } else {
        option.takesFile ? "_files" : " "
      }
    return quoted("\(option.name)[\(help)]:\(title):\(action)")
  }

  // MARK: fish

  private var fishCompletions: String {
    var text = "# Completions of \(name) for fish.\n"
    for command in descriptions {
      text +=
        "complete -c \(name) -n __fish_use_subcommand -f -a \(command.name) -d \(Self.fishQuoted(command.summary))\n"
    }
    for command in descriptions {
      let condition = "'__fish_seen_subcommand_from \(command.allNames.joined(separator: " "))'"
      for option in command.options {
        let kind = option.name.hasPrefix("--") ? "-l" : "-s"
        text += "complete -c \(name) -n \(condition) \(kind) \(option.name.drop { $0 == "-" })"
        if option.value != nil {
          text += option.takesFile && option.choices.isEmpty ? " -r" : " -x"
        }
        if !option.choices.isEmpty {
          text += " -a \(Self.fishQuoted(option.choices.joined(separator: " ")))"
        }
        text += " -d \(Self.fishQuoted(option.help))\n"
      }
    }
    return text
  }

  // MARK: Quoting

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  private static func fishQuoted(_ text: String) -> String {
    var result = "'"
    for character in text {
      if character == "'" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return result + "'"
  }
}

extension CommandDescription {
  fileprivate var allNames: [String] { [name] + aliases }
}

extension CommandDescription.Option {
  /// Whether its value names a file or a folder.
  fileprivate var takesFile: Bool {
    guard let value else { return false }
    return ["FILE", "DIR", "FOLDER", "IMAGES", "PATH", "MODEL"].contains { value.includes($0) }
  }
}
