// Fovea - the objects that fovea watch hides, and the parts of pictures that it writes.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands
internal import FoveaVideo

extension HidingOption {
  /// What is hidden in a picture: what was found, and tracks where they should be by now, because
  /// a detector misses an object now and then.
  func objects(of result: VideoResult, _ tracking: WatchTracking?) -> [HiddenObject] {
    let tracks = tracking?.everyTrack.filter { hides($0.label) } ?? []
    return hidden(result.observations)
      + tracks.map { HiddenObject(box: $0.boundingBox, mask: $0.observation?.mask) }
  }
}

extension CropOutput {
  /// Writes what is in each box of a picture: of tracks those that were seen, by their identifiers.
  ///
  /// - Parameters:
  ///   - hidden: What the parts must not show.
  ///   - orientation: How pictures must be turned; `nil` for what the source says.
  /// - Throws: `CommandFailure`.
  func append(
    _ result: VideoResult, _ tracking: WatchTracking?, hiding hidden: [HiddenObject],
    turned orientation: ImageOrientation?
  ) throws(CommandFailure) {
    let parts =
      tracking.map { tracking in
        tracking.tracks.filter { !$0.isPredicted }.map { ($0.boundingBox, $0.label, $0.identifier) }
      }
      ?? result.observations.enumerated().map { index, object in
        (object.boundingBox, object.bestLabel?.identifier ?? "object", index + 1)
      }
    guard !parts.isEmpty else { return }
    let image = result.uprightImage(turned: orientation).hiding(hidden)
    let name = NumberText.padded(result.index, digits: 6)
    for (box, label, number) in parts {
      try write(box, of: image, label: label, name: name, number: number)
    }
  }
}
