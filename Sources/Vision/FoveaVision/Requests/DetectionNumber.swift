// Fovea - the numbers that say what counts as an object, each declared once.
// SPDX-License-Identifier: Apache-2.0
package import FoveaRuntime

/// A number in 0...1 that says what counts as an object.
///
/// The options of commands with their help, the settings of C programs, the arguments in Python and
/// the numbers in reports follow from this table. A new one is a row here, a property of
/// `DetectObjectsRequest`, `DetectionSettings` and `ModelThresholds` each, and its arithmetic.
package struct DetectionNumber: Sendable {
  /// The name in C and Python, such as "box_voting".
  package let name: String
  /// What it is called in sentences.
  package let title: String
  /// What the number means and what applies without it, for the help of commands.
  package let help: String
  /// The value that changes nothing, where there is one.
  package let idle: Double?
  /// What a request asks for; `nil` for the model's own.
  package let wanted: @Sendable (inout DetectObjectsRequest, Double?) -> Void
  /// What a detection uses.
  package let used: @Sendable (DetectionSettings) -> Double
  /// What a model states about itself.
  package let own: @Sendable (ModelThresholds) -> Double

  package static let all = [
    DetectionNumber(
      name: "confidence", title: "confidence",
      help: "least confidence (default: the model's own, else 0.25)", idle: nil,
      wanted: { $0.minimumConfidence = $1.map { Float($0) } }, used: \.minimumConfidence,
      own: \.confidence),
    DetectionNumber(
      name: "iou", title: "IoU",
      help: "greatest overlap of two objects (default: the model's own, else 0.45)", idle: nil,
      wanted: { $0.iouThreshold = $1 }, used: \.iouThreshold, own: \.intersectionOverUnion),
    DetectionNumber(
      name: "box_voting", title: "box voting",
      help: "least overlap at which a displaced box still moves the object"
        + " (default: the model's own, else 1: none does)", idle: 1,
      wanted: { $0.boxVotingThreshold = $1 }, used: \.boxVotingThreshold, own: \.boxVoting),
    DetectionNumber(
      name: "soft_suppression", title: "soft suppression",
      help: "part of its overlap with a better object that an object loses of its confidence"
        + " (default: the model's own, else 0)", idle: 0,
      wanted: { $0.softSuppression = $1 }, used: \.softSuppression, own: \.softSuppression),
  ]

  /// Those that say what becomes of the objects that suppression leaves.
  package static var refinements: [DetectionNumber] { all.filter { $0.idle != nil } }

  /// The one of a name; `nil` where there is none.
  package static func named(_ name: String) -> DetectionNumber? { all.first { $0.name == name } }
}
