// Fovea - which head a detector has.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// The scores [N, C] and the boxes [N, 4] of a head, in fractions of the image.
struct DecodedHead {
  var confidence: HeadValue
  var coordinates: HeadValue
  /// What it says of objects beside that.
  var parts: [HeadPart] = []
  var recognized: RecognizedHead
}

/// One way to recognize a head and to decode it.
struct HeadRule: Sendable {
  var head: DetectorHead
  /// Decodes the outputs; `nil` where they are not of this head. With `isForced`, evidence that
  /// only tells heads apart is not asked for.
  var decode:
    @Sendable (HeadEvidence, HeadProgram, _ isForced: Bool) throws(FoveaError) -> DecodedHead?

  /// The heads in the order in which they are tried: those with the strongest evidence first.
  static let all: [HeadRule] = [
    .suppressed, .endToEnd, .yolo, .yoloAnchors, .nanodetDistances, .picodet, .yolox, .efficientdet,
    .nanodet,
    .yoloNAS, .detr, .yolact, .movenet,
  ]
}

/// Finds the head of a detector and writes its decoding.
enum HeadRecognition {
  /// The decoded outputs of a head.
  ///
  /// - Parameter forced: The head that the caller asks for; `nil` to look for one.
  /// - Returns: `nil` where no head is recognized.
  /// - Throws: `unsupported` if the outputs are not those of the head that is asked for.
  static func decode(
    _ evidence: HeadEvidence, _ program: HeadProgram, forced: DetectorHead?
  ) throws(FoveaError) -> DecodedHead? {
    // What lies in front of a suppression is known.
    let wanted = forced ?? (evidence.suppression == nil ? nil : .suppressed)
    for rule in HeadRule.all where wanted == nil || rule.head == wanted {
      if let decoded = try rule.decode(evidence, program, forced != nil) { return decoded }
    }
    guard let forced else { return nil }
    let list = evidence.outputs.map { "\"\($0.name)\" \($0.value.shape)" }
    throw FoveaError(
      .unsupported,
      "the outputs are not those of the head \(forced.rawValue): \(list.joined(separator: ", "))")
  }
}
