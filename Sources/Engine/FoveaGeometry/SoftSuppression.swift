// Fovea - scores that are lowered by what better boxes cover.
// SPDX-License-Identifier: Apache-2.0

/// Soft suppression: a box that stayed keeps less of its score the more a better one overlaps it.
///
/// Suppression knows two cases. What overlaps a better box by more than its threshold goes, and what
/// overlaps it by a little less stays as if it stood alone, though much of that is a second answer for
/// the same object: a part of a page, a line and half of the next.
///
///     share of the score    1 |**
///                             |  ****
///                             |      ****          1 - strength * overlap
///                             |          |
///                           0 |__________|_______  greatest overlap with a better box that stayed
///                             0      threshold
///
/// From N. Bodla et al.: "Soft-NMS - improving object detection with one line of code",
/// arXiv:1704.04503, equation 3, behind greedy suppression and by the greatest overlap alone: an object
/// among several neighbors does not lose to each of them.
package struct SoftSuppression: Sendable {
  /// A box that is left.
  package struct Remainder: Hashable, Sendable {
    /// Which box it is.
    package var index: Int
    /// The part of its score that it keeps, in 0...1.
    package var share: Float
    /// The better box that overlaps it most, if one does.
    package var rival: Int?
  }

  /// The part of the overlap that is taken from a score, in 0...1; with 0 every box keeps its score.
  package var strength: Double

  /// Creates the suppression of a strength.
  package init(strength: Double) { self.strength = strength }

  /// What is left of boxes that stayed after greedy suppression: by descending lowered score, ties in
  /// the order of `kept`. O(kept^2), and O(kept) where the strength is 0.
  ///
  /// - Parameters:
  ///   - kept: Indices of the boxes that stayed, by descending score.
  ///   - scores: One per box.
  ///   - groups: One per box: only boxes of one group lower each other. `nil` puts all into one.
  ///   - confidenceThreshold: What has less after it was lowered goes; compared as float32.
  package func remainders(
    of kept: [Int], boxes: [CornerBox], scores: [Float], groups: [Int]?,
    confidenceThreshold: Double, maximumCount: Int? = nil
  ) -> [Remainder] {
    let limit = max(0, maximumCount ?? .max)
    guard strength > 0 else {
      return kept.prefix(limit).map { Remainder(index: $0, share: 1, rival: nil) }
    }
    let threshold = Float(confidenceThreshold)
    var left: [(place: Int, score: Float, remainder: Remainder)] = []
    left.reserveCapacity(kept.count)
    for (place, index) in kept.enumerated() {
      let (rival, overlap) = rival(of: index, among: kept[..<place], boxes: boxes, groups: groups)
      let share = Float(1 - strength * overlap)
      let score = scores[index] * share
      guard score >= threshold else { continue }
      left.append((place, score, Remainder(index: index, share: share, rival: rival)))
    }
    left.sort { ($1.score, $0.place) < ($0.score, $1.place) }
    return left.prefix(limit).map(\.remainder)
  }

  /// The better box of the greatest overlap, and the overlap.
  private func rival(
    of index: Int, among better: ArraySlice<Int>, boxes: [CornerBox], groups: [Int]?
  ) -> (index: Int?, overlap: Double) {
    let own = boxes[index]
    let area = own.area
    var greatest: (index: Int?, overlap: Double) = (nil, 0)
    for other in better where groups == nil || groups?[other] == groups?[index] {
      let overlap = own.intersectionOverUnion(with: boxes[other], areas: area + boxes[other].area)
      if overlap > greatest.overlap { greatest = (other, overlap) }
    }
    return greatest
  }
}
