// Fovea - which head a detector has.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaModelFormat

/// The scores [N, C] and the boxes [N, 4] of a head, in fractions of the image.
struct DecodedHead {
  var confidence: GraphValue
  var coordinates: GraphValue
  var recognized: RecognizedHead
}

/// One way to recognize a head and to decode it.
struct HeadRule: Sendable {
  var head: DetectorHead
  /// Decodes the outputs; `nil` where they are not of this head. With `isForced`, evidence that only
  /// tells heads apart is not asked for.
  var decode:
    @Sendable (HeadEvidence, GraphBuilder, _ isForced: Bool) throws(FoveaError) -> DecodedHead?

  /// The heads in the order in which they are tried: those with the strongest evidence first.
  static let all: [HeadRule] = [
    .endToEnd, .yolo, .yoloAnchors, .yolox, .efficientdet, .nanodet, .detr,
  ]
}

/// Finds the head of a detector and adds its decoding to the graph.
enum HeadRecognition {
  /// The decoded outputs of a head.
  ///
  /// - Parameter forced: The head that the caller asks for; `nil` to look for one.
  /// - Returns: `nil` where no head is recognized.
  /// - Throws: `unsupported` if the outputs are not those of the head that is asked for.
  static func decode(
    _ evidence: HeadEvidence, _ graph: GraphBuilder, forced: DetectorHead?
  ) throws(FoveaError) -> DecodedHead? {
    for rule in HeadRule.all where forced == nil || rule.head == forced {
      if let decoded = try rule.decode(evidence, graph, forced != nil) { return decoded }
    }
    guard let forced else { return nil }
    let list = evidence.outputs.map { "\"\($0.name)\" \($0.value.shape)" }
    throw FoveaError(
      .unsupported,
      "the outputs are not those of the head \(forced.rawValue): \(list.joined(separator: ", "))")
  }
}

// MARK: Parts of decoding

extension GraphBuilder {
  /// Rows [N, columns] of an output that is [..., N, columns], or turned, [..., columns, N].
  func rows(_ value: GraphValue, isTurned: Bool) throws(FoveaError) -> GraphValue {
    let plane = try reshape(value, to: Array(value.shape.suffix(2)))
    return isTurned ? try transpose(plane, axes: [1, 0]) : plane
  }

  /// Columns of rows.
  func columns(_ rows: GraphValue, _ range: Range<Int>) throws(FoveaError) -> GraphValue {
    try slice(
      rows,
      [
        SliceRange(begin: 0, count: rows.shape[0]),
        SliceRange(begin: range.lowerBound, count: range.count),
      ])
  }

  /// Boxes in pixels as fractions of the image.
  func fractions(_ boxes: GraphValue, _ evidence: HeadEvidence) throws(FoveaError) -> GraphValue {
    let (x, y) = (1 / Float(evidence.width), 1 / Float(evidence.height))
    return try binary(.multiply, boxes, constant([x, y, x, y], shape: [4]))
  }

  /// Corners in pixels, left, top, right, bottom, as centers and sizes in fractions of the image.
  func centers(
    ofCorners corners: GraphValue, _ evidence: HeadEvidence
  ) throws(FoveaError) -> GraphValue {
    let (x, y) = (1 / Float(evidence.width), 1 / Float(evidence.height))
    let turn: [Float] = [
      x / 2, 0, -x, 0,
      0, y / 2, 0, -y,
      x / 2, 0, x, 0,
      0, y / 2, 0, y,
    ]
    return try matrixProduct(
      corners, constant(turn, shape: [4, 4]), transposesLeft: false, transposesRight: false)
  }
}
