// Fovea - what becomes of the class scores of one box.
// SPDX-License-Identifier: Apache-2.0

/// How many objects one box may stand for.
public enum CandidateRule: String, Hashable, Codable, Sendable, CaseIterable {
  /// One: its best class; the lower index where two are equal. What a Core ML suppression stage
  /// does.
  case bestClass
  /// One for each class whose score reaches the threshold. What COCO evaluations of YOLO do.
  case multiLabel
}
