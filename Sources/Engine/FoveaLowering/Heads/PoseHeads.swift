// Fovea - heads of networks that find the points of people without boxes of cells.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension HeadRule {
  /// MoveNet: the 17 points of one person, [1, 1, 17, 3], or of six, [1, 6, 56]. Each is y, x and
  /// a score; rows of several people end with a box and its score.
  static let movenet = HeadRule(head: .movenet) { evidence, program, isForced throws(FoveaError) in
    guard evidence.outputs.count == 1, let output = evidence.outputs.first else { return nil }
    switch output.value.shape {
    case [1, 1, 17, 3]: return try onePerson(output, evidence, program)
    case [1, 6, 56]: return try severalPeople(output, evidence, program, isForced)
    default: return nil
    }
  }

  private static let people = ["person"]

  private static func onePerson(
    _ output: HeadEvidence.Output, _ evidence: HeadEvidence, _ program: HeadProgram
  ) throws(FoveaError) -> DecodedHead? {
    let rows = evidence.sample(of: output, count: 17, columns: 3, isTurned: false)
    guard rows?.isProbability(2) != false else {
      evidence.doubt(output, 2..<3, are: "scores of points", in: rows)
      return nil
    }
    let points = try program.reshaped(output.value, [17, 3])
    let (y, x) = (try program.columns(points, 0..<1), try program.columns(points, 1..<2))
    let scores = try program.columns(points, 2..<3)
    // The network has no box: that around its points takes its place.
    let corners = try program.concat(
      [
        program.reduced("reduce_min", x), program.reduced("reduce_min", y),
        program.reduced("reduce_max", x), program.reduced("reduce_max", y),
      ], axis: 1)
    var recognized = RecognizedHead(
      .movenet,
      reason: "output \"\(output.name)\" has y, x and score of the 17 points of one person")
    recognized.classLabels = people
    return DecodedHead(
      confidence: try program.reduced("reduce_mean", scores),
      coordinates: try program.boxes(
        corners, BoxReading(corners: true, units: .fractions), evidence),
      parts: [
        HeadPart(
          output: .points,
          value: try program.reshaped(program.concat([x, y, scores], axis: 1), [1, 17, 3]))
      ], recognized: recognized)
  }

  private static func severalPeople(
    _ output: HeadEvidence.Output, _ evidence: HeadEvidence, _ program: HeadProgram,
    _ isForced: Bool
  ) throws(FoveaError) -> DecodedHead? {
    if let rows = evidence.sample(of: output), !isForced {
      // Scores of points and of people, and nothing far outside of the picture.
      let scores = (0..<17).map { 3 * $0 + 2 } + [55]
      let isNear = (0..<56).allSatisfy { column in
        rows.range(column).map { $0.lowerBound >= -1 && $0.upperBound <= 2 } ?? false
      }
      guard isNear, scores.allSatisfy(rows.isProbability) else { return nil }
    }
    let rows = try program.rows(output.value, isTurned: false)
    let points = try program.reshaped(program.columns(rows, 0..<51), [6 * 17, 3])
    let turned = try program.concat(
      [
        program.columns(points, 1..<2), program.columns(points, 0..<1),
        program.columns(points, 2..<3),
      ], axis: 1)
    var reading = BoxReading(corners: true, units: .fractions)
    reading.isYFirst = true
    var recognized = RecognizedHead(
      .movenet,
      reason: "output \"\(output.name)\" has the 17 points of six people, boxes and scores")
    recognized.classLabels = people
    return DecodedHead(
      confidence: try program.columns(rows, 55..<56),
      coordinates: try program.boxes(program.columns(rows, 51..<55), reading, evidence),
      parts: [HeadPart(output: .points, value: try program.reshaped(turned, [6, 17, 3]))],
      recognized: recognized)
  }
}

extension HeadProgram {
  /// The least, greatest or mean number of a column [N, 1], as [1, 1].
  fileprivate func reduced(_ kind: String, _ column: HeadValue) throws(FoveaError) -> HeadValue {
    try reshaped(
      write(
        kind,
        [
          "x": [column.argument], "axes": [.integers([0])], "keep_dims": [.boolean(true)],
        ]), [1, 1])
  }
}
