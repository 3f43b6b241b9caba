// Fovea - the commands about maps, pictures and embeddings.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCommandLine

/// The commands about maps, pictures and embeddings.
package enum MapCommands {
  /// In the order of the help.
  package static var all: [any Subcommand.Type] {
    [SegmentCommand.self, DepthCommand.self, TransformCommand.self, EmbedCommand.self]
  }
}
