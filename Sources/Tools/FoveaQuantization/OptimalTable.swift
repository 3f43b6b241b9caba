// Fovea - lookup tables with the least squared error.
// SPDX-License-Identifier: Apache-2.0

/// Tables of few values for many.
package enum OptimalTable {
  /// Numbers of points up to which the optimum is found exactly; beyond, points are first
  /// gathered into as many bins of equal width, and the result settles on the points themselves.
  package static let exactPointCount = 1 << 14

  /// The `count` values with the least sum of weight * (value - nearest value)^2, in ascending
  /// order; fewer where there are not so many different values.
  ///
  /// One-dimensional k-means has an optimal solution of intervals, found by dynamic programming:
  /// cost(k, i) = min over j of cost(k - 1, j) + cost of the interval j..<i, where the best j does not
  /// decrease with i, so that halving takes O(count * points * log points) (Wang and Song,
  /// "Ckmeans.1d.dp", 2011; Grønlund et al., "Fast exact k-means in 1D", 2017).
  ///
  /// - Parameters:
  ///   - values: Finite values.
  ///   - importance: A weight for each value, not negative; `nil` means 1.
  ///   - count: At least 1.
  package static func means(
    of values: [Float], importance: [Double]? = nil, count: Int
  ) -> [Float] {
    let points = WeightedPoints(values, importance: importance)
    if points.count <= count { return points.values.map(Float.init) }
    if points.count <= exactPointCount {
      return distinct(points.intervals(count).map { points.mean($0) })
    }
    let bins = points.binned(exactPointCount)
    let start =
      bins.count <= count
      ? bins.values : bins.intervals(count).map { bins.mean($0) }
    return distinct(points.settled(start))
  }

  /// `count` values evenly spaced from the least to the greatest of `values`.
  package static func evenlySpaced(over values: [Float], count: Int) -> [Float] {
    guard let least = values.min(), let greatest = values.max() else { return [0] }
    if least == greatest || count < 2 { return [least] }
    let step = (Double(greatest) - Double(least)) / Double(count - 1)
    return (0..<count).map { Float(Double(least) + Double($0) * step) }
  }

  /// The index of the nearest of ascending values; the lower one of two as near.
  static func nearest(_ value: Double, in table: UnsafeBufferPointer<Double>) -> Int {
    var (low, high) = (0, table.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if value * 2 > table[middle] + table[middle + 1] { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The codes of `values` in an ascending table.
  package static func codes(of values: [Float], in table: [Float]) -> [UInt8] {
    table.map(Double.init).withUnsafeBufferPointer { table in
      values.map { UInt8(truncatingIfNeeded: nearest(Double($0), in: table)) }
    }
  }

  private static func distinct(_ values: [Double]) -> [Float] {
    var table: [Float] = []
    for value in values.map(Float.init).sorted() where table.last != value { table.append(value) }
    return table
  }
}

/// Different values in ascending order, each with its weight.
private struct WeightedPoints {
  private(set) var values: [Double] = []
  /// Sums over the points before an index: of weights, and of weights times value and value squared.
  /// Values are taken from `origin`, which keeps the differences of large sums accurate.
  private var weights: [Double] = [0]
  private var firsts: [Double] = [0]
  private var squares: [Double] = [0]
  private let origin: Double

  var count: Int { values.count }

  init(_ unsorted: [Float], importance: [Double]?) {
    // Weights of 0 still need a place: a value that matters little gets the nearest entry.
    let total = importance?.reduce(0, +) ?? Double(unsorted.count)
    let least = total > 0 ? total / Double(max(unsorted.count, 1)) * 1e-9 : 1
    let order = unsorted.indices.sorted { unsorted[$0] < unsorted[$1] }
    var points: [(value: Double, weight: Double)] = []
    for index in order {
      let weight = max(importance?[index] ?? 1, least)
      if let last = points.last, last.value == Double(unsorted[index]) {
        points[points.count - 1].weight += weight
      } else {
        points.append((Double(unsorted[index]), weight))
      }
    }
    self.init(points)
  }

  private init(_ points: [(value: Double, weight: Double)]) {
    origin = points.isEmpty ? 0 : points[points.count / 2].value
    for (value, weight) in points {
      let distance = value - origin
      values.append(value)
      weights.append(weights[values.count - 1] + weight)
      firsts.append(firsts[values.count - 1] + weight * distance)
      squares.append(squares[values.count - 1] + weight * distance * distance)
    }
  }

  func mean(_ range: Range<Int>) -> Double {
    let weight = weights[range.upperBound] - weights[range.lowerBound]
    return origin + (firsts[range.upperBound] - firsts[range.lowerBound]) / weight
  }

  /// The same points gathered into intervals of equal width; each becomes its mean.
  func binned(_ count: Int) -> WeightedPoints {
    let least = values[0]
    let scale = Double(count) / (values[values.count - 1] - least)
    var bins: [(value: Double, weight: Double)] = []
    var start = 0
    while start < values.count {
      let bin = min(Int((values[start] - least) * scale), count - 1)
      var end = start + 1
      while end < values.count, min(Int((values[end] - least) * scale), count - 1) == bin {
        end += 1
      }
      bins.append((mean(start..<end), weights[end] - weights[start]))
      start = end
    }
    return WeightedPoints(bins)
  }

  /// Lloyd's iteration from `means` until nothing moves.
  func settled(_ means: [Double]) -> [Double] {
    var means = means
    var borders: [Int] = []
    while true {
      var newBorders = [0]
      for index in 1..<max(means.count, 1) {
        let middle = (means[index - 1] + means[index]) / 2
        newBorders.append(max(newBorders[index - 1], firstIndex(above: middle)))
      }
      newBorders.append(values.count)
      if newBorders == borders { return means }
      borders = newBorders
      means = means.indices.compactMap { index in
        let range = borders[index]..<borders[index + 1]
        return range.isEmpty ? nil : mean(range)
      }
    }
  }

  private func firstIndex(above limit: Double) -> Int {
    var (low, high) = (0, values.count)
    while low < high {
      let middle = (low + high) / 2
      if values[middle] > limit { high = middle } else { low = middle + 1 }
    }
    return low
  }

  // MARK: Dynamic programming

  /// The best partition into `count` intervals, which must be fewer than the points.
  func intervals(_ count: Int) -> [Range<Int>] {
    let points = values.count
    // best[i]: the least cost of the first i points; splits[k][i]: where the last interval begins.
    var best = (0...points).map { cost(0, $0) }
    var splits: [[Int32]] = [[Int32](repeating: 0, count: points + 1)]
    for intervals in 1..<max(count, 1) {
      var next = [Double](repeating: .infinity, count: points + 1)
      var split = [Int32](repeating: 0, count: points + 1)
      extend(best, intervals, &next, &split)
      best = next
      splits.append(split)
    }
    var ranges: [Range<Int>] = []
    var end = points
    for split in splits.reversed() {
      let start = Int(split[end])
      ranges.append(start..<end)
      end = start
    }
    return ranges.reversed()
  }

  /// One more interval: halves the ends, since the best split of an end lies between those of its
  /// neighbors.
  private func extend(
    _ best: [Double], _ intervals: Int, _ next: inout [Double], _ split: inout [Int32]
  ) {
    struct Piece {
      var ends: ClosedRange<Int>
      var splits: ClosedRange<Int>
    }
    let points = values.count
    var pieces = [
      Piece(ends: intervals + 1...points, splits: intervals...points - 1)
    ]
    while let piece = pieces.popLast() {
      let end = (piece.ends.lowerBound + piece.ends.upperBound) / 2
      var least = Double.infinity
      var place = piece.splits.lowerBound
      for start in piece.splits.lowerBound...min(piece.splits.upperBound, end - 1) {
        let sum = best[start] + cost(start, end)
        if sum < least { (least, place) = (sum, start) }
      }
      next[end] = least
      split[end] = Int32(place)
      if end > piece.ends.lowerBound {
        pieces.append(
          Piece(
            ends: piece.ends.lowerBound...end - 1, splits: piece.splits.lowerBound...place))
      }
      if end < piece.ends.upperBound {
        pieces.append(
          Piece(ends: end + 1...piece.ends.upperBound, splits: place...piece.splits.upperBound))
      }
    }
  }

  /// The weighted squared distance of points from their mean.
  private func cost(_ start: Int, _ end: Int) -> Double {
    let weight = weights[end] - weights[start]
    guard weight > 0 else { return 0 }
    let first = firsts[end] - firsts[start]
    return max(0, squares[end] - squares[start] - first * first / weight)
  }
}
