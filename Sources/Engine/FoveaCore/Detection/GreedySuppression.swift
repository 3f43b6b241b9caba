// Fovea - greedy non-maximum suppression.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// Greedy non-maximum suppression: of several boxes around one object, the best one stays.
///
/// Boxes are visited by descending score, and ties by ascending index. A box is removed if its
/// intersection over union with a box that stayed is **strictly greater** than `iouThreshold`. A
/// threshold of 1 removes nothing; 0 removes every overlap. The result is the same on every
/// machine.
///
/// - Complexity: O(n + k c), with k boxes that stay and c candidates in each class.
///
/// - Parameters:
///   - boxes: The boxes. A box with a NaN coordinate overlaps nothing.
///   - scores: One for each box. NaN is below every threshold.
///   - labels: One for each box. Only equality counts.
///   - confidenceThreshold: Boxes with a lower score are ignored. Compared as float32, like the
///     scores. NaN ignores all boxes.
///   - iouThreshold: 0...1. Negative numbers count as 0; NaN removes nothing.
///   - classAgnostic: Whether boxes also remove boxes of other labels.
///   - maximumCount: The greatest number of boxes that stay; `nil` for all. Negative numbers count
///     as 0.
/// - Returns: Indices of the boxes that stay, by descending score.
/// - Precondition: The three arrays have the same number of elements.
public func nonMaximumSuppression(
  boxes: [NormalizedRect], scores: [Float], labels: [Int], confidenceThreshold: Double,
  iouThreshold: Double, classAgnostic: Bool = false, maximumCount: Int? = nil
) -> [Int] {
  nonMaximumSuppression(
    boxes: boxes.map { CornerBox($0, origin: .lowerLeft) }, scores: scores, labels: labels,
    confidenceThreshold: confidenceThreshold, iouThreshold: iouThreshold,
    classAgnostic: classAgnostic, maximumCount: maximumCount)
}

/// The same for boxes that are given by their corners.
package func nonMaximumSuppression(
  boxes: [CornerBox], scores: [Float], labels: [Int], confidenceThreshold: Double,
  iouThreshold: Double, classAgnostic: Bool = false, maximumCount: Int? = nil
) -> [Int] {
  precondition(
    boxes.count == scores.count && boxes.count == labels.count,
    "nonMaximumSuppression needs one score and one label per box")
  let threshold = Float(confidenceThreshold)
  let candidates = DetectionCandidates(capacity: boxes.count)
  var classOfLabel: [Int: Int] = [:]
  for (index, score) in scores.enumerated() where score >= threshold {
    let number = classOfLabel[labels[index]] ?? classOfLabel.count
    classOfLabel[labels[index]] = number
    candidates.append(
      DetectionCandidates.Candidate(
        box: boxes[index], classIndex: number, score: score, row: index))
  }
  candidates.suppress(
    SuppressionSettings(iouThreshold: iouThreshold, isClassAgnostic: classAgnostic))
  return candidates.survivors.prefix(max(0, maximumCount ?? .max)).map { candidates[$0.index].row }
}
