// Fovea - tests of work that is shared out to threads.
// SPDX-License-Identifier: Apache-2.0
import FoveaRuntime
import Testing

@Suite("Threads of a pool") struct ThreadPoolTests {
  struct Refusal: Error, Equatable {
    var place: Int
  }

  @Test("What units give keeps their order", arguments: [1, 4])
  func order(threadCount: Int) throws {
    let pool = try ThreadPool(threadCount: threadCount)
    #expect(pool.map(100) { place in "\(place * place)" } == (0..<100).map { "\($0 * $0)" })
    #expect(pool.map(0) { $0 }.isEmpty)
  }

  @Test("The first error is thrown") func firstError() throws {
    let pool = try ThreadPool(threadCount: 3)
    #expect(throws: Refusal(place: 7)) {
      try pool.map(20) { place throws(Refusal) in
        if place >= 7 { throw Refusal(place: place) }
        return place
      }
    }
  }

  @Test("A unit may share out work of its own") func nested() throws {
    let pool = try ThreadPool(threadCount: 2)
    let sums = pool.map(8) { place in pool.map(place) { $0 }.reduce(0, +) }
    #expect(sums == [0, 0, 1, 3, 6, 10, 15, 21])
  }
}
