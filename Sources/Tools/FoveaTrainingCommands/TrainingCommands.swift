// Fovea - the commands that make detectors.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCommandLine

/// The commands that make detectors.
package enum TrainingCommands {
  /// In the order of the help.
  package static var all: [any Subcommand.Type] { [TrainCommand.self, DistillCommand.self] }
}
