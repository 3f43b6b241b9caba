// Fovea - options that say what becomes of the objects that suppression leaves.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// What becomes of the objects that suppression leaves.
struct RefinementOptions {
  static let options: [CommandDescription.Option] = [
    .init(
      name: "--box-voting", value: "0...1",
      help:
        "least overlap at which a displaced box still moves the object (default: the model's own, else 1: none does)"
    ),
    .init(
      name: "--soft-suppression", value: "0...1",
      help:
        "part of its overlap with a better object that an object loses of its confidence (default: the model's own, else 0)"
    ),
  ]

  private let boxVoting: Double?
  private let softSuppression: Double?

  /// Reads the options.
  ///
  /// - Throws: `UsageError`.
  init(_ arguments: ArgumentList) throws(UsageError) {
    boxVoting = try arguments.fraction("--box-voting")
    softSuppression = try arguments.fraction("--soft-suppression")
  }

  /// Sets what the options say; what they leave open the model says.
  func apply(to request: inout DetectObjectsRequest) {
    request.boxVotingThreshold = boxVoting
    request.softSuppression = softSuppression
  }

  /// The numbers as the beginning of a list; empty where objects stay what they are.
  static func text(boxVoting: Double, softSuppression: Double) -> String {
    (boxVoting < 1 ? "box voting \(boxVoting), " : "")
      + (softSuppression > 0 ? "soft suppression \(softSuppression), " : "")
  }
}
