// Fovea - how boxes and classes lie in the output of a YOLO without objectness.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore

/// How boxes and classes lie in the output of a YOLO without objectness.
struct YOLOLayout {
  var classes: Int
  var isTurned: Bool
  var strides: [Int]?
  /// Numbers of each box that are neither coordinates nor scores.
  var extras = RowExtras()

  var scoreColumns: Range<Int> { 4..<4 + classes }

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
          // Rows of boxes could have objectness as well: then names of classes or the graph decide.
          isTurned || evidence.classCount != nil || evidence.hasObjectness(output) == false
        else { continue }
        var layout = YOLOLayout(classes: 0, isTurned: isTurned, strides: strides)
        if layout.divide(numbers, of: output, evidence) { return (output, layout) }
      }
    }
    return nil
  }

  /// Tells scores from what follows them.
  ///
  /// - Returns: Whether that is possible.
  private mutating func divide(
    _ numbers: Int, of output: HeadEvidence.Output, _ evidence: HeadEvidence
  ) -> Bool {
    extras = RowExtras.declared(in: evidence, besides: output)
    let left = numbers - 4 - extras.count
    guard left >= 1 else { return false }
    classes = evidence.classCount ?? scoreCount(left, of: output, evidence)
    guard classes >= 1, classes <= left else {
      let scores = 4..<4 + left
      evidence.doubt(
        output, scores,
        are: evidence.classCount.map { "scores of \($0) classes" } ?? "scores",
        in: evidence.sample(of: output, isTurned: isTurned))
      return false
    }
    guard left > classes else { return true }
    let columns = 4 + classes..<numbers - extras.count
    if extras.count == 0,
      let found = RowExtras.found(in: columns, of: output, isTurned: isTurned, evidence)
    {
      extras = found
      return true
    }
    // What the file does not account for may change what the boxes are.
    evidence.doubt(
      output, columns,
      are: "scores; say what they are: --task pose for key points, --task obb for the angles of"
        + " turned boxes",
      in: evidence.sample(of: output, isTurned: isTurned))
    return false
  }

  /// How many columns are scores: those that come out of a sigmoid, or else lie in 0...1.
  private func scoreCount(
    _ most: Int, of output: HeadEvidence.Output, _ evidence: HeadEvidence
  ) -> Int {
    let columns = 4..<4 + most
    let origins = evidence.origins(of: output, columns, isTurned: isTurned)
    let proven = origins.prefix { $0 == .probability }.count
    if proven > 0 { return proven }
    guard let rows = evidence.sample(of: output, isTurned: isTurned) else { return most }
    let likely = columns.prefix { rows.isProbability($0) }.count
    // Logits lie outside in each column.
    return likely > 0 || columns.contains(where: rows.isProbability) ? likely : most
  }

  // MARK: Readings

  /// What the four numbers of a box are; `nil` if they can be none.
  func boxes(of output: HeadEvidence.Output, _ evidence: HeadEvidence) -> BoxReading? {
    let usual = BoxReading(corners: false)
    let origins = evidence.origins(of: output, 0..<4, isTurned: isTurned)
    if evidence.isOfUltralytics, evidence.boxes == nil, evidence.areScaled(origins) {
      return usual
    }
    return usual.found(
      in: evidence.sample(of: output, isTurned: isTurned), evidence,
      cells: strides.map(evidence.gridCells) ?? [])
  }

  /// What the scores are; `nil` if they can be none.
  func scores(of output: HeadEvidence.Output, _ evidence: HeadEvidence) -> ScoreReading? {
    let origins = evidence.origins(of: output, scoreColumns, isTurned: isTurned)
    let isProven = origins.allSatisfy { $0 == .probability }
    if isProven, evidence.scores == nil { return ScoreReading() }
    return ScoreReading.find(
      evidence.sample(of: output, isTurned: isTurned), scoreColumns, isProven: isProven,
      mayHaveBackground: false, evidence)
  }

  func reason(_ output: HeadEvidence.Output, _ evidence: HeadEvidence) -> String {
    let grids = strides.map { ", one in each cell of \(evidence.text(of: $0))" } ?? ""
    return "output \"\(output.name)\" has boxes with \(classes) classes\(extras.words)\(grids)"
  }
}

extension BoxReading {
  /// The reading that numbers of a synthetic picture tell, or this one while they are not known;
  /// `nil` if they are boxes in no way.
  func found(
    in rows: HeadRows?, _ evidence: HeadEvidence, from first: Int = 0,
    cells: [(x: Int, y: Int, stride: Int)] = []
  ) -> BoxReading? {
    guard let rows else {
      var reading = self
      reading.units = evidence.boxes ?? units
      return reading
    }
    return BoxReading.find(rows, from: first, usual: self, evidence, cells: cells)
  }
}
