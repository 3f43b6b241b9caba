// Fovea - which command is meant, and how it ends.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea

/// A command of `fovea`.
protocol Subcommand {
  /// What it takes.
  static var description: CommandDescription { get }
  /// Does the work; returns the exit code.
  ///
  /// - Throws: `UsageError`, `CommandFailure`.
  static func run(_ arguments: ArgumentList) throws -> Int32
}

/// The command `fovea`: 0 done, 1 the work failed, 2 wrong usage.
enum FoveaCommandLine {
  static var commands: [any Subcommand.Type] {
    [DetectCommand.self, RunCommand.self, InspectCommand.self, CompileCommand.self]
  }

  /// Runs the command that the arguments name; returns the exit code.
  static func run(_ arguments: [String]) -> Int32 {
    guard let name = arguments.first else {
      SystemInterface.writeError(overview)
      return 2
    }
    switch name {
    case "--help", "-h", "help":
      SystemInterface.writeOutput(overview)
      return 0
    case "--version":
      SystemInterface.writeOutput("fovea \(FoveaVersion.current)\n")
      return 0
    default: break
    }
    guard let command = commands.first(where: { $0.description.name == name }) else {
      SystemInterface.writeError("fovea: unknown command '\(name)'\n" + overview)
      return 2
    }
    return run(command, Array(arguments.dropFirst()))
  }

  private static func run(_ command: any Subcommand.Type, _ arguments: [String]) -> Int32 {
    let description = command.description
    if arguments.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      SystemInterface.writeOutput(description.help)
      return 0
    }
    do {
      return try command.run(ArgumentList(arguments, for: description))
    } catch let error as UsageError {
      SystemInterface.writeError(
        "fovea \(description.name): \(error.message.printable)\n\(description.usage)\n"
          + "Try 'fovea \(description.name) --help'.\n")
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
  static func report(_ failure: CommandFailure, of command: String) {
    let line = failure.message.split(whereSeparator: \.isNewline).joined(separator: " ")
    SystemInterface.writeError("fovea \(command): \(line.printable)\n")
  }

  private static var overview: String {
    var text = "usage: fovea COMMAND [OPTIONS] ...\n\ncommands:\n"
    for command in commands {
      let name = command.description.name
      let gap = String(repeating: " ", count: max(1, 10 - name.count))
      text += "  " + name + gap + command.description.summary + "\n"
    }
    return text + "\nfovea COMMAND --help says what a command takes; fovea --version says which\n"
      + "version this is.\n"
  }
}
