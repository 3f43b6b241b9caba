// Fovea - greedy non-maximum suppression.
// SPDX-License-Identifier: Apache-2.0

/// Greedy non-maximum suppression: of boxes that show the same object the best one stays.
///
/// Boxes are visited by descending score, ties by ascending index. A box stays unless its
/// intersection over union with a box that already stayed is **strictly greater** than
/// `iouThreshold`; so a threshold of 1 removes nothing and 0 removes every overlap. The result is
/// the same on every machine.
///
/// Costs O(n log n + kept x candidates) within each class, and stops at `maximumCount`.
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
  let limit = max(0, maximumCount ?? Int.max)
  let threshold = iouThreshold < 0 ? 0 : iouThreshold
  var kept: [Int] = []
  var groups = KeptBoxes()
  for index in visitingOrder(of: scores, threshold: Float(confidenceThreshold)) {
    if kept.count >= limit { break }
    let group = groups.group(of: classAgnostic ? 0 : labels[index])
    if groups.insert(boxes[index], into: group, unlessAbove: threshold) { kept.append(index) }
  }
  return kept
}

/// Indices of the scores that reach the threshold, best first, ties by ascending index.
private func visitingOrder(of scores: [Float], threshold: Float) -> [Int] {
  var order = scores.indices.filter { scores[$0] >= threshold }
  order.sort { scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1 }
  return order
}

/// The boxes that stayed, apart by class, with their areas beside them.
private struct KeptBoxes {
  private struct Entry {
    var box: CornerBox
    var area: Double
  }

  private var groupOfLabel: [Int: Int] = [:]
  private var groups: [[Entry]] = []

  /// The number of the group of a label, made on first sight.
  mutating func group(of label: Int) -> Int {
    if let group = groupOfLabel[label] { return group }
    groupOfLabel[label] = groups.count
    groups.append([])
    return groups.count - 1
  }

  /// Adds `box` unless it overlaps one of the group by more than `threshold`; says whether it did.
  mutating func insert(_ box: CornerBox, into group: Int, unlessAbove threshold: Double) -> Bool {
    let area = box.area
    for entry in groups[group]
    where box.intersectionOverUnion(with: entry.box, areas: entry.area + area) > threshold {
      return false
    }
    groups[group].append(Entry(box: box, area: area))
    return true
  }
}
