// Fovea - heads of networks that choose their boxes themselves.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaLibc
internal import FoveaModelValues

extension HeadRule {
  /// Rows of a box, its score and its class, in one output or in several.
  static let endToEnd = HeadRule(head: .endToEnd) {
    evidence, program, isForced throws(FoveaError) in
    guard let chosen = ChosenRows(evidence, isForced: isForced) else { return nil }
    let classes = evidence.classCount ?? ChosenRows.mostClasses
    let numbers = program.constant((0..<classes).map { Float($0) }, shape: [1, classes])
    let isClass = try program.equal(chosen.values(chosen.kind, program), numbers)
    let scores = try program.binary("mul", isClass, chosen.values(chosen.score, program))
    let (coordinates, parts) = try chosen.extras.decoded(
      boxes: chosen.values(chosen.box, program),
      rows: program.rows(chosen.box.output.value, isTurned: false), from: chosen.firstExtra,
      chosen.reading, evidence, program)
    return DecodedHead(
      confidence: scores, coordinates: coordinates, parts: parts,
      recognized: RecognizedHead(
        .endToEnd, reason: chosen.words + chosen.extras.words, leftOut: chosen.leftOut))
  }
}

/// Where the rows of a network that chooses its boxes itself have box, score and class.
private struct ChosenRows {
  /// Columns of an output.
  struct Place {
    var output: HeadEvidence.Output
    var columns: Range<Int>
    /// Whether the output is one number for each row.
    var isList = false
  }

  var box: Place
  var score: Place
  var kind: Place
  /// Numbers of the same rows as the boxes, from a column on.
  var extras = RowExtras()
  var firstExtra = 0
  var reading: BoxReading
  var words: String
  var leftOut = ""

  /// Where the file names no classes, those below this number are told apart.
  static let mostClasses = 1024

  init?(_ evidence: HeadEvidence, isForced: Bool) {
    if let found = Self.ofUltralytics(evidence) ?? Self.inOneOutput(evidence, isForced: isForced)
      ?? Self.inSeveral(evidence)
    {
      self = found
    } else {
      return nil
    }
  }

  private init(box: Place, score: Place, kind: Place, reading: BoxReading, words: String) {
    (self.box, self.score, self.kind) = (box, score, kind)
    (self.reading, self.words) = (reading, words)
  }

  /// The numbers of a place as [N, columns].
  func values(_ place: Place, _ program: HeadProgram) throws(FoveaError) -> HeadValue {
    if place.isList {
      let count = place.output.value.shape.reduce(1, *)
      return try program.reshaped(place.output.value, [count, 1])
    }
    return try program.columns(
      program.rows(place.output.value, isTurned: false), place.columns)
  }

  // MARK: Forms

  /// Box, score, class and extra numbers, as the exporter says.
  private static func ofUltralytics(_ evidence: HeadEvidence) -> ChosenRows? {
    guard let output = evidence.outputs.first(where: { $0.matrix != nil }),
      let (count, columns) = output.matrix, evidence.classCount != nil
    else { return nil }
    let says = evidence.metadata["end2end"]?.lowercased() == "true"
    let suppresses = evidence.metadata["args"]?.includes("'nms': True") == true
    guard columns >= 6, says || suppresses || isUsual(output, evidence) else { return nil }
    let isTurned = evidence.task == "obb"
    // Its RT-DETR has centers and sizes, which are fractions.
    let isOfQueries = evidence.metadata["head"] == "RTDETRDecoder"
    let usual = BoxReading(
      corners: !isTurned && !isOfQueries, units: isOfQueries ? .fractions : .pixels)
    let isProven = evidence.areScaled(evidence.origins(of: output, 0..<4))
    let sample = isProven && evidence.boxes == nil ? nil : evidence.sample(of: output)
    var reading = usual.found(in: sample, evidence) ?? usual
    // The exporter's form is known; only what coordinates count is not.
    (reading.hasCorners, reading.isYFirst) = (usual.hasCorners, false)
    var rows = ChosenRows(
      box: Place(output: output, columns: 0..<4), score: Place(output: output, columns: 4..<5),
      kind: Place(output: output, columns: 5..<6), reading: reading,
      words: (says ? "the file says end2end" : "rows are as its exporter writes them")
        + ", \(count) boxes, \(reading.words)")
    if columns > 6 {
      rows.firstExtra = 6
      rows.extras =
        RowExtras.found(in: 6..<columns, of: output, isTurned: false, evidence) ?? RowExtras()
      if rows.extras.count == 0 { rows.leftOut = "\(columns - 6) more numbers a row" }
    }
    return rows
  }

  /// Whether rows of the exporter's number of columns have a score and a class where it puts them.
  private static func isUsual(_ output: HeadEvidence.Output, _ evidence: HeadEvidence) -> Bool {
    let expected = 6 + RowExtras.declared(in: evidence, besides: output).count
    guard evidence.isOfUltralytics, let (count, columns) = output.matrix, columns == expected,
      count <= 1000, let rows = evidence.sample(of: output), let kinds = rows.range(5)
    else { return false }
    return rows.isProbability(4) && rows.isWhole(5) && kinds.lowerBound >= 0
      && kinds.upperBound < Float(evidence.classCount ?? 0)
  }

  /// Orders of exporters: where box, score and class stand among so many numbers.
  private static let orders: [Order] = [
    Order(columns: 6, box: 0, score: 4, kind: 5), Order(columns: 6, box: 0, score: 5, kind: 4),
    Order(columns: 6, box: 2, score: 1, kind: 0), Order(columns: 6, box: 2, score: 0, kind: 1),
    Order(columns: 7, box: 0, score: 4, kind: 5, angle: 6),
    Order(columns: 7, box: 1, score: 6, kind: 5, number: 0),
    Order(columns: 7, box: 1, score: 5, kind: 6, number: 0),
    Order(columns: 7, box: 3, score: 2, kind: 1, number: 0),
  ]

  private struct Order {
    var columns: Int
    var box: Int
    var score: Int
    var kind: Int
    /// The column of the angle of turned boxes, whose first numbers are centers and sizes.
    var angle: Int?
    /// The column of the picture's number among several.
    var number: Int?
  }

  /// Box, score and class in the one order that the numbers allow.
  private static func inOneOutput(_ evidence: HeadEvidence, isForced: Bool) -> ChosenRows? {
    guard evidence.outputs.count == 1, let output = evidence.outputs.first,
      let (count, columns) = output.matrix, columns == 6 || columns == 7,
      count > 1, isForced || count <= 1000, let rows = evidence.sample(of: output)
    else { return nil }
    let found = orders.filter { $0.columns == columns }.compactMap { order -> ChosenRows? in
      guard isScore(rows, order.score), isKind(rows, order.kind, evidence),
        order.number.map(rows.isWhole) ?? true, order.angle.map({ isAngle(rows, $0) }) ?? true,
        let reading = BoxReading.find(
          rows, from: order.box, usual: BoxReading(corners: true), evidence),
        order.angle == nil || !reading.hasCorners
      else { return nil }
      var chosen = ChosenRows(
        box: Place(output: output, columns: order.box..<order.box + 4),
        score: Place(output: output, columns: order.score..<order.score + 1),
        kind: Place(output: output, columns: order.kind..<order.kind + 1), reading: reading,
        words:
          "output \"\(output.name)\" has \(count) rows: column \(order.kind) is the class,"
          + " \(order.score) the score, from \(order.box) on \(reading.words)")
      if let angle = order.angle {
        (chosen.extras, chosen.firstExtra) = (RowExtras(meaning: .angle, count: 1), angle)
      }
      return chosen
    }
    guard found.count != 1 else { return found[0] }
    evidence.doubt(
      "nothing tells which columns of \"\(output.name)\" are box, score and class; export it with"
        + " boxes of all cells, without suppression")
    return nil
  }

  /// Boxes, maybe with scores, and classes, maybe with scores, in outputs of as many rows.
  private static func inSeveral(_ evidence: HeadEvidence) -> ChosenRows? {
    let matrices = evidence.outputs.filter { [4, 5].contains($0.matrix?.columns) }
    guard matrices.count == 1, let boxes = matrices.first, let (count, columns) = boxes.matrix,
      count > 1, count <= 1000
    else { return nil }
    let lists = evidence.outputs.filter { $0.value.shape.reduce(1, *) == count }
    guard lists.count == (columns == 4 ? 2 : 1), evidence.outputs.count <= lists.count + 2 else {
      return nil
    }
    func numbers(_ output: HeadEvidence.Output) -> HeadRows? {
      evidence.samples?.values[output.name].flatMap {
        HeadRows($0, count: count, columns: 1, isTurned: false)
      }
    }
    guard let rows = evidence.sample(of: boxes),
      let kinds = lists.first(where: { list in
        ["label", "class", "cls"].contains { list.name.lowercased().includes($0) }
      }) ?? lists.first(where: { list in numbers(list).map { isKind($0, 0, evidence) } ?? false }),
      let known = numbers(kinds), isKind(known, 0, evidence, mayBeOne: true)
    else { return nil }
    let scores =
      columns == 5
      ? Place(output: boxes, columns: 4..<5)
      : lists.first { $0.name != kinds.name }.map {
        Place(output: $0, columns: 0..<1, isList: true)
      }
    guard let scores,
      columns == 5
        ? isScore(rows, 4) : numbers(scores.output).map({ isScore($0, 0) }) ?? false
    else { return nil }
    // TensorFlow's detectors have this name, and y before x.
    var usual = BoxReading(corners: true)
    usual.isYFirst = boxes.name.lowercased().includes("detection_boxes")
    guard let reading = BoxReading.find(rows, from: 0, usual: usual, evidence) else { return nil }
    return ChosenRows(
      box: Place(output: boxes, columns: 0..<4), score: scores,
      kind: Place(output: kinds, columns: 0..<1, isList: true), reading: reading,
      words:
        "output \"\(boxes.name)\" has \(count) boxes, \(reading.words), and"
        + " \"\(kinds.name)\" their classes")
  }

  // MARK: Columns

  /// Scores differ, and lie in 0...1.
  private static func isScore(_ rows: HeadRows, _ column: Int) -> Bool {
    rows.isProbability(column) && !rows.isWhole(column)
  }

  /// Angles are radians, and no whole numbers.
  private static func isAngle(_ rows: HeadRows, _ column: Int) -> Bool {
    guard let range = rows.range(column) else { return false }
    return !rows.isWhole(column) && range.lowerBound >= -3.2 && range.upperBound <= 6.3
  }

  /// Numbers of classes are whole; -1 stands for rows without an object.
  ///
  /// - Parameter mayBeOne: Whether all rows may be of one class, since a name tells what they are.
  private static func isKind(
    _ rows: HeadRows, _ column: Int, _ evidence: HeadEvidence, mayBeOne: Bool = false
  ) -> Bool {
    guard rows.isWhole(column), let range = rows.range(column) else { return false }
    let count = evidence.classCount ?? mostClasses
    return range.lowerBound >= -1 && range.upperBound < Float(count)
      && (mayBeOne || range.upperBound > range.lowerBound)
  }
}
