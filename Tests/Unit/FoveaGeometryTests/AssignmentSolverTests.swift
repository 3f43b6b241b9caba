// Fovea - tests of pairing rows with columns, against every possible answer.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaTestSupport
import Testing

@Suite struct AssignmentSolverTests {
  /// The least sum, by trying all.
  private func least(_ costs: [[Double]], row: Int = 0, used: Set<Int> = []) -> Double {
    let columns = costs.first?.count ?? 0
    guard row < costs.count else { return 0 }
    // With more rows than columns, a row may stay alone.
    let spare = costs.count - row > columns - used.count
    var best = spare ? least(costs, row: row + 1, used: used) : Double.infinity
    for column in 0..<columns where !used.contains(column) {
      let rest = least(costs, row: row + 1, used: used.union([column]))
      best = min(best, costs[row][column] + rest)
    }
    return best
  }

  @Test func noAnswerIsBetter() {
    var random = SplitMix(seed: 5)
    var solver = AssignmentSolver()
    for _ in 0..<400 {
      let (rows, columns) = (1 + Int(random.next() % 6), 1 + Int(random.next() % 6))
      // Few different costs give many ties.
      let kinds = random.next() % 2 == 0 ? 4 : 1000
      let costs = (0..<rows).map { _ in
        (0..<columns).map { _ in Double(random.next() % UInt64(kinds)) - 2 }
      }
      solver.solve(costs.flatMap { $0 }, rows: rows, columns: columns)
      let pairs = solver.columnOfRow.enumerated().filter { $0.element >= 0 }
      #expect(pairs.count == min(rows, columns))
      #expect(Set(pairs.map(\.element)).count == pairs.count)
      #expect(pairs.allSatisfy { $0.element < columns })
      let sum = pairs.reduce(0) { $0 + costs[$1.offset][$1.element] }
      #expect(sum == least(costs), "\(costs)")
    }
  }

  @Test func equalCostsGiveTheDiagonal() {
    var solver = AssignmentSolver()
    solver.solve([Double](repeating: 1, count: 12), rows: 3, columns: 4)
    #expect(solver.columnOfRow == [0, 1, 2])
    solver.solve([Double](repeating: 1, count: 12), rows: 4, columns: 3)
    #expect(solver.columnOfRow == [0, 1, 2, -1])
  }

  @Test func nothingIsPairedWithNothing() {
    var solver = AssignmentSolver()
    solver.solve([], rows: 0, columns: 3)
    #expect(solver.columnOfRow == [])
    solver.solve([], rows: 2, columns: 0)
    #expect(solver.columnOfRow == [-1, -1])
  }

  /// A case in which the nearest pairs are wrong.
  @Test func aLateRowMovesEarlierOnes() {
    var solver = AssignmentSolver()
    solver.solve([1, 2, 8, 1, 9, 9, 9, 1, 8], rows: 3, columns: 3)
    #expect(solver.columnOfRow == [2, 0, 1])
  }
}
