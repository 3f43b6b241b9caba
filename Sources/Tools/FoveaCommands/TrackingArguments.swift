// Fovea - the options of commands that give objects identifiers.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaTracking

/// How objects are tracked, by the names that Ultralytics' users know.
enum TrackingArguments {
  static let options: [CommandDescription.Option] = [
    .init(
      name: "--track_high_thresh", value: "0...1",
      help: "least score of detections that are matched first (default 0.4)"),
    .init(
      name: "--track_low_thresh", value: "0...1",
      help: "least score of detections that continue a track (default 0.1)"),
    .init(
      name: "--new_track_thresh", value: "0...1",
      help: "least score of a detection that begins a track (default 0.5)"),
    .init(
      name: "--track_buffer", value: "N",
      help: "for how long a lost object is remembered, in 1/30 s (default 36)"),
    .init(
      name: "--match_thresh", value: "0...1",
      help: "greatest distance of a match: 1 less the similarity (default 0.83)"),
    .init(
      name: "--coast", value: "N",
      help: "for how many frames a lost object is still written (default 3, 0.2 s at most)"),
  ]

  /// Reads the options.
  ///
  /// - Throws: `UsageError`.
  static func options(_ arguments: ArgumentList) throws(UsageError) -> TrackingOptions {
    var familiar = FamiliarOptions()
    familiar.trackHighThreshold = try arguments.fraction("--track_high_thresh")
    familiar.trackLowThreshold = try arguments.fraction("--track_low_thresh")
    familiar.newTrackThreshold = try arguments.fraction("--new_track_thresh")
    familiar.trackBuffer = try arguments.integer("--track_buffer", in: 0...1_000_000)
    familiar.matchThreshold = try arguments.fraction("--match_thresh")
    var options = TrackingOptions()
    familiar.apply(to: &options)
    if let frames = try arguments.integer("--coast", in: 0...1_000_000) {
      options.coastingFrames = frames
      options.coastingSeconds = .infinity
    }
    return options
  }
}
