// Fovea - boxes that become the mean of what agrees with them.
// SPDX-License-Identifier: Apache-2.0

/// Box voting: a box that stayed after suppression becomes the mean of all boxes that show the same object.
///
/// A detector answers for an object several times, from cells side by side. Suppression keeps the answer of the
/// highest score, which is not the one that fits best: the errors of the answers differ, and their mean is
/// nearer to the object than most of them.
///
///     box = sum of score^2 * box / sum of score^2        over boxes of an overlap >= threshold, the box itself always
///
/// From S. Gidaris, N. Komodakis: "Object detection via a multi-region & semantic segmentation-aware CNN
/// model", arXiv:1505.01749, with the scores squared: boxes of low scores, which a threshold of confidence
/// leaves out or lets in, then hardly matter.
package struct BoxVote: Sendable {
  /// The least intersection over union with the box that stayed. From 1 on nothing votes.
  package var threshold: Double

  /// Creates the vote of a threshold.
  package init(threshold: Double) { self.threshold = threshold }

  /// The box that `winner` becomes. O(boxes).
  ///
  /// - Parameters:
  ///   - boxes: All boxes that took part in the suppression.
  ///   - scores: One per box, not negative.
  ///   - groups: One per box: only boxes of the winner's group vote. `nil` lets all vote.
  package func box(
    of winner: Int, boxes: [CornerBox], scores: [Float], groups: [Int]?
  ) -> CornerBox {
    let own = boxes[winner]
    guard threshold < 1 else { return own }
    let area = own.area
    var total = weight(scores[winner])
    guard total > 0 else { return own }
    var sum = SIMD4(own.minX, own.minY, own.maxX, own.maxY) * total
    for index in boxes.indices where index != winner {
      if let groups, groups[index] != groups[winner] { continue }
      let other = boxes[index]
      let overlap = own.intersectionOverUnion(with: other, areas: area + other.area)
      guard overlap > 0, overlap >= threshold else { continue }
      let weight = weight(scores[index])
      sum += SIMD4(other.minX, other.minY, other.maxX, other.maxY) * weight
      total += weight
    }
    let mean = sum / total
    return CornerBox(minX: mean.x, minY: mean.y, maxX: mean.z, maxY: mean.w)
  }

  private func weight(_ score: Float) -> Double { Double(score) * Double(score) }
}
