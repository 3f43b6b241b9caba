// Fovea - text from the scores of a network, column by column.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Reads the scores of a network of connectionist temporal classification (CTC): in each column the best
/// class counts; equal neighbors are one character; blank is none.
package struct CTCDecoder: Sendable {
  /// The characters of the classes.
  package let table: CharacterTable

  /// A decoder of some characters.
  package init(table: CharacterTable) { self.table = table }

  /// A character, and the columns that show it.
  package struct Character: Hashable, Sendable {
    /// Its text.
    package var text: String
    /// The score of its class in its best column, 0...1.
    package var confidence: Double
    /// The column of that score.
    package var column: Int
    /// The next best text there, "" for none.
    package var second: String
    /// The score of `second`.
    package var secondConfidence: Double
  }

  /// The characters of a row of columns.
  ///
  /// - Parameters:
  ///   - scores: `columns` x classes, row-major. Probabilities, or any numbers whose exponentials are in
  ///     their proportion.
  ///   - columns: How many columns there are.
  /// - Complexity: O(scores).
  package func characters(_ scores: Span<Float>, columns: Int) -> [Character] {
    let classes = table.texts.count
    precondition(scores.count == columns * classes)
    var result: [Character] = []
    var before = 0
    for column in 0..<columns {
      let best = bestTwo(scores, from: column * classes)
      defer { before = best.first.index }
      if best.first.index == 0 { continue }
      let probability = probabilities(scores, from: column * classes, best: best.first.score)
      let character = Character(
        text: table.texts[best.first.index], confidence: probability(best.first.score),
        column: column, second: table.texts[best.second.index],
        secondConfidence: probability(best.second.score))
      if best.first.index != before {
        result.append(character)
      } else if character.confidence > result[result.count - 1].confidence {
        result[result.count - 1] = character
      }
    }
    return result
  }

  private typealias Score = (index: Int, score: Float)

  private func bestTwo(_ scores: Span<Float>, from start: Int) -> (first: Score, second: Score) {
    var first: Score = (0, -.infinity), second: Score = (0, -.infinity)
    for index in 0..<table.texts.count {
      let score = scores[start + index]
      if score > first.score {
        (first, second) = ((index, score), first)
      } else if score > second.score {
        second = (index, score)
      }
    }
    return (first, second)
  }

  /// What turns a column's numbers into probabilities. A network whose last operation is no softmax gives
  /// numbers that do not add up to 1.
  private func probabilities(
    _ scores: Span<Float>, from start: Int, best: Float
  ) -> (Float) -> Double {
    var (sum, least) = (Float(0), Float.infinity)
    for index in 0..<table.texts.count {
      sum += scores[start + index]
      least = min(least, scores[start + index])
    }
    if least >= 0, abs(sum - 1) < 0.01 { return { Double(min(max($0, 0), 1)) } }
    var total: Double = 0
    for index in 0..<table.texts.count {
      total += exp(Double(scores[start + index] - best))
    }
    return { exp(Double($0 - best)) / total }
  }
}
