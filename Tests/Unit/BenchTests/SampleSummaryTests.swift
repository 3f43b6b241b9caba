// Fovea - tests of the statistics of measured times.
// SPDX-License-Identifier: Apache-2.0
import Testing

import FoveaBench

@Suite struct SampleSummaryTests {
  @Test func minimumAndMedianDoNotDependOnTheOrder() {
    let odd = SampleSummary([3, 1, 2])
    #expect(odd.minimum == 1 && odd.median == 2 && odd.count == 3)
    #expect(odd == SampleSummary([2, 3, 1]))
    #expect(SampleSummary([4, 1, 3, 2]).median == 2.5)
  }

  // numpy.percentile([15, 20, 35, 40, 50], [0, 5, 25, 40, 90, 99, 100])
  @Test(arguments: [
    (0, 15), (5, 16), (25, 20), (40, 29), (90, 46), (99, 49.6), (100, 50),
  ])
  func percentilesLieBetweenNeighbors(_ percent: Double, _ expected: Double) {
    let found = SampleSummary([35, 20, 15, 50, 40]).percentile(percent)
    #expect(abs(found - expected) < 1e-12)
  }

  @Test func oneSampleIsEveryPercentile() {
    let summary = SampleSummary([7])
    #expect([0, 50, 99, 100].allSatisfy { summary.percentile($0) == 7 })
  }

  @Test func percentsOutsideOfAHundredAreTheEnds() {
    #expect(SampleSummary([1, 2]).percentile(-5) == 1)
    #expect(SampleSummary([1, 2]).percentile(105) == 2)
  }
}
