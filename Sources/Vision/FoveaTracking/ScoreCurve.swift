// Fovea - how right a detector is at each score, and the thresholds that follow.
// SPDX-License-Identifier: Apache-2.0

/// How many detections of a detector are right and wrong at each score, counted on annotated images.
///
/// Detectors differ in what their scores mean: 0.6 is sure for one and never reached by another.
package struct ScoreCurve: Hashable, Sendable {
  /// The detections of at least one score, and below the score of the point before.
  package struct Point: Hashable, Sendable {
    /// The least score.
    package var score: Double
    /// Detections that are right.
    package var right: Int
    /// Detections that are wrong.
    package var wrong: Int

    /// Creates a point.
    package init(score: Double, right: Int, wrong: Int) {
      self.score = score
      self.right = right
      self.wrong = wrong
    }
  }

  /// From the highest score to the lowest.
  package let points: [Point]
  /// The number of annotated objects.
  package let objectCount: Int

  /// Creates a curve from points in any order.
  package init(points: [Point], objectCount: Int) {
    self.points = points.sorted { $0.score > $1.score }
    self.objectCount = objectCount
  }

  /// The score above which F1, the harmonic mean of precision and recall, is greatest.
  package var bestScore: Double? {
    var (right, found) = (0, 0)
    var (best, greatest): (Double?, Double) = (nil, 0)
    for point in points {
      right += point.right
      found += point.right + point.wrong
      let value = 2 * Double(right) / Double(max(1, found + objectCount))
      if value > greatest { (best, greatest) = (point.score, value) }
    }
    return best
  }

  /// The lowest score of which at least one detection in ten is right.
  package var lowestUsefulScore: Double? {
    points.last { $0.right > 0 && 10 * $0.right >= $0.right + $0.wrong }?.score
  }
}

extension TrackingOptions {
  /// How much surer than a match the first detection of a track must be.
  private static let surplus = 0.1

  /// Options whose thresholds are those of a detector.
  ///
  /// Detections above the score of the best F1 are matched first. Those of which at least one in ten
  /// is right continue tracks. Where the curve has no right detection, thresholds stay as they are.
  package init(_ curve: ScoreCurve) {
    self.init()
    guard let high = curve.bestScore, let low = curve.lowestUsefulScore else { return }
    highScore = high
    lowScore = min(low, high)
    newScore = min(1, high + Self.surplus)
  }
}
