// Fovea - heads of the YOLO family.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension HeadRule {
  /// [1, 4 + C + extra, N] or turned.
  static let yolo = HeadRule(head: .yolo) { evidence, program, isForced throws(FoveaError) in
    guard evidence.task != "obb",
      let (output, layout) = YOLOLayout.find(in: evidence, isForced: isForced)
    else { return nil }
    let rows = try program.rows(output.value, isTurned: layout.isTurned)
    let coordinates = try program.fractions(program.columns(rows, 0..<4), evidence)
    let confidence = try program.columns(rows, 4..<4 + layout.classes)
    return DecodedHead(
      confidence: confidence, coordinates: coordinates,
      recognized: RecognizedHead(
        .yolo, reason: layout.reason(output, evidence), leftOut: layout.leftOut))
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
    guard evidence.outputs.count == 1 || isForced, let output = evidence.outputs.first,
      let (count, columns) = output.matrix, columns >= 6
    else { return nil }
    let strides = evidence.strides(ofBoxes: count, inCell: boxesInCell)
    let fits = evidence.classCount.map { columns == 5 + $0 } ?? true
    guard strides != nil || isForced, fits else { return nil }
    let rows = try program.rows(output.value, isTurned: false)
    var boxes = try program.columns(rows, 0..<4)
    // YOLOX can leave its boxes in units of cells: without an exponential nothing was decoded.
    if head == .yolox, let strides, let kinds = evidence.kinds, !kinds.contains("exp") {
      boxes = try program.decodedCells(boxes, strides, evidence)
    }
    let scores = try program.binary(
      "mul", program.columns(rows, 5..<columns), program.columns(rows, 4..<5))
    let cells = strides.map { ", \(boxesInCell) in each cell of \(evidence.text(of: $0))" } ?? ""
    return DecodedHead(
      confidence: scores, coordinates: try program.fractions(boxes, evidence),
      recognized: RecognizedHead(
        head,
        reason:
          "output \"\(output.name)\" has \(count) boxes\(cells), with objectness and"
          + " \(columns - 5) classes"))
  }

  /// [1, N, 6 + extra]: the network has chosen its boxes itself.
  static let endToEnd = HeadRule(head: .endToEnd) {
    evidence, program, isForced throws(FoveaError) in
    guard let output = evidence.outputs.first, let (count, columns) = output.matrix,
      let classes = evidence.classCount
    else {
      if isForced, evidence.classCount == nil {
        throw FoveaError(
          .unsupported, "an end-to-end head can be read if the file names its classes")
      }
      return nil
    }
    let says = evidence.metadata["end2end"]?.lowercased() == "true"
    let expected = 6 + (evidence.task == "pose" ? evidence.keyPointNumbers ?? 0 : 0)
    let isGrid = HeadEvidence.usualStrides.contains {
      count == evidence.cells($0) || count == 3 * evidence.cells($0)
    }
    guard columns >= 6, says || isForced || (columns == expected && !isGrid && count <= 1000)
    else { return nil }
    let rows = try program.rows(output.value, isTurned: false)
    let numbers = program.constant((0..<classes).map { Float($0) }, shape: [1, classes])
    let isClass = try program.equal(program.columns(rows, 5..<6), numbers)
    let scores = try program.binary("mul", isClass, program.columns(rows, 4..<5))
    let reason =
      says
      ? "the file says end2end"
      : "output \"\(output.name)\" has \(count) rows of \(columns) numbers"
    return DecodedHead(
      confidence: scores,
      coordinates: try program.centers(ofCorners: program.columns(rows, 0..<4), evidence),
      recognized: RecognizedHead(
        .endToEnd, reason: reason, leftOut: columns > 6 ? "\(columns - 6) more numbers a row" : ""))
  }
}

/// How boxes and classes lie in the output of a YOLO without objectness.
private struct YOLOLayout {
  var classes: Int
  var isTurned: Bool
  var strides: [Int]?
  /// Numbers of each box that are neither coordinates nor scores.
  var extra: Int
  var leftOut = ""

  /// The output of boxes and its layout.
  static func find(
    in evidence: HeadEvidence, isForced: Bool
  ) -> (HeadEvidence.Output, YOLOLayout)? {
    for output in evidence.outputs {
      // Beside the boxes there may be prototypes of masks, which are planes.
      let others = evidence.outputs.filter { $0.name != output.name }
      guard let (rows, columns) = output.matrix,
        others.allSatisfy({ $0.value.rank == 4 && $0.matrix == nil })
      else { continue }
      for (numbers, boxes, isTurned) in [(rows, columns, true), (columns, rows, false)] {
        let strides = evidence.strides(ofBoxes: boxes, inCell: 1)
        guard strides != nil || (isForced && boxes > numbers),
          // Rows of boxes could have objectness as well: then the names of classes decide.
          isTurned || evidence.classCount != nil
        else { continue }
        let extra = extraNumbers(evidence, besides: output)
        let classes = evidence.classCount ?? numbers - 4 - extra.count
        guard classes >= 1, numbers == 4 + classes + extra.count else { continue }
        return (
          output,
          YOLOLayout(
            classes: classes, isTurned: isTurned, strides: strides, extra: extra.count,
            leftOut: extra.words)
        )
      }
    }
    return nil
  }

  /// Numbers behind the scores: coefficients of masks, as many as there are prototypes in the other
  /// output, or key points.
  private static func extraNumbers(
    _ evidence: HeadEvidence, besides output: HeadEvidence.Output
  ) -> (count: Int, words: String) {
    if evidence.task == "pose", let count = evidence.keyPointNumbers {
      return (count, "key points")
    }
    let prototypes = evidence.outputs.first {
      $0.name != output.name && $0.value.shape.count == 4 && $0.value.shape[0] == 1
    }
    guard let prototypes else { return (0, "") }
    return (prototypes.value.shape[1], "masks")
  }

  func reason(_ output: HeadEvidence.Output, _ evidence: HeadEvidence) -> String {
    let grids = strides.map { ", one in each cell of \(evidence.text(of: $0))" } ?? ""
    let more = extra > 0 ? " and \(extra) more numbers" : ""
    return "output \"\(output.name)\" has boxes with \(classes) classes\(more)\(grids)"
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
