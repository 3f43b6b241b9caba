// Fovea - the commands on still pictures.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCommandLine

/// The commands on still pictures.
package enum StillCommands {
  /// All of them, in the order of the help.
  package static var all: [any Subcommand.Type] {
    [
      DetectCommand.self, ClassifyCommand.self, LookCommand.self, CodesCommand.self,
      TextCommand.self, RectanglesCommand.self, RectifyCommand.self, FacesCommand.self,
    ]
  }
}
