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
      let (start, end) = (column * classes, (column + 1) * classes)
      let most = scores.most(start..<end)
      let best = scores.first(of: most, in: start..<end) ?? start
      defer { before = best - start }
      if best == start { continue }
      let nextMost = max(scores.most(start..<best), scores.most(best + 1..<end))
      let second =
        scores.first(of: nextMost, in: start..<best)
        ?? scores.first(of: nextMost, in: best + 1..<end) ?? start
      let probability = probabilities(scores, in: start..<end, best: most)
      let character = Character(
        text: table.texts[best - start], confidence: probability(most),
        column: column, second: table.texts[second - start],
        secondConfidence: probability(nextMost))
      if best - start != before {
        result.append(character)
      } else if character.confidence > result[result.count - 1].confidence {
        result[result.count - 1] = character
      }
    }
    return result
  }

  /// What turns a column's numbers into probabilities. A network whose last operation is no softmax gives
  /// numbers that do not add up to 1.
  private func probabilities(
    _ scores: Span<Float>, in range: Range<Int>, best: Float
  ) -> (Float) -> Double {
    let (sum, least) = scores.sumAndLeast(range)
    if least >= 0, abs(sum - 1) < 0.01 { return { Double(min(max($0, 0), 1)) } }
    var total: Double = 0
    for index in range { total += exp(Double(scores[index] - best)) }
    return { exp(Double($0 - best)) / total }
  }
}

/// Loops that the compiler makes vectors of: thousands of scores are compared for each column.
extension Span<Float> {
  private typealias Lanes = SIMD16<Float>

  /// Calls `body` for whole vectors of a range, and says where the rest begins.
  @inline(__always)
  private func eachVector(_ range: Range<Int>, _ body: (Lanes) -> Void) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return withUnsafeBytes { bytes in
      var index = range.lowerBound
      while index + Lanes.scalarCount <= range.upperBound {
        body(bytes.loadUnaligned(fromByteOffset: 4 * index, as: Lanes.self))
        index += Lanes.scalarCount
      }
      return index
    }
  }

  /// The greatest number; what is not a number does not count.
  fileprivate func most(_ range: Range<Int>) -> Float {
    var lanes = Lanes(repeating: -.infinity)
    let rest = eachVector(range) { lanes.replace(with: $0, where: $0 .> lanes) }
    var most = lanes.max()
    for index in rest..<range.upperBound where self[index] > most { most = self[index] }
    return most
  }

  /// Where a number is first.
  fileprivate func first(of number: Float, in range: Range<Int>) -> Int? {
    var index = range.lowerBound
    withUnsafeBytes { bytes in
      let number = Lanes(repeating: number)
      while index + Lanes.scalarCount <= range.upperBound,
        !any(bytes.loadUnaligned(fromByteOffset: 4 * index, as: Lanes.self) .== number)
      {
        index += Lanes.scalarCount
      }
    }
    return (index..<range.upperBound).first { self[$0] == number }
  }

  fileprivate func sumAndLeast(_ range: Range<Int>) -> (sum: Float, least: Float) {
    var (sums, least) = (Lanes.zero, Lanes(repeating: .infinity))
    let rest = eachVector(range) { lanes in
      sums += lanes
      least.replace(with: lanes, where: lanes .< least)
    }
    var result = (sum: sums.sum(), least: least.min())
    for index in rest..<range.upperBound {
      result.sum += self[index]
      result.least = Swift.min(result.least, self[index])
    }
    return result
  }
}
