// Fovea - the thresholds that a model states about itself.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
package import FoveaModelValues

/// The thresholds that a model states about itself.
package struct ModelThresholds: Hashable, Sendable {
  /// The least score of an object.
  package let confidence: Double
  /// The greatest overlap of two objects.
  package let intersectionOverUnion: Double
  /// The least overlap with an object at which a displaced box still moves it.
  package let boxVoting: Double
  /// The part of its overlap with a better object that an object loses of its confidence.
  package let softSuppression: Double
  /// Whether an object also displaces those of other classes.
  package let isClassAgnostic: Bool
  /// The greatest number of objects; `nil` for all.
  package let maximumCount: Int?

  /// What is used when a model states no least score.
  package static let defaultConfidence = 0.25
  /// What is used when a model states no greatest overlap.
  package static let defaultIntersectionOverUnion = 0.45

  /// A suppression stage wins over metadata, metadata over the defaults. Metadata that are no
  /// number in 0...1 count as absent: they are free text.
  package init(suppression: NonMaximumSuppression?, metadata: ModelMetadata) {
    confidence =
      suppression?.confidenceThreshold
      ?? metadata.fraction(["confidence_threshold", "Confidence threshold"])
      ?? Self.defaultConfidence
    intersectionOverUnion =
      suppression?.iouThreshold
      ?? metadata.fraction([
        "iou_threshold", "IoU threshold", "non_maximum_suppression_threshold",
      ]) ?? metadata.headOverlap ?? Self.defaultIntersectionOverUnion
    boxVoting = metadata.fraction(["box_voting_threshold"]) ?? 1
    softSuppression = metadata.fraction(["soft_suppression"]) ?? 0
    isClassAgnostic =
      suppression.map { !$0.perClass } ?? (metadata.userDefined["class_agnostic"] == "true")
    maximumCount = metadata.userDefined["maximum_objects"].flatMap { Int($0) }.flatMap {
      (1...1_000_000).contains($0) ? $0 : nil
    }
  }
}

extension ModelMetadata {
  /// 1 for heads whose boxes are one for each object; `nil` for others.
  fileprivate var headOverlap: Double? {
    let head = userDefined[DetectorHead.metadataKey].flatMap(DetectorHead.init)
    return head?.needsSuppression == false ? 1 : nil
  }

  /// The first of `keys` whose value is a number in 0...1.
  fileprivate func fraction(_ keys: [String]) -> Double? {
    for key in keys {
      guard let text = userDefined[key] else { continue }
      let trimmed = text.drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
      if let value = Double(trimmed), (0...1).contains(value) { return value }
    }
    return nil
  }
}
