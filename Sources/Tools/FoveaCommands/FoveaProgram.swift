// Fovea - the commands of fovea, in the order of its help.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands
internal import FoveaTrainingCommands

/// The command `fovea`.
package enum FoveaProgram {
  /// Runs the command that the arguments name, without the program's own name; returns the exit code.
  package static func run(_ arguments: [String]) -> Int32 {
    SystemInterface.ignoreBrokenPipes()
    return program.run(arguments)
  }

  /// The program with all its commands.
  static var program: CommandProgram {
    CommandProgram(
      name: "fovea", version: CoreVersion.text,
      commands: stills + ModelCommands.answers + [WatchCommand.self, TrackCommand.self]
        + ModelCommands.sources + TrainingCommands.all + ModelCommands.files
        + ModelCommands.comparisons + [AnnotationsCommand.self]
        + [CompletionCommand.self, ManualCommand.self])
  }

  /// The commands on still pictures.
  private static var stills: [any Subcommand.Type] {
    [
      DetectCommand.self, ClassifyCommand.self, LookCommand.self, CodesCommand.self,
      TextCommand.self, RectanglesCommand.self, RectifyCommand.self, FacesCommand.self,
    ]
  }
}
