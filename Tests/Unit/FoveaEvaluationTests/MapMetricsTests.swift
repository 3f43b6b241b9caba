// Fovea - tests of the measures of classifiers and maps.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaEvaluation
import FoveaTestSupport
import Testing

@Suite struct MapMetricsTests {
  @Test func classesAreCountedAmongTheFirstAndTheFirstFive() {
    var metrics = ClassificationMetrics(classCount: 7)
    metrics.add(truth: 2, found: [2, 1, 0])
    metrics.add(truth: 2, found: [1, 3, 4, 5, 2, 6])
    metrics.add(truth: 6, found: [1, 3, 4, 5, 2, 6])
    let total = metrics.total
    #expect(total.images == 3 && total.first == 1 && total.five == 2)
    #expect(metrics.classes[2].top1 == 0.5 && metrics.classes[2].top5 == 1)
    #expect(metrics.classes[6].top5 == 0 && metrics.classes[0].top1 == nil)
    #expect(ClassificationMetrics(classCount: 3).total.top1 == nil)
  }

  /// By sets of pixels, as the measure is defined.
  @Test func overlapsAreThoseOfSetsOfPixels() {
    var random = SplitMix(seed: 5)
    var metrics = ClassMapMetrics(classCount: 5)
    var truth: [UInt16] = [], found: [UInt16] = []
    for _ in 0..<4 {
      let there = (0..<300).map { _ in [0, 1, 2, 3, 255][Int(random.next() % 5)] as UInt16 }
      let seen = there.map { random.next() % 3 == 0 ? [0, 2, 4, 255][Int(random.next() % 4)] : $0 }
      let stranger = metrics.add(truth: there, found: seen, ignored: 255)
      #expect(stranger == nil)
      truth += there
      found += seen
    }
    let pixels = truth.indices.filter { truth[$0] != 255 }
    var overlaps: [Double] = []
    for index in 0..<UInt16(5) {
      let (there, seen) = (
        Set(pixels.filter { truth[$0] == index }), Set(pixels.filter { found[$0] == index })
      )
      let overlap = Double(there.intersection(seen).count) / Double(there.union(seen).count)
      #expect(abs((metrics.classes[Int(index)].overlap ?? -1) - overlap) < 1e-12)
      overlaps.append(overlap)
    }
    #expect(abs((metrics.meanOverlap ?? -1) - overlaps.reduce(0, +) / 5) < 1e-12)
    let right = pixels.filter { truth[$0] == found[$0] }.count
    #expect(metrics.pixelAccuracy == Double(right) / Double(pixels.count))
  }

  @Test func strangersAndNothingAreTold() {
    var metrics = ClassMapMetrics(classCount: 2)
    let stranger = metrics.add(truth: [0, 7], found: [0, 0], ignored: 255)
    #expect(stranger == 7)
    #expect(metrics.meanOverlap == nil && metrics.pixelAccuracy == nil)
    // A class that occurs nowhere does not count.
    let none = metrics.add(truth: [0, 255], found: [0, 1], ignored: 255)
    #expect(none == nil)
    #expect(metrics.meanOverlap == 1 && metrics.classes[1].overlap == nil)
  }

  @Test func depthsAreComparedWhereTheyWereMeasured() {
    var metrics = DepthMetrics()
    let hasAny = metrics.add(truth: [0, .nan], found: [1, 1], isInverse: false)
    #expect(!hasAny)
    #expect(metrics.absoluteRelativeError == nil)
    let isAdded = metrics.add(truth: [2, 4, 0, 8], found: [3, 4, 9, .nan], isInverse: false)
    #expect(isAdded)
    #expect(metrics.absoluteRelativeError == 0.25 && metrics.nearShare == 0.5)
    let isAddedToo = metrics.add(truth: [10], found: [10], isInverse: false)
    #expect(isAddedToo)
    #expect(metrics.absoluteRelativeError == 0.125 && metrics.nearShare == 0.75)
    #expect(metrics.imageCount == 2)
  }

  /// Numbers that are a line of 1 / depth are right, whatever the line.
  @Test func relativeNumbersAreFittedToTheTruth() {
    let truth = (1...40).map { Float($0) / 4 }
    var metrics = DepthMetrics()
    let isFitted = metrics.add(truth: truth, found: truth.map { 7 / $0 - 3 }, isInverse: true)
    #expect(isFitted)
    #expect((metrics.absoluteRelativeError ?? 1) < 1e-5 && metrics.nearShare == 1)
    // The same number everywhere is the mean of 1 / depth.
    var flat = DepthMetrics()
    let isFlat = flat.add(truth: [1, 2], found: [5, 5], isInverse: true)
    #expect(isFlat)
    let depth = 1 / 0.75
    #expect(
      abs((flat.absoluteRelativeError ?? 0) - ((depth - 1) + (2 - depth) / 2) / 2) < 1e-6)
  }
}
