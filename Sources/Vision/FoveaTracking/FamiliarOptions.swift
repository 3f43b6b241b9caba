// Fovea - options under the names that users of Ultralytics' trackers know.
// SPDX-License-Identifier: Apache-2.0

/// The options of Ultralytics' `bytetrack.yaml` and `botsort.yaml`, by their names there.
///
/// What has no counterpart is left out: camera motion is given for each frame, and appearance is not
/// looked at. Absent options keep the defaults of `TrackingOptions`, which differ from those there.
package struct FamiliarOptions: Hashable, Sendable {
  /// `highScore`.
  package var trackHighThreshold: Double?
  /// `lowScore`.
  package var trackLowThreshold: Double?
  /// `newScore`.
  package var newTrackThreshold: Double?
  /// `memory`, in frames of a video of 30 frames a second, as ByteTrack counts them.
  package var trackBuffer: Int?
  /// The greatest distance of a match: 1 less `similarity`.
  package var matchThreshold: Double?
  /// Whether scores count in matching: `scoreWeight` is 1 or 0.
  package var fusesScore: Bool?

  /// The frame rate in whose frames the buffer is counted.
  package static let bufferRate = 30.0

  /// No option.
  package init() {}

  /// Sets what is stated.
  package func apply(to options: inout TrackingOptions) {
    if let trackHighThreshold { options.highScore = trackHighThreshold }
    if let trackLowThreshold { options.lowScore = trackLowThreshold }
    if let newTrackThreshold { options.newScore = newTrackThreshold }
    if let trackBuffer { options.memory = Double(trackBuffer) / Self.bufferRate }
    if let matchThreshold { options.similarity = 1 - matchThreshold }
    if let fusesScore { options.scoreWeight = fusesScore ? 1 : 0 }
  }
}
