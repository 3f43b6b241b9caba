// Fovea - heads of the YOLO family.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension HeadRule {
  /// [1, 4 + C + extra, N] or turned.
  static let yolo = HeadRule(head: .yolo) { evidence, program, isForced throws(FoveaError) in
    guard let (output, layout) = YOLOLayout.find(in: evidence, isForced: isForced) else {
      return nil
    }
    guard let reading = layout.boxes(of: output, evidence) else {
      evidence.doubt(
        output, 0..<4, are: "boxes", in: evidence.sample(of: output, isTurned: layout.isTurned))
      return nil
    }
    guard let scores = layout.scores(of: output, evidence) else {
      evidence.doubt(
        output, layout.scoreColumns, are: "scores",
        in: evidence.sample(of: output, isTurned: layout.isTurned))
      return nil
    }
    let rows = try program.rows(output.value, isTurned: layout.isTurned)
    let boxes = try program.columns(rows, 0..<4)
    let (coordinates, parts) = try layout.extras.decoded(
      boxes: boxes, rows: rows, from: layout.scoreColumns.upperBound, reading, evidence, program)
    return DecodedHead(
      confidence: try scores.decoded(program.columns(rows, layout.scoreColumns), program),
      coordinates: coordinates, parts: parts,
      recognized: RecognizedHead(
        .yolo, reason: layout.reason(output, evidence) + ", \(reading.words)\(scores.words)"))
  }

  /// [1, N, 5 + C] with three boxes in each cell, or one as in YOLOv6. That subtracts distances from
  /// the centers of cells, where YOLOX has exponentials.
  static let yoloAnchors = HeadRule(head: .yoloAnchors) {
    evidence, program, isForced throws(FoveaError) in
    let isOfDistances = evidence.kinds.map { $0.contains("sub") && !$0.contains("exp") } ?? false
    if isOfDistances,
      let head = try objectness(.yoloAnchors, evidence, program, boxesInCell: 1, false)
    {
      return head
    }
    return try objectness(.yoloAnchors, evidence, program, boxesInCell: 3, isForced)
  }

  /// [1, N, 5 + C] with one box in each cell.
  static let yolox = HeadRule(head: .yolox) { evidence, program, isForced throws(FoveaError) in
    try objectness(.yolox, evidence, program, boxesInCell: 1, isForced)
  }

  /// Boxes, objectness and classes of rows.
  private static func objectness(
    _ head: DetectorHead, _ evidence: HeadEvidence, _ program: HeadProgram, boxesInCell: Int,
    _ isForced: Bool
  ) throws(FoveaError) -> DecodedHead? {
    // Beside the boxes there may be prototypes of masks, which are planes.
    let matrices = evidence.outputs.filter { $0.value.rank != 4 || $0.matrix != nil }
    guard matrices.count == 1 || isForced, let output = matrices.first,
      let (count, all) = output.matrix
    else { return nil }
    let extras = objectnessExtras(evidence, besides: output, columns: all)
    let columns = all - extras.count
    guard columns >= 6 else { return nil }
    let strides = evidence.strides(ofBoxes: count, inCell: boxesInCell)
    let fits = evidence.classCount.map { columns == 5 + $0 } ?? true
    guard strides != nil || isForced, fits else { return nil }
    if boxesInCell == 1, !isForced, evidence.classCount == nil,
      evidence.hasObjectness(output) == false
    {
      return nil
    }
    var reading = BoxReading(corners: false)
    var scores = ScoreReading()
    let isProven =
      evidence.origins(of: output, 4..<columns).allSatisfy { $0 == .probability }
      && evidence.areScaled(evidence.origins(of: output, 0..<4))
    // YOLOX can leave its boxes in units of cells: without an exponential nothing was decoded.
    let isInCells =
      head == .yolox && strides != nil && evidence.kinds.map { !$0.contains("exp") } ?? false
    if !isProven || !evidence.isOfUltralytics, !isInCells {
      let rows = evidence.sample(of: output)
      guard let found = reading.found(in: rows, evidence),
        let form = ScoreReading.find(
          rows, 4..<columns, isProven: isProven, mayHaveBackground: false,
          evidence.counting(columns - 4))
      else { return nil }
      (reading, scores) = (found, form)
    }
    let rows = try program.rows(output.value, isTurned: false)
    var boxes = try program.columns(rows, 0..<4)
    if isInCells, let strides { boxes = try program.decodedCells(boxes, strides, evidence) }
    let confidence = try program.binary(
      "mul", scores.decoded(program.columns(rows, 5..<columns), program),
      scores.decoded(program.columns(rows, 4..<5), program))
    let (coordinates, parts) = try extras.decoded(
      boxes: boxes, rows: rows, from: columns, reading, evidence, program)
    let cells = strides.map { ", \(boxesInCell) in each cell of \(evidence.text(of: $0))" } ?? ""
    return DecodedHead(
      confidence: confidence, coordinates: coordinates, parts: parts,
      recognized: RecognizedHead(
        head,
        reason:
          "output \"\(output.name)\" has \(count) boxes\(cells), with objectness and"
          + " \(columns - 5) classes\(extras.words), \(reading.words)\(scores.words)"))
  }

  /// The numbers behind the scores of a row: of key points, only those of a task that is told.
  private static func objectnessExtras(
    _ evidence: HeadEvidence, besides output: HeadEvidence.Output, columns: Int
  ) -> RowExtras {
    let declared = RowExtras.declared(in: evidence, besides: output)
    let first = 5 + (evidence.classCount ?? 1)
    guard declared.count == 0, evidence.task == "pose", first < columns else { return declared }
    return RowExtras.found(in: first..<columns, of: output, isTurned: false, evidence) ?? declared
  }
}

extension HeadProgram {
  /// Boxes in units of cells, their sizes as logarithms, as boxes in pixels.
  fileprivate func decodedCells(
    _ boxes: HeadValue, _ strides: [Int], _ evidence: HeadEvidence
  ) throws(FoveaError) -> HeadValue {
    var (origins, factors): ([Float], [Float]) = ([], [])
    for cell in evidence.gridCells(strides) {
      origins += [Float(cell.x), Float(cell.y)]
      factors.append(Float(cell.stride))
    }
    let centers = try binary(
      "add", columns(boxes, 0..<2), constant(origins, shape: [factors.count, 2]))
    let sizes = try unary("exp", columns(boxes, 2..<4))
    return try binary(
      "mul", concat([centers, sizes], axis: 1),
      constant(factors, shape: [factors.count, 1]))
  }
}
