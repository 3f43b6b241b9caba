// Fovea - what commands about maps are lent.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCommandLine
package import FoveaGeometry
package import FoveaMaps
package import FoveaRuntime
package import FoveaVision

/// What commands about maps are lent to load models and to look at images: their own module does not
/// wait for that of the commands about models.
package protocol MapTools {
  /// What pixels become in a model that reads an array, in documents.
  associatedtype Picture: Encodable

  /// The options that `load` and `look` read.
  static var options: [CommandDescription.Option] { get }
  /// The model as the first argument.
  static var leading: LeadingArgument { get }
  /// The model in a file, and the threads that run it.
  static func load(
    _ path: String, _ arguments: ArgumentList
  ) throws -> (model: Model, pool: ThreadPool)
  /// How images are brought to the network, and how they are turned; `nil` for as they say.
  static func look(_ arguments: ArgumentList) throws -> (InputView, ImageOrientation?)
  /// `nil` for a model whose inputs are those of its file.
  static func picture(_ model: Model) -> Picture?
  /// An error as commands report it.
  static func reported(_ error: DetectionError, file: String) -> any Error
  /// Says that one image of several failed.
  static func report(_ failure: CommandFailure, of command: String)
}

/// The commands about maps, pictures and embeddings.
package enum MapCommands<Tools: MapTools> {
  /// In the order of the help.
  package static var all: [any Subcommand.Type] {
    [
      SegmentCommand<Tools>.self, DepthCommand<Tools>.self, TransformCommand<Tools>.self,
      EmbedCommand<Tools>.self,
    ]
  }
}
