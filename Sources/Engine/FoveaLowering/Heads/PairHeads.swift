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
    guard
      let reading = BoxReading(corners: true).found(
        in: pair.boxSample(evidence), evidence, cells: strides.map(evidence.gridCells) ?? [])
    else {
      evidence.doubt(pair.boxes, 0..<4, are: "boxes", in: pair.boxSample(evidence))
      return nil
    }
    guard let scores = pair.scores(evidence, mayHaveBackground: true) else {
      evidence.doubt(
        pair.scores, 0..<pair.columns, are: "scores",
        in: evidence.sample(of: pair.scores, isTurned: pair.isTurned))
      return nil
    }
    let boxes = try program.rows(pair.boxes.value, isTurned: false)
    let cells = strides.map { ", one in each cell of \(evidence.text(of: $0))" } ?? ""
    return DecodedHead(
      confidence: try scores.decoded(
        program.rows(pair.scores.value, isTurned: pair.isTurned), program),
      coordinates: try program.boxes(boxes, reading, evidence),
      recognized: RecognizedHead(
        head,
        reason:
          "output \"\(pair.boxes.name)\" has \(pair.count) boxes\(cells), \(reading.words), and"
          + " \"\(pair.scores.name)\" their scores\(scores.words)"))
  }

  /// Scores and boxes of queries, fewer than cells and chosen by a transformer.
  static let detr = HeadRule(head: .detr) { evidence, program, isForced throws(FoveaError) in
    guard let pair = HeadPair(evidence),
      isForced || (pair.count <= 1000 && evidence.kinds?.contains("layer_norm") == true)
    else { return nil }
    guard let reading = pair.queryBoxes(evidence) else {
      evidence.doubt(pair.boxes, 0..<4, are: "boxes", in: pair.boxSample(evidence))
      return nil
    }
    let scores = try pair.queryScores(evidence)
    var recognized = RecognizedHead(
      .detr,
      reason:
        "a transformer gives \(pair.count) boxes (\"\(pair.boxes.name)\", \(reading.words)) with"
        + " scores (\"\(pair.scores.name)\"\(scores.words))")
    recognized.imageNetReason = pair.imageNetReason(scores)
    return DecodedHead(
      confidence: try scores.decoded(
        program.rows(pair.scores.value, isTurned: false), program),
      coordinates: try program.boxes(
        program.rows(pair.boxes.value, isTurned: false), reading, evidence),
      parts: try pair.maskParts(program), recognized: recognized)
  }

  /// Distances from nine boxes in each cell of five grids.
  static let efficientdet = HeadRule(head: .efficientdet) {
    evidence, program, isForced throws(FoveaError) in
    guard let pair = HeadPair(evidence) else { return nil }
    let anchors = EfficientDetAnchors(evidence)
    guard pair.count == anchors.count, pair.areOffsets(evidence) else { return nil }
    // RetinaNet has as many boxes in each cell, of other shapes and in another order.
    guard isForced || pair.hasTellingNames else {
      evidence.doubt(
        "\(pair.count) boxes are nine in each cell of EfficientDet or of RetinaNet, and names do not"
          + " tell which; say --head efficientdet if it is one")
      return nil
    }
    guard let scores = pair.scores(evidence, mayHaveBackground: false)
    else { return nil }
    let offsets = try program.rows(pair.boxes.value, isTurned: false)
    return DecodedHead(
      confidence: try scores.decoded(
        program.rows(pair.scores.value, isTurned: false), program),
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
  /// A mask [1, N, rows, columns] of each box, as RF-DETR writes it.
  let masks: HeadEvidence.Output?

  init?(_ evidence: HeadEvidence, allowsTurned: Bool = false) {
    let matrices = evidence.outputs.filter { $0.matrix != nil }
    // Boxes of networks of layers are fractions of the image: those are read without a head.
    masks = evidence.outputs.first { $0.matrix == nil && $0.value.rank == 4 }
    guard matrices.count == 2, evidence.outputs.count == (masks == nil ? 2 : 3),
      evidence.kinds != nil, masks.map({ $0.value.shape[1] == matrices[0].matrix?.rows }) != false
    else { return nil }
    // With four classes both may be boxes: then the names decide.
    let candidates = matrices.filter { $0.matrix?.columns == 4 }
    let named = candidates.first { output in
      ["box", "coord", "offset", "loc", "dets"].contains { output.name.lowercased().includes($0) }
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

  /// The masks as an output, if there are any.
  func maskParts(_ program: HeadProgram) throws(FoveaError) -> [HeadPart] {
    guard let masks else { return [] }
    let planes = try program.reshaped(masks.value, Array(masks.value.shape.suffix(3)))
    return [HeadPart(output: .maskPlanes, value: planes)]
  }

  /// Whether outputs have names that tell boxes from scores.
  var hasTellingNames: Bool {
    [boxes.name, scores.name].contains { name in
      ["box", "class", "score", "logit", "regress", "offset"].contains {
        name.lowercased().includes($0)
      }
    }
  }

  /// The numbers of the boxes that the network wrote for a synthetic picture.
  func boxSample(_ evidence: HeadEvidence) -> HeadRows? { evidence.sample(of: boxes) }

  /// Whether boxes can be distances from others: each column has negative numbers, and none is large.
  func areOffsets(_ evidence: HeadEvidence) -> Bool {
    guard let rows = boxSample(evidence) else { return true }
    let ranges = (0..<4).map(rows.range)
    return ranges.allSatisfy { range in
      range.map { $0.lowerBound < 0 && $0.upperBound < 100 } ?? false
    }
  }

  /// What the scores are; `nil` if they can be none.
  func scores(_ evidence: HeadEvidence, mayHaveBackground: Bool) -> ScoreReading? {
    let origins = evidence.origins(of: scores, 0..<columns, isTurned: isTurned)
    let isProven = origins.allSatisfy { $0 == .probability }
    if isProven, !mayHaveBackground || evidence.classCount == columns, evidence.scores == nil {
      return ScoreReading()
    }
    return ScoreReading.find(
      evidence.sample(of: scores, isTurned: isTurned), 0..<columns, isProven: isProven,
      mayHaveBackground: mayHaveBackground, evidence)
  }

  /// What the boxes of queries are: fractions where they come out of a sigmoid.
  func queryBoxes(_ evidence: HeadEvidence) -> BoxReading? {
    let usual = BoxReading(corners: false, units: .fractions)
    let isProven = evidence.origins(of: boxes, 0..<4).allSatisfy { $0 == .probability }
    return isProven && evidence.boxes == nil
      ? usual : usual.found(in: boxSample(evidence), evidence)
  }

  /// Which of the transformers read pictures with the mean and deviation of ImageNet.
  func imageNetReason(_ reading: ScoreReading) -> String? {
    if reading.form == .softmax {
      return "DETR is trained with the mean and deviation of ImageNet"
    }
    return boxes.name.lowercased() == "dets" && scores.name.lowercased() == "labels"
      ? "RF-DETR is trained with the mean and deviation of ImageNet" : nil
  }

  /// The classes of COCO by their numbers, 0 to 90, and "no object".
  private static let columnsOfDETR = 92

  /// Deformable attention samples images between pixels.
  private func looksAtPlaces(_ evidence: HeadEvidence) -> Bool {
    evidence.kinds?.contains("resample") == true
  }

  /// What the scores of a transformer's queries are: logits by their name. Those of DETR itself have
  /// a last one for "no object"; its kin, which look at places of a picture, have none.
  ///
  /// - Throws: `unsupported` where neither names nor graph tell one from the other.
  func queryScores(_ evidence: HeadEvidence) throws(FoveaError) -> ScoreReading {
    let origins = evidence.origins(of: scores, 0..<columns)
    let name = scores.name.lowercased()
    var reading = ScoreReading()
    if let form = evidence.scores {
      reading.form = form
    } else if evidence.classCount == columns - 1 {
      reading.form = origins.allSatisfy { $0 == .probability } ? .probabilities : .softmax
      reading.background = .last
    } else if origins.allSatisfy({ $0 == .probability }) {
      return reading
    } else if name == "labels" || (name.includes("logit") && looksAtPlaces(evidence)) {
      reading.form = .logits
    } else if name.includes("logit"), columns == Self.columnsOfDETR {
      reading.form = .softmax
    } else if name.includes("logit") {
      throw FoveaError(
        .unsupported,
        "nothing tells whether the last column of \"\(scores.name)\" \(scores.value.shape) is a"
          + " class or \"no object\". Name the classes in the file, or say --scores logits (RT-DETR"
          + " and its kin) or --scores softmax (DETR, YOLOS)")
    } else if let rows = evidence.sample(of: scores) {
      let isInside = (0..<columns).allSatisfy(rows.isProbability)
      reading.form = isInside ? .probabilities : .logits
    }
    if reading.form == .softmax { reading.background = .last }
    return reading
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
