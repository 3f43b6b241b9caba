// Fovea - how boxes that show the same object compete.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// How boxes that show the same object compete.
///
/// **Greedy suppression** drops what overlaps a better box too much. It knows two cases: what overlaps by a little less
/// stays as if it stood alone, though much of that is a second answer for the same object.
///
/// **Soft suppression** lowers the scores of those:
///
///     share of the score    1 |**
///                             |  ****
///                             |      ****          1 - soft suppression * overlap
///                             |          |
///                           0 |__________|_______  greatest overlap with a better box that stayed
///                             0      IoU threshold
///
/// From N. Bodla et al.: "Soft-NMS - improving object detection with one line of code", arXiv:1704.04503, equation 3,
/// behind greedy suppression and by the greatest overlap alone: an object among several neighbors does not lose to each
/// of them.
///
/// **Box voting** makes a box the mean of all that show the same object. A detector answers several times, from cells
/// side by side. The answer of the highest score is not the one that fits best: errors differ, and their mean is
/// nearer to the object than most of them.
///
///     box = sum of score^2 * box / sum of score^2    over boxes of an overlap >= threshold, the box itself always
///
/// From S. Gidaris, N. Komodakis: "Object detection via a multi-region & semantic segmentation-aware CNN model",
/// arXiv:1505.01749, with the scores squared: boxes of low scores, which a threshold of confidence leaves out or lets
/// in, then hardly matter.
package struct SuppressionSettings: Hashable, Sendable {
  /// The least score of what soft suppression lowers; compared as float32.
  package var confidenceThreshold: Double
  /// The greatest intersection over union of two objects. Negative numbers count as 0; NaN removes nothing.
  package var iouThreshold: Double
  /// The part of the greatest overlap that a score loses, in 0...1.
  package var softSuppression: Double
  /// The least overlap of a box that votes. From 1 on nothing votes.
  package var boxVotingThreshold: Double
  /// Whether boxes of different classes compete and vote, too.
  package var isClassAgnostic: Bool
  /// The greatest number of objects, at least 1; `nil` for all.
  package var maximumCount: Int?

  /// Creates settings.
  package init(
    confidenceThreshold: Double = 0, iouThreshold: Double, softSuppression: Double = 0,
    boxVotingThreshold: Double = 1, isClassAgnostic: Bool = false, maximumCount: Int? = nil
  ) {
    self.confidenceThreshold = confidenceThreshold
    self.iouThreshold = iouThreshold
    self.softSuppression = softSuppression
    self.boxVotingThreshold = boxVotingThreshold
    self.isClassAgnostic = isClassAgnostic
    self.maximumCount = maximumCount
  }

  /// The same for the core.
  var core: fov_detection_settings {
    fov_detection_settings(
      confidence_threshold: confidenceThreshold, iou_threshold: iouThreshold,
      soft_suppression: softSuppression, box_voting_threshold: boxVotingThreshold,
      class_agnostic: isClassAgnostic, maximum_count: maximumCount ?? 0)
  }
}
