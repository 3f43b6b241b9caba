// Fovea - a program of several commands: which one is meant, and how it ends.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// A command of a program.
package protocol Subcommand {
  /// What it takes.
  static var description: CommandDescription { get }
  /// Does the work; returns the exit code.
  ///
  /// - Throws: `UsageError`, `CommandFailure`.
  static func run(_ arguments: ArgumentList) throws -> Int32
}

/// A program of several commands: 0 done, 1 the work failed, 2 wrong usage.
package struct CommandProgram {
  /// What the program is called.
  package var name: String
  /// Its version.
  package var version: String
  /// Its commands, in the order of the overview.
  package var commands: [any Subcommand.Type]

  /// Describes a program.
  package init(name: String, version: String, commands: [any Subcommand.Type]) {
    self.name = name
    self.version = version
    self.commands = commands
  }

  /// Runs the command that the arguments name; returns the exit code.
  package func run(_ arguments: [String]) -> Int32 {
    guard let first = arguments.first else {
      SystemInterface.writeError(overview)
      return 2
    }
    switch first {
    case "--help", "-h", "help":
      guard arguments.count > 1 else {
        SystemInterface.writeOutput(overview)
        return 0
      }
      guard let command = command(arguments[1]) else { return refuse(arguments[1]) }
      SystemInterface.writeOutput(command.description.help(of: name))
      return 0
    case "--version", "version":
      SystemInterface.writeOutput("\(name) \(version)\n")
      return 0
    default: break
    }
    guard let command = command(first) else {
      return refuse(first)
    }
    return run(command, Array(arguments.dropFirst()))
  }

  private func command(_ word: String) -> (any Subcommand.Type)? {
    commands.first { $0.description.isCalled(word) }
  }

  /// Says that there is no such command, and which one may be meant.
  private func refuse(_ word: String) -> Int32 {
    let names = commands.map { $0.description.name }
    if let meant = nearestName(to: word, among: names) {
      SystemInterface.writeError(
        "\(name): unknown command '\(word.printable)'; did you mean '\(meant)'?\n"
          + "'\(name) --help' names all commands.\n")
    } else {
      SystemInterface.writeError("\(name): unknown command '\(word.printable)'\n" + overview)
    }
    return 2
  }

  private func run(_ command: any Subcommand.Type, _ arguments: [String]) -> Int32 {
    let description = command.description
    if arguments.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      SystemInterface.writeOutput(description.help(of: name))
      return 0
    }
    do {
      return try command.run(
        ArgumentList(arguments, for: description).resolved(for: description))
    } catch let error as UsageError {
      SystemInterface.writeError(
        TerminalStyle.failure.error("\(name) \(description.name):")
          + " \(error.message.printable)\n\(description.usage(of: name))\n"
          + "Try '\(name) \(description.name) --help'.\n")
      return 2
    } catch let error as CommandFailure {
      report(error, of: description.name)
      return 1
    } catch {
      report(CommandFailure("\(error)"), of: description.name)
      return 1
    }
  }

  /// Says on standard error, in one line, why the work failed.
  package func report(_ failure: CommandFailure, of command: String) {
    failure.report(of: "\(name) \(command)")
  }

  private var overview: String {
    var text = "usage: \(name) COMMAND [OPTIONS] ...\n\ncommands:\n"
    text += HelpColumns.text(
      commands.map { ($0.description.name, $0.description.summary) }, widestName: 12)
    return text
      + "\n\(name) COMMAND --help says what a command takes; \(name) --version says which\n"
      + "version this is.\n"
  }
}

extension CommandFailure {
  /// Says on standard error, in one line, why the work of a command failed.
  ///
  /// - Parameter command: The program and its command, such as "fovea detect".
  package func report(of command: String) {
    let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    SystemInterface.writeError(
      "\(TerminalStyle.failure.error("\(command):")) \(line.printable)\n")
  }
}
