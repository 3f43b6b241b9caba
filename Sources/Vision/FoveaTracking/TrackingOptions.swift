// Fovea - how objects are tracked.
// SPDX-License-Identifier: Apache-2.0

/// How objects are tracked. The defaults suit detectors from tiny to large, and 5 to 30 frames a
/// second; Benchmarks/History/tracking.md says on what they were tried.
public struct TrackingOptions: Hashable, Sendable {
  // MARK: Scores

  /// Detections of at least this score are matched first, with all tracks.
  public var highScore = 0.4
  /// Detections of at least this score continue tracks that were seen a moment ago.
  public var lowScore = 0.1
  /// Unmatched detections of at least this score begin a track.
  public var newScore = 0.5

  // MARK: Matching

  /// The least similarity of a match of the first round; see `TrackingBox.similarity`.
  public var similarity = 0.17
  /// How much less a detection of score 0 is like any track than one of score 1; 0...1. Of two
  /// detections that fit alike, the surer one is taken.
  public var scoreWeight = 0.25
  /// Whether a detection continues only tracks of its own label.
  public var matchesLabels = true

  // MARK: Lives

  /// For how many seconds an object that is not seen is remembered.
  public var memory = 1.2
  /// How often an object must have been seen to get an identifier. In the first frame once is enough.
  public var confirmationCount = 3
  /// For how many frames an object that is not seen is still reported, where it should be by now.
  public var coastingFrames = 3
  /// For how many seconds at most that goes on, unless it is the first frame.
  public var coastingSeconds = 0.2

  /// How boxes move.
  package var noise = MotionNoise()

  /// The default options.
  public init() {}

  // MARK: Constants of the matching

  /// The least similarity of low detections: they are more often wrong.
  static let lowSimilarity = 0.37
  /// How many frames ago a track may have been seen that such detections continue.
  static let lowMisses = 2
  /// Tracks lost for longer take low detections that are a bit surer, for at most this time.
  static let lostSeconds = 1.0
  static let lostScore = 0.18
  static let lostSimilarity = 0.4
  /// The least similarity with the last seen box, where the prediction has failed.
  static let lastSimilarity = 0.33
  /// The least similarity with a track that has no identifier yet.
  static let tentativeSimilarity = 0.12
  /// How many frames such a track may miss.
  static let tentativeMisses = 2
  /// Boxes are enlarged by this much of the standard deviation of a predicted center, ...
  static let margin = 0.5
  /// ... as far as it is above this part of the width.
  static let certainWidth = 0.1
  /// Reported is what lies this much of the way from the detection to the filtered box.
  static let smoothing = 0.5
}
