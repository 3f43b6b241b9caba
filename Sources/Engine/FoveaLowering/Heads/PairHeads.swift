// Fovea - heads with one output of scores and one of boxes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaLibc
internal import FoveaModelValues

extension HeadRule {
  /// Scores, and then corners in pixels: one box in each cell.
  static let nanodet = HeadRule(head: .nanodet) { evidence, program, isForced throws(FoveaError) in
    guard let pair = HeadPair(evidence), isForced || !pair.beginsWithBoxes else { return nil }
    return try corners(.nanodet, pair, evidence, program, isForced)
  }

  /// Corners in pixels, and then scores, which may be turned: one box in each cell.
  static let yoloNAS = HeadRule(head: .yoloNAS) { evidence, program, isForced throws(FoveaError) in
    guard let pair = HeadPair(evidence, allowsTurned: true), isForced || pair.beginsWithBoxes else {
      return nil
    }
    return try corners(.yoloNAS, pair, evidence, program, isForced)
  }

  private static func corners(
    _ head: DetectorHead, _ pair: HeadPair, _ evidence: HeadEvidence, _ program: HeadProgram,
    _ isForced: Bool
  ) throws(FoveaError) -> DecodedHead? {
    let strides = evidence.strides(ofBoxes: pair.count, inCell: 1)
    guard strides != nil || isForced else { return nil }
    let boxes = try program.rows(pair.boxes.value, isTurned: false)
    let cells = strides.map { ", one in each cell of \(evidence.text(of: $0))" } ?? ""
    return DecodedHead(
      confidence: try program.rows(pair.scores.value, isTurned: pair.isTurned),
      coordinates: try program.centers(ofCorners: boxes, evidence),
      recognized: RecognizedHead(
        head,
        reason:
          "output \"\(pair.boxes.name)\" has \(pair.count) boxes\(cells), and"
          + " \"\(pair.scores.name)\" their scores"))
  }

  /// Scores and boxes of queries, fewer than cells and chosen by a transformer.
  static let detr = HeadRule(head: .detr) { evidence, program, isForced throws(FoveaError) in
    guard let pair = HeadPair(evidence),
      isForced || (pair.count <= 1000 && evidence.kinds?.contains("layer_norm") == true)
    else { return nil }
    return DecodedHead(
      confidence: try pair.probabilities(evidence, program),
      coordinates: try program.rows(pair.boxes.value, isTurned: false),
      recognized: RecognizedHead(
        .detr,
        reason:
          "a transformer gives \(pair.count) boxes (\"\(pair.boxes.name)\") with scores"
          + " (\"\(pair.scores.name)\")"))
  }

  /// Distances from nine boxes in each cell of five grids.
  static let efficientdet = HeadRule(head: .efficientdet) {
    evidence, program, isForced throws(FoveaError) in
    guard let pair = HeadPair(evidence) else { return nil }
    let anchors = EfficientDetAnchors(evidence)
    guard pair.count == anchors.count else { return nil }
    let offsets = try program.rows(pair.boxes.value, isTurned: false)
    return DecodedHead(
      confidence: try pair.probabilities(evidence, program),
      coordinates: try anchors.decoded(offsets, program, evidence),
      recognized: RecognizedHead(
        .efficientdet,
        reason:
          "output \"\(pair.boxes.name)\" has \(pair.count) rows, 9 in each cell of"
          + " \(evidence.text(of: EfficientDetAnchors.strides))"))
  }
}

/// Outputs of scores [1, N, C], or turned, and boxes [1, N, 4].
private struct HeadPair {
  let scores: HeadEvidence.Output
  let boxes: HeadEvidence.Output
  let count: Int
  let columns: Int
  /// Whether the scores are [1, C, N].
  let isTurned: Bool
  /// Whether the boxes are the first output.
  let beginsWithBoxes: Bool

  init?(_ evidence: HeadEvidence, allowsTurned: Bool = false) {
    let matrices = evidence.outputs.filter { $0.matrix != nil }
    // Boxes of networks of layers are fractions of the image: those are read without a head.
    guard matrices.count == 2, evidence.outputs.count == 2, evidence.kinds != nil else {
      return nil
    }
    // With four classes both may be boxes: then the names decide.
    let candidates = matrices.filter { $0.matrix?.columns == 4 }
    let named = candidates.first { output in
      ["box", "coord", "offset", "loc"].contains { output.name.lowercased().includes($0) }
    }
    guard let boxes = candidates.count == 1 ? candidates[0] : named,
      let scores = matrices.first(where: { $0.name != boxes.name }),
      let (rows, columns) = scores.matrix, let count = boxes.matrix?.rows
    else { return nil }
    isTurned = rows != count
    guard !isTurned || (allowsTurned && columns == count) else { return nil }
    (self.scores, self.boxes, self.count) = (scores, boxes, count)
    self.columns = isTurned ? rows : columns
    beginsWithBoxes = evidence.outputs[0].name == boxes.name
  }

  /// The scores as probabilities. Outputs that are called logits become some: by a sigmoid, or by
  /// a softmax whose last class is "nothing" where the file names one class less.
  func probabilities(
    _ evidence: HeadEvidence, _ program: HeadProgram
  ) throws(FoveaError) -> HeadValue {
    let rows = try program.rows(scores.value, isTurned: false)
    let hasNothing = evidence.classCount == columns - 1
    guard scores.name.lowercased().includes("logit") else {
      return hasNothing ? try program.columns(rows, 0..<columns - 1) : rows
    }
    guard hasNothing else { return try program.unary("sigmoid", rows) }
    return try program.columns(program.softmax(rows, axis: 1), 0..<columns - 1)
  }
}

/// The boxes that EfficientDet measures from: three sizes of three shapes in each cell.
///
/// Sizes and shapes are those of its reference implementation: octaves 2^(0, 1/3, 2/3), and
/// (width, height) of (1, 1), (1.4, 0.7), (0.7, 1.4). The small networks, which read images of
/// fewer than 512 pixels, have a scale of 3, others of 4.
private struct EfficientDetAnchors {
  static let strides = [8, 16, 32, 64, 128]
  /// Center y and center x of each box, in pixels.
  private var centers: [Float] = []
  /// Height and width of each box, in pixels.
  private var sizes: [Float] = []

  var count: Int { sizes.count / 2 }

  init(_ evidence: HeadEvidence) {
    let scale =
      evidence.metadata["anchor_scale"].flatMap { Double($0) }
      ?? (max(evidence.width, evidence.height) < 512 ? 3 : 4)
    for stride in Self.strides {
      let rows = (evidence.height + stride - 1) / stride
      let columns = (evidence.width + stride - 1) / stride
      guard rows * columns < 1 << 20 else { return }
      for y in 0..<rows {
        for x in 0..<columns {
          for octave in 0..<3 {
            let base = scale * Double(stride) * Self.power(octave)
            for (width, height) in [(1.0, 1.0), (1.4, 0.7), (0.7, 1.4)] {
              centers += [
                Float((Double(y) + 0.5) * Double(stride)),
                Float((Double(x) + 0.5) * Double(stride)),
              ]
              sizes += [Float(base * height), Float(base * width)]
            }
          }
        }
      }
    }
  }

  /// 2^(octave / 3).
  private static func power(_ octave: Int) -> Double {
    [1, 1.2599210498948732, 1.5874010519681994][octave]
  }

  /// Distances (y, x, log height, log width) as centers and sizes in fractions of the image.
  func decoded(
    _ offsets: HeadValue, _ program: HeadProgram, _ evidence: HeadEvidence
  ) throws(FoveaError) -> HeadValue {
    let sizes = program.constant(sizes, shape: [count, 2])
    let shifts = try program.binary("mul", program.columns(offsets, 0..<2), sizes)
    let centers = try program.binary(
      "add", shifts, program.constant(centers, shape: [count, 2]))
    let exponentials = try program.unary("exp", program.columns(offsets, 2..<4))
    let extents = try program.binary("mul", exponentials, sizes)
    // y before x becomes x before y.
    let parts = try program.concat([centers, extents], axis: 1)
    let (x, y) = (1 / Float(evidence.width), 1 / Float(evidence.height))
    let turn: [Float] = [0, y, 0, 0, x, 0, 0, 0, 0, 0, 0, y, 0, 0, x, 0]
    return try program.product(parts, program.constant(turn, shape: [4, 4]))
  }
}
