// Fovea - boxes of detectors in TensorFlow Lite.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension TensorFlowLiteNode {
  /// What ends detectors.
  static let detectionRules: [String: TensorFlowLiteRule] = [
    TensorFlowLiteNames.detection: { node throws(FoveaError) in try node.detections() }
  ]

  /// Scores [boxes, classes] and boxes [boxes, 4]: center and size in fractions of the image, x first.
  /// A stage that follows suppresses some of them.
  ///
  /// Boxes are given as distances (y, x, log height, log width) from anchors of the same form, each
  /// multiplied by a scale of its own. The first score may be that of the background.
  private func detections() throws(FoveaError) {
    let (boxes, scores, anchors) = (try shape(0), try shape(1), try shape(2))
    guard boxes.count == 3, boxes[0] == 1, boxes[2] >= 4, scores.count == 3, scores[0] == 1,
      scores[1] == boxes[1], scores[2] >= 1, anchors == [boxes[1], 4], boxes[1] >= 1
    else {
      throw operation.mismatch(
        "boxes of shape \(boxes), scores of shape \(scores), anchors of shape \(anchors)")
    }
    let count = boxes[1]
    let classes = try operation.float("num_classes", default: Float(scores[2]))
    let background = classes == Float(scores[2] - 1) ? 1 : 0
    let picked = try step(
      "slice_by_index",
      [
        "x": [argument(1, as: .file)], "begin": [.integers([0, 0, background])],
        "end": [.integers([1, count, scores[2]])],
      ])
    try give(
      [
        Step(
          "reshape",
          ["x": [picked], "shape": [.integers([count, scores[2] - background])]])
      ], in: .file, result: 0)
    try give([Step("concat", try coordinates(count))], in: .file, result: 1)
  }

  private func coordinates(
    _ count: Int
  ) throws(FoveaError) -> [String: [TensorProgram.Argument]] {
    let anchors = try values.constant(name(2)).numbers().floats()
    var scales: [Float] = []
    for name in ["x_scale", "y_scale", "w_scale", "h_scale"] {
      let scale = try operation.float(name, default: 1)
      guard scale > 0, scale.isFinite else { throw operation.mismatch("\"\(name)\" is \(scale)") }
      scales.append(scale)
    }
    func column(_ index: Int, over scale: Float = 1) -> [Float] {
      stride(from: index, to: 4 * count, by: 4).map { anchors[$0] / scale }
    }
    /// Two columns side by side.
    func columns(_ first: [Float], _ second: [Float]) -> TensorProgram.Argument {
      .floats(zip(first, second).flatMap { [$0, $1] }, shape: [count, 2])
    }
    // Columns from right to left: x before y, width before height.
    func part(_ begin: Int, _ end: Int) throws(FoveaError) -> TensorProgram.Argument {
      let slice = try step(
        "slice_by_index",
        [
          "x": [argument(0, as: .file)], "begin": [.integers([0, 0, begin])],
          "end": [.integers([1, count, max(end, 0)])], "stride": [.integers([1, 1, -1])],
          "end_mask": [.booleans([false, false, end < 0])],
        ])
      return try step("reshape", ["x": [slice], "shape": [.integers([count, 2])]])
    }
    let extents = columns(column(3, over: scales[0]), column(2, over: scales[1]))
    let distances = try step("mul", ["x": [part(1, -1)], "y": [extents]])
    let centers = try step(
      "add", ["x": [distances], "y": [columns(column(1), column(0))]])
    let factors = TensorProgram.Argument.floats([1 / scales[2], 1 / scales[3]], shape: [1, 2])
    let logarithms = try step("mul", ["x": [part(3, 1)], "y": [factors]])
    let growth = try step("exp", ["x": [logarithms]])
    let sizes = try step(
      "mul", ["x": [growth], "y": [columns(column(3), column(2))]])
    return [
      "values": [centers, sizes], "axis": [.integer(1)], "interleave": [.boolean(false)],
    ]
  }
}
