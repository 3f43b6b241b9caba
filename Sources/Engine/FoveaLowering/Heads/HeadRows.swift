// Fovea - the numbers that a network wrote for a synthetic picture, as rows.
// SPDX-License-Identifier: Apache-2.0

/// An output as rows, one for each box, of numbers that a network wrote for a synthetic picture.
struct HeadRows {
  let count: Int
  let columns: Int
  private let values: [Float]
  private let isTurned: Bool

  /// - Parameters:
  ///   - values: count * columns numbers, row by row, or column by column if `isTurned`.
  init?(_ values: [Float], count: Int, columns: Int, isTurned: Bool) {
    guard count > 0, columns > 0, values.count == count * columns else { return nil }
    self.values = values
    self.count = count
    self.columns = columns
    self.isTurned = isTurned
  }

  /// A column.
  func column(_ index: Int) -> [Float] {
    (0..<count).map { values[isTurned ? index * count + $0 : $0 * columns + index] }
  }

  /// The least and the greatest number of a column; `nil` if any is no finite number.
  func range(_ index: Int) -> ClosedRange<Float>? {
    var (least, greatest) = (Float.infinity, -Float.infinity)
    for value in column(index) {
      guard value.isFinite else { return nil }
      (least, greatest) = (min(least, value), max(greatest, value))
    }
    return least...greatest
  }

  /// Whether all numbers of a column lie in 0...1, but for rounding.
  func isProbability(_ index: Int) -> Bool {
    range(index).map { $0.lowerBound >= -0.001 && $0.upperBound <= 1.001 } ?? false
  }

  /// Whether all numbers of a column are whole, and some are greater than 1 or all are equal.
  func isWhole(_ index: Int) -> Bool {
    column(index).allSatisfy { $0 == $0.rounded() }
  }
}

/// Statistics of numbers.
enum Samples {
  /// How two lists go along with each other, -1...1 (Pearson); 0 where one is constant.
  static func correlation(_ left: [Float], _ right: [Float]) -> Double {
    let count = Double(left.count)
    guard count > 2, left.count == right.count else { return 0 }
    let leftMean = left.reduce(0) { $0 + Double($1) } / count
    let rightMean = right.reduce(0) { $0 + Double($1) } / count
    var (both, first, second) = (0.0, 0.0, 0.0)
    for (x, y) in zip(left, right) {
      let (dx, dy) = (Double(x) - leftMean, Double(y) - rightMean)
      both += dx * dy
      first += dx * dx
      second += dy * dy
    }
    let product = first * second
    return product > 0 ? both / product.squareRoot() : 0
  }

  /// The part of the numbers for which something holds.
  static func part(of count: Int, where holds: (Int) -> Bool) -> Double {
    guard count > 0 else { return 0 }
    return Double((0..<count).count(where: holds)) / Double(count)
  }
}
