// Fovea - lookup tables with the least squared error.
// SPDX-License-Identifier: Apache-2.0
import FoveaQuantization
import FoveaTestSupport
import Testing

/// Tables against every possible partition, and closed forms.
@Suite struct OptimalTableTests {
  /// The least error of all partitions of sorted values into at most `count` intervals.
  private func leastError(
    _ values: [Float], _ weights: [Double], _ count: Int
  ) -> Double {
    let order = values.indices.sorted { values[$0] < values[$1] }
    let points = order.map { (Double(values[$0]), weights[$0]) }
    func error(_ points: ArraySlice<(Double, Double)>) -> Double {
      let weight = points.reduce(0) { $0 + $1.1 }
      let mean = points.reduce(0) { $0 + $1.0 * $1.1 } / weight
      return points.reduce(0) { $0 + $1.1 * ($1.0 - mean) * ($1.0 - mean) }
    }
    func least(_ points: ArraySlice<(Double, Double)>, _ count: Int) -> Double {
      if points.isEmpty { return 0 }
      if count == 1 { return error(points) }
      return (points.startIndex + 1...points.endIndex).map { end in
        error(points[points.startIndex..<end]) + least(points[end...], count - 1)
      }.min() ?? 0
    }
    return least(points[...], count)
  }

  private func error(_ values: [Float], _ weights: [Double], _ table: [Float]) -> Double {
    zip(values, weights).reduce(0) { sum, point in
      let distance = table.map { abs(Double($0) - Double(point.0)) }.min() ?? 0
      return sum + point.1 * distance * distance
    }
  }

  @Test(arguments: 1...5) func noPartitionIsBetter(count: Int) {
    var random = SplitMix(seed: UInt64(count))
    for _ in 0..<40 {
      let size = Int.random(in: 1...11, using: &random)
      let values = (0..<size).map { _ in Float(Int.random(in: -20...20, using: &random)) / 8 }
      let weights = (0..<size).map { _ in Double.random(in: 0.1...3, using: &random) }
      let table = OptimalTable.means(of: values, importance: weights, count: count)
      #expect(table.count <= count)
      #expect(table == table.sorted())
      let found = error(values, weights, table)
      #expect(abs(found - leastError(values, weights, count)) < 1e-6)
    }
  }

  @Test func fewValuesAreKeptExactly() {
    let table = OptimalTable.means(of: [3, -1, 3, 0.5, -1], count: 4)
    #expect(table == [-1, 0.5, 3])
    #expect(OptimalTable.codes(of: [3, -1, 0.5], in: table) == [2, 0, 1])
  }

  @Test func oneEntryIsTheMean() {
    #expect(OptimalTable.means(of: [1, 2, 6], count: 1) == [3])
    #expect(OptimalTable.means(of: [1, 2, 6], importance: [3, 0, 1], count: 1)[0] == 2.25)
  }

  /// Entries of evenly spread values divide them evenly: entry k of K is (2k + 1) / 2K.
  @Test func manyValuesSettleOnTheOptimumOfAUniformDensity() {
    let count = 3 * OptimalTable.exactPointCount
    let values = (0..<count).map { (Float($0) + 0.5) / Float(count) }
    let table = OptimalTable.means(of: values, count: 8)
    #expect(table.count == 8)
    for (index, entry) in table.enumerated() {
      #expect(abs(entry - (2 * Float(index) + 1) / 16) < 1e-3)
    }
  }

  @Test func evenSpacingEndsAtTheExtremes() {
    #expect(OptimalTable.evenlySpaced(over: [0.25, -1, 2], count: 4) == [-1, 0, 1, 2])
    #expect(OptimalTable.evenlySpaced(over: [2, 2], count: 4) == [2])
  }
}
