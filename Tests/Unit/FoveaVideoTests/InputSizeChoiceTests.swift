// Fovea - tests of the choice of a smaller network input.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaVideo
import Testing

@Suite struct InputSizeChoiceTests {
  private let large = ImageSize(width: 400, height: 400)
  private let middle = ImageSize(width: 200, height: 400)
  private let small = ImageSize(width: 200, height: 200)

  private func size(_ choice: inout InputSizeChoice) -> ImageSize {
    choice.size(wanted: large) { [middle, small] }
  }

  @Test func withoutADeadlineNothingChanges() {
    var choice = InputSizeChoice(deadline: nil)
    for _ in 0..<5 {
      #expect(size(&choice) == large)
      choice.note(latency: 100, work: 100)
    }
  }

  @Test func twoLateResultsTakeASmallerSize() {
    var choice = InputSizeChoice(deadline: 0.1)
    _ = size(&choice)
    // The first result of a size includes loading, and does not count.
    for (latency, expected) in [
      (9, large), (0.2, large), (0.05, large), (0.2, large), (0.2, middle), (9, middle),
      (0.2, middle), (0.2, small), (9, small), (9, small), (9, small), (9, small),
    ] {
      choice.note(latency: latency, work: latency)
      #expect(size(&choice) == expected)
    }
  }

  @Test func manyEarlyResultsTakeALargerSize() {
    var choice = InputSizeChoice(deadline: 0.1)
    _ = size(&choice)
    for _ in 0..<3 { choice.note(latency: 0.2, work: 0.2) }
    #expect(size(&choice) == middle)
    // The large size would take twice as long: 0.09 s, too near to the deadline.
    for _ in 0..<100 { choice.note(latency: 0.05, work: 0.04) }
    #expect(size(&choice) == middle)
    for _ in 0..<24 { choice.note(latency: 0.03, work: 0.03) }
    #expect(size(&choice) == middle)
    choice.note(latency: 0.03, work: 0.03)
    #expect(size(&choice) == large)
  }

  @Test func anotherWishBeginsAnew() {
    var choice = InputSizeChoice(deadline: 0.1)
    _ = size(&choice)
    for _ in 0..<3 { choice.note(latency: 0.2, work: 0.2) }
    #expect(size(&choice) == middle)
    #expect(choice.size(wanted: small) { [] } == small)
    #expect(size(&choice) == large)
  }
}
