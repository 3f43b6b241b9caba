// Fovea - the commands of fovea, in the order of its help.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaCommands
internal import FoveaMapCommands
internal import FoveaModelCommands
internal import FoveaStillCommands
internal import FoveaTrainingCommands

/// The command `fovea`.
enum FoveaProgram {
  /// Runs the command that the arguments name, without the program's own name; returns the exit code.
  static func run(_ arguments: [String]) -> Int32 {
    SystemInterface.ignoreBrokenPipes()
    return program.run(arguments)
  }

  /// The program with all its commands.
  static var program: CommandProgram {
    CommandProgram(
      name: "fovea", version: CoreVersion.text,
      commands: StillCommands.all + MapCommands.all + ModelCommands.answers
        + VideoCommands.all
        + ModelCommands.sources + TrainingCommands.all + ModelCommands.files
        + ModelCommands.comparisons + [VideoCommands.annotations]
        + [CompletionCommand.self, ManualCommand.self])
  }
}
