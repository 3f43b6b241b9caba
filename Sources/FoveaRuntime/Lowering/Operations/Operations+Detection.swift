// Fovea - suppression, classes and codes of activations in programs.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaModelFormat

extension OperationLowering {
  /// What ends detectors and classifiers, and what surrounds layers of 8 bits.
  static let detectionRules: [String: OperationRule] = [
    "non_maximum_suppression": { op throws(FoveaError) in try op.suppression() },
    // Whoever reads the probabilities finds the label.
    "classify": { op throws(FoveaError) in [.answer, try op.argument("probabilities")] },
    "quantize": { op throws(FoveaError) in try op.quantize() },
    "dequantize": { op throws(FoveaError) in try op.dequantize() },
  ]

  // MARK: Suppression

  /// The best boxes that overlap no better one. Until iOS 16 boxes and classes are the last
  /// dimensions, and a score threshold is given; from iOS 17 on they are the middle ones.
  private func suppression() throws(FoveaError) -> [ProgramValue] {
    let isOld = has("score_threshold")
    var (boxes, scores) = (try tensor("boxes"), try tensor("scores"))
    guard boxes.rank == 3, scores.rank == 3 else {
      throw mismatch("boxes of shape \(boxes.shape) with scores of shape \(scores.shape)")
    }
    if !isOld {
      boxes = try graph.transpose(boxes, axes: [0, 2, 1])
      scores = try graph.transpose(scores, axes: [0, 2, 1])
    }
    guard boxes.shape[2] == 4, boxes.shape[0] == scores.shape[0],
      boxes.shape[1] == scores.shape[1]
    else { throw mismatch("boxes of shape \(boxes.shape) with scores of shape \(scores.shape)") }
    var parameters = fov_box_suppression()
    parameters.iou_threshold = try float("iou_threshold")
    parameters.score_threshold = try float("score_threshold", default: -.infinity)
    parameters.maximum_boxes = try positive("max_boxes", default: 1)
    parameters.per_class = try boolean("per_class_suppression")
    let indices = try graph.suppressionIndices(boxes, scores, parameters)
    let zero = try graph.constant([0], shape: [])
    let isKept = try graph.binary(.greater_equal, indices, zero)
    var kept: [GraphValue] = []
    for rows in [boxes, scores] {
      let picked = try graph.gather(rows, indices, kind: .take, axis: 1, batchDimensions: 1)
      let flags = try graph.reshape(isKept, to: isKept.shape + [1])
      // Rows behind the last one are zeros.
      let masked = try graph.select(flags, picked, zero)
      kept.append(isOld ? masked : try graph.transpose(masked, axes: [0, 2, 1]))
    }
    let counts = try graph.reduce(isKept, .sum, axes: [1], keepsDimensions: false)
    return [
      .computed(kept[0], .float), .computed(kept[1], .float), .computed(indices, .integer),
      .computed(counts, .integer),
    ]
  }

  // MARK: Codes of activations

  /// round(x / scale) + zero point, within the range of the type; halves go to the even number.
  private func quantize() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("input")
    let (scale, zero) = try codeParameters(for: x)
    let quotient = try graph.binary(.divide, x, scale)
    var codes = try graph.unary(quotient, .round)
    if let zero { codes = try graph.binary(.add, codes, zero) }
    let range: (low: Float, high: Float) = try choice(
      "output_dtype", ["int8": (-128, 127), "uint8": (0, 255)])
    return result(
      try graph.unary(codes, .clip, alpha: range.low, beta: range.high), .integer)
  }

  /// scale * (code - zero point).
  private func dequantize() throws(FoveaError) -> [ProgramValue] {
    let codes = try tensor("input")
    let (scale, zero) = try codeParameters(for: codes)
    let shifted = try zero.map { (zero) throws(FoveaError) in
      try graph.binary(.subtract, codes, zero)
    }
    return result(try graph.binary(.multiply, shifted ?? codes, scale))
  }

  /// Scale and zero point: one of each, or one for each index along an axis.
  private func codeParameters(
    for x: GraphValue
  ) throws(FoveaError) -> (scale: GraphValue, zero: GraphValue?) {
    var shape = Array(repeating: 1, count: x.rank)
    let scale = try constant("scale")
    if !scale.shape.isEmpty {
      let axis = try dimension(integer("axis"), ofRank: x.rank)
      shape[axis] = x.shape[axis]
    }
    guard scale.count == shape.reduce(1, *) else {
      throw mismatch("\(scale.count) scales for an input of shape \(x.shape)")
    }
    var zero: GraphValue?
    if has("zero_point") {
      let points = try constant("zero_point")
      guard points.count == scale.count || points.count == 1 else {
        throw mismatch("\(points.count) zero points for \(scale.count) scales")
      }
      let ones = Array(repeating: 1, count: x.rank)
      zero = try graph.constant(points.floats(), shape: points.count == 1 ? ones : shape)
    }
    return (try graph.constant(scale.floats(), shape: shape), zero)
  }
}
