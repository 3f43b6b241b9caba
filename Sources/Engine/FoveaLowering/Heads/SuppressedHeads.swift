// Fovea - boxes and scores in front of the suppression inside a file.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues
internal import FoveaProgramEnds

extension HeadRule {
  /// What the suppression inside a file reads: boxes, and the scores of all classes.
  static let suppressed = HeadRule(head: .suppressed) { evidence, program, _ throws(FoveaError) in
    guard let inner = evidence.suppression, let rows = SuppressedRows(inner, evidence),
      let boxes = rows.boxReading(evidence), let scores = rows.scoreReading(evidence)
    else { return nil }
    let confidence =
      rows.isTurned
      ? try program.rows(
        program.reshaped(rows.scores.value, [rows.classes, rows.count]), isTurned: true)
      : try program.reshaped(rows.scores.value, [rows.count, rows.classes])
    let written = try program.reshaped(rows.boxes.value, [rows.count, 4])
    let extras = rows.extras(evidence)
    guard !inner.isTurned || extras.meaning.count > 0 else {
      evidence.doubt(
        "the suppression in the file compares turned boxes, and nothing tells their angles;"
          + " export it without suppression (nms=False)", isSettled: true)
      return nil
    }
    let (coordinates, parts) = try extras.meaning.decoded(
      boxes: written, rows: program.rows(extras.rows.value, isTurned: false),
      from: 4 + rows.classes, boxes, evidence, program)
    return DecodedHead(
      confidence: try scores.decoded(confidence, program),
      coordinates: coordinates, parts: parts,
      recognized: RecognizedHead(
        .suppressed,
        reason: "in front of the file's own suppression (\(ModelText.readable(inner.kind))) are"
          + " \(rows.count) boxes, \(boxes.words), with \(rows.classes) scores\(scores.words)\(extras.meaning.words)",
        leftOut: extras.meaning.count == 0 ? rows.leftOut(evidence) : ""))
  }
}

/// Boxes [N, 4] and scores [N, C] or [C, N], each maybe with dimensions of 1.
private struct SuppressedRows {
  let inner: InnerSuppression
  let boxes: HeadEvidence.Output
  let scores: HeadEvidence.Output
  let count: Int
  let classes: Int
  /// Whether the scores are [C, N].
  let isTurned: Bool

  init?(_ inner: InnerSuppression, _ evidence: HeadEvidence) {
    guard let boxes = evidence.outputs.first(where: { $0.name == inner.boxes }),
      let scores = evidence.outputs.first(where: { $0.name == inner.scores })
    else { return nil }
    let count = boxes.value.shape.reduce(1, *) / 4
    let numbers = scores.value.shape.reduce(1, *)
    let sizes = scores.value.shape.filter { $0 != 1 }
    guard boxes.value.shape.last == 4, count > 1,
      boxes.value.shape.dropLast().allSatisfy({ $0 == 1 || $0 == count }),
      numbers % count == 0, sizes.count <= 2, sizes.contains(count), sizes != [count, count]
    else {
      evidence.doubt(
        "\"\(boxes.name)\" \(boxes.value.shape) and \"\(scores.name)\" \(scores.value.shape) in front"
          + " of the suppression in the file are no boxes and scores of one picture;"
          + " export it without suppression (nms=False)", isSettled: true)
      return nil
    }
    (self.inner, self.boxes, self.scores, self.count) = (inner, boxes, scores, count)
    classes = numbers / count
    isTurned = sizes.count == 2 && sizes[1] == count
    guard !inner.mayLackClasses || classes > 1 || evidence.classCount == 1 else {
      evidence.doubt(
        "the suppression in the file reads one score of each box, and nothing tells their classes;"
          + " export it without suppression (nms=False)", isSettled: true)
      return nil
    }
  }

  func boxReading(_ evidence: HeadEvidence) -> BoxReading? {
    let rows = evidence.sample(of: boxes, count: count, columns: 4, isTurned: false)
    guard let rows else { return BoxReading(corners: inner.hasCorners) }
    var usual = BoxReading(corners: inner.hasCorners)
    usual.isYFirst = usual.beginsWithRows(rows)
    let reading = BoxReading.find(
      rows, from: 0, usual: usual, evidence,
      cells: evidence.strides(ofBoxes: count, inCell: 1).map(evidence.gridCells) ?? [],
      isCertain: true)
    if reading == nil { evidence.doubt(boxes, 0..<4, are: "boxes", in: rows) }
    return reading
  }

  func scoreReading(_ evidence: HeadEvidence) -> ScoreReading? {
    let origins = evidence.origins(of: scores, 0..<classes, isTurned: isTurned)
    let isProven = origins.allSatisfy { $0 == .probability }
    let rows = evidence.sample(of: scores, count: count, columns: classes, isTurned: isTurned)
    var reading: ScoreReading?
    switch inner.background {
    case nil:
      reading = ScoreReading.find(
        rows, 0..<classes, isProven: isProven || inner.hasLogits,
        mayHaveBackground: evidence.classCount != classes, evidence)
    case 0: reading = ScoreReading(background: .first)
    case classes - 1: reading = ScoreReading(background: .last)
    default: break
    }
    if inner.hasLogits, evidence.scores == nil { reading?.form = .logits }
    // A threshold in the file would be one of other numbers.
    guard let reading,
      reading.form == .probabilities || inner.hasLogits || evidence.scores != nil
    else {
      evidence.doubt(scores, 0..<classes, are: "scores", in: rows)
      return nil
    }
    return reading
  }

  /// The rows whose last numbers are more than boxes and scores, and what those are.
  func extras(_ evidence: HeadEvidence) -> (rows: HeadEvidence.Output, meaning: RowExtras) {
    guard let rows = evidence.outputs.first(where: { $0.name == inner.rows }),
      let matrix = rows.matrix, matrix.rows == count, matrix.columns > 4 + classes
    else { return (boxes, RowExtras()) }
    let meaning = RowExtras.found(
      in: 4 + classes..<matrix.columns, of: rows, isTurned: false, evidence)
    return meaning.map { (rows, $0) } ?? (boxes, RowExtras())
  }

  func leftOut(_ evidence: HeadEvidence) -> String {
    switch evidence.task {
    case "pose": "key points"
    case "segment": "masks"
    case "obb": "angles of boxes"
    default:
      inner.others.isEmpty
        ? "" : inner.others.map { "\"\(ModelText.readable($0))\"" }.joined(separator: ", ")
    }
  }
}

extension BoxReading {
  /// Whether the first coordinate counts rows: detectors write cell after cell of a row, so that x
  /// changes more from box to box.
  fileprivate func beginsWithRows(_ rows: HeadRows) -> Bool {
    let columns = (0..<4).map(rows.column)
    func way(_ index: Int) -> Float {
      (1..<rows.count).reduce(0) { sum, row in
        let step = columns[index][row] - columns[index][row - 1]
        let far = hasCorners ? columns[index + 2][row] - columns[index + 2][row - 1] : step
        return sum + abs(step + far) / 2
      }
    }
    let (first, second) = (way(0), way(1))
    return second > 2 * first
  }
}
