// Fovea - heads that tell how far the sides of a box are from its cell, as probabilities.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension HeadRule {
  /// NanoDet: [1, N, C + 4 B], scores and then distances; or an output for each of three grids.
  static let nanodetDistances = HeadRule(head: .nanodet) {
    evidence, program, isForced throws(FoveaError) in
    let grids =
      DistanceGrids(oneOutput: evidence, isForced: isForced)
      ?? DistanceGrids(outputsOf: 3, evidence)
    return try grids?.decoded(.nanodet, evidence, program)
  }

  /// PicoDet: for each of four grids scores [1, N, C] and distances [1, N, 4 B].
  static let picodet = HeadRule(head: .picodet) {
    evidence, program, isForced throws(FoveaError) in
    try DistanceGrids(outputsOf: 4, evidence)?.decoded(.picodet, evidence, program)
  }
}

/// Grids of cells with one box each. A side's distance from the cell's center, in strides, is the
/// mean of 0, 1, ... B - 1 by the probabilities of B numbers: that of generalized focal loss (Li et
/// al., 2020). The order of the sides is left, top, right, bottom.
private struct DistanceGrids {
  /// Scores [1, N, C] and distances [1, N, 4 B] of a grid, in one output or in two.
  struct Grid {
    var scores: HeadEvidence.Output
    var distances: HeadEvidence.Output
    /// The columns of the distances' output that hold them.
    var columns: Range<Int>
    var strides: [Int]
  }

  var grids: [Grid]
  var classes: Int
  /// Where a cell has its center, in parts of the cell.
  var center: Float
  var words: String

  /// Probabilities of each side where nothing else is known: of distances 0 to 7.
  private static let usualBins = 8

  /// All grids in one output.
  init?(oneOutput evidence: HeadEvidence, isForced: Bool) {
    guard evidence.outputs.count == 1, let output = evidence.outputs.first,
      let (count, columns) = output.matrix,
      let strides = evidence.strides(ofBoxes: count, inCell: 1)
    else { return nil }
    let classes = evidence.classCount ?? columns - 4 * Self.usualBins
    let numbers = columns - classes
    // Rows of boxes, objectness and scores differ by the names of classes. Without these, YOLOX has
    // three grids, and YOLOv6 a subtraction.
    let isOther =
      evidence.classCount == nil && classes != 80
      && (strides.count < 4 || evidence.kinds?.contains("sub") == true)
    guard classes >= 1, numbers >= 8, numbers % 4 == 0, isForced || !isOther else { return nil }
    grids = [Grid(scores: output, distances: output, columns: classes..<columns, strides: strides)]
    self.classes = classes
    // The newer networks, which have four grids, count from a cell's corner.
    center = strides.count == 4 ? 0 : 0.5
    words =
      "output \"\(output.name)\" has \(count) boxes, one in each cell of"
      + " \(evidence.text(of: strides)), with \(classes) classes and \(numbers / 4) probabilities of"
      + " each side's distance"
  }

  /// Two outputs for each grid, in any order.
  init?(outputsOf count: Int, _ evidence: HeadEvidence) {
    let strides = count == 3 ? [8, 16, 32] : [8, 16, 32, 64]
    guard evidence.outputs.count == 2 * count else { return nil }
    grids = []
    for stride in strides {
      let pair = evidence.outputs.filter { $0.matrix?.rows == evidence.cells([stride]) }
      guard pair.count == 2, let columns = pair[0].matrix?.columns,
        let others = pair[1].matrix?.columns
      else { return nil }
      // Where both could be distances, the scores come first.
      let isFirst = evidence.classCount.map { $0 == columns } ?? (others == 4 * Self.usualBins)
      let (scores, distances) = isFirst ? (pair[0], pair[1]) : (pair[1], pair[0])
      grids.append(
        Grid(
          scores: scores, distances: distances, columns: 0..<(isFirst ? others : columns),
          strides: [stride]))
    }
    classes = grids[0].scores.matrix?.columns ?? 0
    center = 0.5
    let widths = Set(grids.map { [$0.scores.matrix?.columns ?? 0, $0.columns.count] })
    let numbers = grids[0].columns.count
    guard widths.count == 1, numbers >= 8, numbers % 4 == 0,
      evidence.classCount == nil || evidence.classCount == classes
    else { return nil }
    words =
      "there are two outputs for each of the \(evidence.text(of: strides)), \(classes) scores and"
      + " \(numbers / 4) probabilities of each side's distance"
  }

  func decoded(
    _ head: DetectorHead, _ evidence: HeadEvidence, _ program: HeadProgram
  ) throws(FoveaError) -> DecodedHead {
    var (scores, corners): ([HeadValue], [HeadValue]) = ([], [])
    for grid in grids {
      let rows = try program.rows(grid.scores.value, isTurned: false)
      scores.append(try program.columns(rows, 0..<classes))
      let all = try program.rows(grid.distances.value, isTurned: false)
      let distances = try program.means(ofDistances: program.columns(all, grid.columns))
      corners.append(try program.corners(distances, center, grid.strides, evidence))
    }
    let one = grids.count == 1
    return DecodedHead(
      confidence: one ? scores[0] : try program.concat(scores, axis: 0),
      coordinates: try program.boxes(
        one ? corners[0] : program.concat(corners, axis: 0), BoxReading(corners: true), evidence),
      recognized: RecognizedHead(head, reason: words))
  }
}

extension HeadProgram {
  /// The mean distances [N, 4] of rows [N, 4 B] of numbers that become probabilities.
  fileprivate func means(ofDistances rows: HeadValue) throws(FoveaError) -> HeadValue {
    let (count, bins) = (rows.shape[0], rows.shape[1] / 4)
    let sides = try softmax(reshaped(rows, [4 * count, bins]), axis: 1)
    let means = try product(sides, constant((0..<bins).map { Float($0) }, shape: [bins, 1]))
    return try reshaped(means, [count, 4])
  }

  /// Corners in pixels from distances [N, 4] in strides.
  fileprivate func corners(
    _ distances: HeadValue, _ center: Float, _ strides: [Int], _ evidence: HeadEvidence
  ) throws(FoveaError) -> HeadValue {
    var (centers, factors): ([Float], [Float]) = ([], [])
    for cell in evidence.gridCells(strides) {
      let stride = Float(cell.stride)
      let (x, y) = ((Float(cell.x) + center) * stride, (Float(cell.y) + center) * stride)
      centers += [x, y, x, y]
      factors += [-stride, -stride, stride, stride]
    }
    let offsets = try binary("mul", distances, constant(factors, shape: distances.shape))
    return try binary("add", offsets, constant(centers, shape: distances.shape))
  }
}
