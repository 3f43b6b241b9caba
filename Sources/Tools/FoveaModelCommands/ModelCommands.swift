// Fovea - the commands about one model: what it is, what it answers, how good and fast it is.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCommandLine

/// The commands about one model.
package enum ModelCommands {
  /// Those that show what a model sees and answers.
  package static var answers: [any Subcommand.Type] {
    [PreviewCommand.self, RunCommand.self]
  }
  /// Those that bring model files here.
  package static var sources: [any Subcommand.Type] { [GetCommand.self] }
  /// Those that describe model files and write others from them.
  package static var files: [any Subcommand.Type] {
    [InspectCommand.self, CompileCommand.self, ConvertCommand.self, QuantizeCommand.self]
  }
  /// Those that say how good a model is.
  package static var comparisons: [any Subcommand.Type] {
    [EvaluateCommand.self, CompareCommand.self]
  }
}
