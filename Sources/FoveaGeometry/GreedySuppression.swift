// Fovea - greedy non-maximum suppression.
// SPDX-License-Identifier: Apache-2.0

/// Greedy non-maximum suppression: of boxes that show the same object the best one stays.
///
/// Boxes are visited by descending score, ties by ascending index. A box stays unless its
/// intersection over union with a box that already stayed is **strictly greater** than
/// `iouThreshold`; so a threshold of 1 removes nothing and 0 removes every overlap. The result is
/// the same on every machine.
///
/// Costs O(n + kept x candidates within each class).
///
/// - Parameters:
///   - boxes: The boxes. One with a NaN coordinate overlaps nothing: it removes no other and is
///     removed by none.
///   - scores: One per box. NaN never passes.
///   - labels: One per box; any numbers, only their equality counts.
///   - confidenceThreshold: Boxes below it take no part; equal stays. Compared as float32, as the
///     scores are; NaN lets nothing pass.
///   - iouThreshold: 0...1; negative numbers act as 0, NaN removes nothing.
///   - classAgnostic: Whether boxes remove those of other labels too.
///   - maximumCount: Stop after this many; `nil` for all. Negative numbers act as 0.
/// - Returns: Indices of the boxes that stay, by descending score.
/// - Precondition: The three arrays have the same number of elements.
public func nonMaximumSuppression(
  boxes: [CornerBox], scores: [Float], labels: [Int], confidenceThreshold: Double,
  iouThreshold: Double, classAgnostic: Bool = false, maximumCount: Int? = nil
) -> [Int] {
  precondition(
    boxes.count == scores.count && boxes.count == labels.count,
    "nonMaximumSuppression needs one score and one label per box")
  var suppressor = BoxSuppressor()
  var groupOfLabel: [Int: Int] = [:]
  let groups: [Int]? =
    classAgnostic
    ? nil
    : labels.map { label in
      if let group = groupOfLabel[label] { return group }
      groupOfLabel[label] = groupOfLabel.count
      return groupOfLabel.count - 1
    }
  suppressor.suppress(
    boxes: boxes, scores: scores, groups: groups, groupCount: groupOfLabel.count,
    confidenceThreshold: confidenceThreshold, iouThreshold: iouThreshold,
    maximumCount: maximumCount)
  return suppressor.kept
}
