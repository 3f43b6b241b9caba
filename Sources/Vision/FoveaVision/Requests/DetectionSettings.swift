// Fovea - the numbers a detection uses, and where they come from.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaLibc
internal import FoveaRuntime

/// The settings of a detection, with the values of the model for those that the request leaves
/// `nil`.
public struct DetectionSettings: Hashable, Sendable {
  /// The least score of an object's best class, compared as float32.
  public let minimumConfidence: Double
  /// The greatest intersection over union of two objects.
  public let iouThreshold: Double
  /// The overlap from which suppressed boxes move the box of an object; 1 for never.
  public let boxVotingThreshold: Double
  /// The strength of soft suppression; 0 for none.
  public let softSuppression: Double
  /// Whether an object also suppresses objects of other classes.
  public let isClassAgnostic: Bool
  /// The greatest number of objects; `nil` for all.
  public let maximumObservations: Int?
  /// For each class, whether it may be found; `nil` for all.
  package let allowedClasses: [Bool]?
  /// Whether one box may give objects of several classes.
  public let candidateRule: CandidateRule

  /// The default if neither the request nor the model states a threshold.
  package static let defaultConfidence = ModelThresholds.defaultConfidence
  /// The default if neither the request nor the model states a threshold.
  package static let defaultIntersectionOverUnion =
    ModelThresholds.defaultIntersectionOverUnion

  /// Settings that ask no model.
  ///
  /// - Throws: `.invalidRequest` for a number outside 0...1.
  package init(
    minimumConfidence: Double, iouThreshold: Double, boxVotingThreshold: Double = 1,
    softSuppression: Double = 0, isClassAgnostic: Bool = false,
    maximumObservations: Int? = nil, allowedClasses: [Bool]? = nil,
    candidateRule: CandidateRule = .bestClass
  ) throws(DetectionError) {
    self.minimumConfidence = try checkedFraction(minimumConfidence, "confidence threshold")
    self.iouThreshold = try checkedFraction(iouThreshold, "IoU threshold")
    self.boxVotingThreshold = try checkedFraction(boxVotingThreshold, "box voting threshold")
    self.softSuppression = try checkedFraction(softSuppression, "soft suppression")
    self.isClassAgnostic = isClassAgnostic
    self.maximumObservations = maximumObservations
    self.allowedClasses = allowedClasses
    self.candidateRule = candidateRule
  }

  init(_ request: DetectObjectsRequest) throws(DetectionError) {
    let own = request.detector.thresholds
    if let maximum = request.maximumObservations, maximum < 1 {
      throw .invalidRequest(
        "maximumObservations is \(maximum); it must be at least 1, or nil for all objects")
    }
    try self.init(
      minimumConfidence: request.minimumConfidence.map { Double($0) } ?? own.confidence,
      iouThreshold: request.iouThreshold ?? own.intersectionOverUnion,
      boxVotingThreshold: request.boxVotingThreshold ?? own.boxVoting,
      softSuppression: request.softSuppression ?? own.softSuppression,
      isClassAgnostic: request.isClassAgnostic ?? own.isClassAgnostic,
      maximumObservations: request.maximumObservations ?? own.maximumCount,
      allowedClasses: try classMask(request.allowedLabels, of: request.classLabels),
      candidateRule: request.candidateRule)
  }
}

extension DetectionSettings {
  /// What suppression needs of them.
  var suppression: SuppressionSettings {
    SuppressionSettings(
      confidenceThreshold: minimumConfidence, iouThreshold: iouThreshold,
      softSuppression: softSuppression, boxVotingThreshold: boxVotingThreshold,
      isClassAgnostic: isClassAgnostic, maximumCount: maximumObservations)
  }
}

private func checkedFraction(_ value: Double, _ name: String) throws(DetectionError) -> Double {
  guard (0...1).contains(value) else {
    throw .invalidRequest("the \(name) is \(value); it must be in 0...1")
  }
  return value
}

private func classMask(
  _ labels: Set<String>?, of classLabels: [String]
) throws(DetectionError) -> [Bool]? {
  guard let labels else { return nil }
  try check(labels, among: classLabels)
  return classLabels.map { labels.contains($0) }
}

/// Refuses labels that a detector does not have.
private func check(_ labels: Set<String>, among classLabels: [String]) throws(DetectionError) {
  let unknown = labels.subtracting(classLabels).sorted()
  guard unknown.isEmpty else {
    let some = classLabels.prefix(12).joined(separator: ", ")
    let more = classLabels.count > 12 ? ", ... (\(classLabels.count) in all)" : ""
    let names = unknown.map { "'\($0)'" }.joined(separator: ", ")
    let meant = suggestion(for: unknown[0], among: classLabels)
    throw .invalidRequest("the model has no label \(names); it has \(some)\(more)\(meant)")
  }
}

extension DetectObjectsRequest {
  /// Refuses labels that the detector does not find.
  ///
  /// - Throws: `.invalidRequest`, which names those that it has.
  package func check(_ labels: Set<String>) throws(DetectionError) {
    try FoveaVision.check(labels, among: classLabels)
    if let allowedLabels, let left = labels.subtracting(allowedLabels).sorted().first {
      throw .invalidRequest("the label '\(left)' is not among those that are looked for")
    }
  }
}
