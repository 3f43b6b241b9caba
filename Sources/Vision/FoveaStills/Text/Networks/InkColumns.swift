// Fovea - where characters of a strip begin and end.
// SPDX-License-Identifier: Apache-2.0

/// The ink of a strip, column by column: where characters begin and end, if one knows a place in each.
package struct InkColumns {
  private let counts: [Int]
  private let tops: [Int]
  private let bottoms: [Int]
  private let height: Int

  /// The pixels of a strip that are darker than `level`.
  package init(_ strip: GrayImage, level: Int) {
    var counts = [Int](repeating: 0, count: strip.width)
    var tops = [Int](repeating: strip.height, count: strip.width)
    var bottoms = [Int](repeating: 0, count: strip.width)
    for row in 0..<strip.height {
      for column in 0..<strip.width
      where Int(strip.pixels[row * strip.width + column]) < level {
        counts[column] += 1
        tops[column] = min(tops[column], row)
        bottoms[column] = row + 1
      }
    }
    (self.counts, self.tops, self.bottoms, height) = (counts, tops, bottoms, strip.height)
  }

  /// The columns of each character. Between two of them the column with the least ink parts them; ink
  /// bounds those beside a space.
  ///
  /// - Parameters:
  ///   - places: A column in or near each character, ascending.
  ///   - spaces: Which of them are spaces.
  package func bounds(of places: [Double], spaces: [Bool]) -> [ClosedRange<Double>] {
    var cuts = [0]
    for index in places.indices.dropLast() {
      let (from, to) = (column(places[index]), column(places[index + 1]))
      // At a space the cut is the place of the space itself.
      cuts.append(
        spaces[index] ? from : spaces[index + 1] ? to : leastInk(from: from, to: to))
    }
    cuts.append(counts.count)
    return places.indices.map { index in
      let (from, to) = (cuts[index], max(cuts[index + 1], cuts[index] + 1))
      let inked = (from..<min(to, counts.count)).filter { counts[$0] > 0 }
      guard let first = inked.first, let last = inked.last else {
        return Double(from)...Double(to)
      }
      return Double(first)...Double(last + 1)
    }
  }

  /// The rows between the highest and the lowest ink of some columns; all without ink.
  package func rows(in columns: ClosedRange<Double>) -> ClosedRange<Double> {
    let range =
      column(
        columns.lowerBound)..<max(
        column(columns.lowerBound) + 1, column(columns.upperBound))
    let top = range.map { tops[min($0, tops.count - 1)] }.min() ?? height
    let bottom = range.map { bottoms[min($0, bottoms.count - 1)] }.max() ?? 0
    return top < bottom ? Double(top)...Double(bottom) : 0...Double(height)
  }

  private func column(_ place: Double) -> Int { min(max(Int(place), 0), counts.count - 1) }

  /// The middle of the columns with the least ink.
  private func leastInk(from: Int, to: Int) -> Int {
    if to - from < 2 { return (from + to + 1) / 2 }
    let least = counts[from...to].min() ?? 0
    let columns = (from...to).filter { counts[$0] == least }
    return columns[columns.count / 2]
  }
}
