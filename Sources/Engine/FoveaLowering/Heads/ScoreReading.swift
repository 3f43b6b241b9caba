// Fovea - what the scores of boxes are.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore

/// What the columns of scores hold.
struct ScoreReading: Equatable {
  /// Where a column stands for "no object".
  enum Background: Equatable { case none, first, last }

  var form: ScoreForm = .probabilities
  var background = Background.none

  /// In words; empty for probabilities of classes alone.
  var words: String {
    let scores = form == .probabilities ? "" : ", \(form.rawValue)"
    return background == .none ? scores : scores + ", the \(background) of them of no object"
  }

  /// The scores of the classes as probabilities.
  ///
  /// - Parameter rows: The columns of all scores.
  func decoded(_ rows: HeadValue, _ program: HeadProgram) throws(FoveaError) -> HeadValue {
    let count = rows.shape[1]
    let probabilities =
      switch form {
      case .probabilities: rows
      case .logits: try program.unary("sigmoid", rows)
      case .softmax: try program.softmax(rows, axis: 1)
      }
    return switch background {
    case .none: probabilities
    case .first: try program.columns(probabilities, 1..<count)
    case .last: try program.columns(probabilities, 0..<count - 1)
    }
  }

  /// What some columns of scores hold.
  ///
  /// - Parameters:
  ///   - isProven: Whether the graph says that they are probabilities.
  ///   - mayHaveBackground: Whether one of them may stand for "no object".
  /// - Returns: `nil` where they are scores in no way that is known.
  static func find(
    _ rows: HeadRows?, _ columns: Range<Int>, isProven: Bool, mayHaveBackground: Bool,
    _ evidence: HeadEvidence
  ) -> ScoreReading? {
    var reading = ScoreReading()
    if let form = evidence.scores {
      reading.form = form
    } else if !isProven, let rows {
      let ranges = columns.map(rows.range)
      guard !ranges.contains(nil) else { return nil }
      let outside = columns.count { !rows.isProbability($0) }
      // Logits leave 0...1 in every column.
      guard outside == 0 || outside == columns.count else { return nil }
      // Probabilities in percent do so, too, and are never negative.
      guard outside == 0 || ranges.contains(where: { ($0?.lowerBound ?? 0) < -0.001 }) else {
        return nil
      }
      reading.form = outside == 0 ? .probabilities : .logits
    }
    if reading.form == .softmax { reading.background = .last }
    if mayHaveBackground, reading.background == .none {
      reading.background = background(rows, columns, reading.form, evidence)
    }
    let classes = columns.count - (reading.background == .none ? 0 : 1)
    guard evidence.classCount.map({ $0 == classes }) ?? (classes >= 1) else { return nil }
    return reading
  }

  /// A column for "no object" is the greatest of nearly every row.
  private static func background(
    _ rows: HeadRows?, _ columns: Range<Int>, _ form: ScoreForm, _ evidence: HeadEvidence
  ) -> Background {
    let isMore = evidence.classCount.map { $0 == columns.count - 1 }
    guard isMore != false, columns.count >= 2 else { return .none }
    guard let rows else { return isMore == true ? .last : .none }
    let all = columns.map(rows.column)
    func partOfGreatest(_ index: Int) -> Double {
      Samples.part(of: rows.count) { row in
        let value = all[index][row]
        return (isMore == true || form != .probabilities || value > 0.5)
          && all.indices.allSatisfy { $0 == index || all[$0][row] < value }
      }
    }
    let (first, last) = (partOfGreatest(0), partOfGreatest(all.count - 1))
    if isMore == true { return first > last ? .first : .last }
    guard max(first, last) >= 0.9 else { return .none }
    return first > last ? .first : .last
  }
}
