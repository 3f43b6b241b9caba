// Fovea - the commands on videos and on what people drew on pictures.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCommandLine

/// The commands on videos, and those on annotations, some of which come from videos.
package enum VideoCommands {
  /// What is found in videos and cameras.
  package static var all: [any Subcommand.Type] {
    [
      WatchCommand.self, TrackCommand.self, ServeCommand.self,
    ]
  }

  /// What people drew on pictures.
  package static var annotations: any Subcommand.Type { AnnotationsCommand.self }
}
