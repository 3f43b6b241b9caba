// Fovea - tests of the order in which what is compared takes turns.
// SPDX-License-Identifier: Apache-2.0
import FoveaBench
import Testing

@Suite struct InterleavedRoundsTests {
  @Test func eachRoundBeginsWithAnother() {
    var turns: [Int] = []
    InterleavedRounds(4).forEach(3) { turns.append($0) }
    #expect(turns == [0, 1, 2, 1, 2, 0, 2, 0, 1, 0, 1, 2])
  }

  /// The first run of a turn does not count.
  @Test func turnsHaveThreeRunsThatCount() {
    var runs = [0, 0]
    let samples = InterleavedRounds(2).samples(2) { index in
      runs[index] += 1
      return runs[index]
    }
    #expect(samples == [[2, 3, 4, 6, 7, 8], [2, 3, 4, 6, 7, 8]])
  }

  @Test func noRoundsAndNobodyTakeNoTurns() {
    InterleavedRounds(0).forEach(3) { _ in Issue.record("no round") }
    InterleavedRounds(3).forEach(0) { _ in Issue.record("nobody") }
    #expect(InterleavedRounds(0).samples(2) { $0 } == [[], []])
  }

  @Test func errorsEndTheRounds() {
    struct Failure: Error {}
    var turns = 0
    #expect(throws: Failure.self) {
      try InterleavedRounds(5).forEach(2) { _ in
        turns += 1
        if turns == 3 { throw Failure() }
      }
    }
    #expect(turns == 3)
  }
}
