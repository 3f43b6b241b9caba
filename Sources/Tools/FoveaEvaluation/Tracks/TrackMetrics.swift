// Fovea - how well tracks follow objects: all metrics of a sequence.
// SPDX-License-Identifier: Apache-2.0

/// How well tracks follow objects. The numbers are those of TrackEval.
package struct TrackMetrics: Hashable, Sendable {
  /// Detection and association in one number.
  package var hota: HigherOrderAccuracy
  /// MOTA and what it counts.
  package var clear: ClearMetrics
  /// IDF1 and what it counts.
  package var identity: IdentityMetrics

  /// The number of boxes of a file in one frame is at most this: matching them takes O(n³) steps.
  package static let greatestBoxCount = 1000
  /// The number of tracks of a file is at most this.
  package static let greatestTrackCount = 5000

  /// Compares the tracks of a sequence.
  ///
  /// - Parameters:
  ///   - results: What a tracker found, in any order of frames.
  ///   - truth: What is there.
  ///   - rules: Which of it counts; `nil` for the rules that the columns of `truth` ask for.
  ///   - frameCount: The number of frames; `nil` for the last one that has a box.
  /// - Throws: `.inconsistent` if an identifier stands twice in a frame, a box lies outside the
  ///   frames, or there are too many boxes or tracks.
  package init(
    results: MOTChallengeFile, truth: MOTChallengeFile, rules: GroundTruthRules? = nil,
    frameCount: Int? = nil
  ) throws(EvaluationError) {
    let last = max(results.lastFrame, truth.lastFrame)
    for file in [results, truth] {
      try file.checkTracks()
      if let frameCount, file.lastFrame > frameCount {
        throw .inconsistent(
          path: file.name,
          reason: "has frame \(file.lastFrame), but the sequence has \(frameCount) frames")
      }
    }
    let frames = TrackFrames(
      results: results.boxes, truth: truth.boxes,
      rules: rules ?? .suitable(for: truth.boxes), frameCount: frameCount ?? last)
    self.init(
      hota: HigherOrderAccuracy(frames), clear: ClearMetrics(frames),
      identity: IdentityMetrics(frames))
  }

  /// The metrics of several sequences taken together.
  package init(combining sequences: [TrackMetrics]) {
    self.init(
      hota: HigherOrderAccuracy(combining: sequences.map(\.hota)),
      clear: ClearMetrics(combining: sequences.map(\.clear)),
      identity: IdentityMetrics(combining: sequences.map(\.identity)))
  }

  private init(hota: HigherOrderAccuracy, clear: ClearMetrics, identity: IdentityMetrics) {
    self.hota = hota
    self.clear = clear
    self.identity = identity
  }
}
