// Fovea - suppression and classes in programs.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension OperationLowering {
  /// What ends detectors and classifiers.
  static let detectionRules: [String: OperationRule] = [
    "non_maximum_suppression": { op throws(FoveaError) in try op.suppression() },
    // Whoever reads the probabilities finds the label.
    "classify": { op throws(FoveaError) in [.answer, try op.argument("probabilities")] },
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
}
