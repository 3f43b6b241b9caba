// Fovea - tests of what is right and wrong in one image.
// SPDX-License-Identifier: Apache-2.0
import FoveaEvaluation
import Testing

@Suite struct ImageJudgementTests {
  static func box(_ x: Double, _ side: Double = 10) -> PixelBox {
    PixelBox(x: x, y: 0, width: side, height: 10)
  }

  static let objects: [GroundTruthObject] = [
    .init(category: 1, box: box(0)), .init(category: 2, box: box(100)),
    .init(category: 1, box: box(200)), .init(category: 3, box: box(300)),
    .init(category: 1, box: box(400, 100), isCrowd: true),
  ]
  /// Right; another category; too far off; below the confidence; in a crowd; on nothing.
  static let detections: [DetectedObject] = [
    .init(category: 1, box: box(1), score: 0.9), .init(category: 3, box: box(100), score: 0.8),
    .init(category: 1, box: box(206), score: 0.7), .init(category: 3, box: box(300), score: 0.1),
    .init(category: 1, box: box(450), score: 0.6), .init(category: 2, box: box(700), score: 0.5),
  ]

  @Test func everyMistakeHasItsName() {
    let judged = ImageJudgement(
      objects: Self.objects, detections: Self.detections, confidence: 0.25)
    #expect(judged.objects.count == 4 && judged.detections.count == 5)
    #expect(judged.right.map(\.object) == [0] && judged.right.map(\.detection) == [0])
    #expect(judged.confused.map(\.object) == [1] && judged.confused.map(\.detection) == [1])
    #expect(judged.missed == [2, 3])
    #expect(judged.invented == [2, 4])
    let near = judged.nearMiss(2)
    #expect(near.map { abs($0 - 0.25) < 1e-12 } == true)
    #expect(judged.nearMiss(4) == nil)
    let expected = 2 * 0.64 + 1.5 * 0.49 + 0.25 + 0.5 * 2 / 4
    #expect(abs(judged.badness - expected) < 1e-12)
  }

  @Test func countsOfCategories() {
    let judged = ImageJudgement(
      objects: Self.objects, detections: Self.detections, confidence: 0.25)
    var counts = ConfusionCounts()
    counts.add(judged)
    counts.add(judged)
    #expect(counts.count(there: 1, found: 1) == 2 && counts.count(there: 2, found: 3) == 2)
    #expect(counts.count(there: 1, found: nil) == 2 && counts.count(there: nil, found: 2) == 2)
    #expect(counts.total(there: 1) == 4 && counts.total(found: nil) == 4)
    #expect(counts.total(there: nil) == 4 && counts.count(there: 9, found: 9) == 0)
  }

  /// An object takes the detection of its own category, though another overlaps it more.
  @Test func ownCategoryComesFirst() {
    let judged = ImageJudgement(
      objects: [.init(category: 1, box: Self.box(0))],
      detections: [
        .init(category: 2, box: Self.box(0), score: 0.9),
        .init(category: 1, box: Self.box(2), score: 0.5),
      ], confidence: 0)
    #expect(judged.right.map(\.detection) == [1] && judged.invented == [0])
  }

  /// Scores .9 right, .8 wrong, .7 right, .6 wrong of 3 objects: F1 is 1/2, 2/5, 2/3 and 4/7.
  @Test func confidenceOfTheBestBalance() throws {
    var balance = ConfidenceBalance()
    #expect(balance.best() == nil)
    balance.add(
      objects: [0, 20, 40].map { .init(category: 1, box: Self.box($0)) },
      detections: [
        .init(category: 1, box: Self.box(0), score: 0.9),
        .init(category: 1, box: Self.box(500), score: 0.8),
        .init(category: 1, box: Self.box(20), score: 0.7),
        .init(category: 1, box: Self.box(600), score: 0.6),
      ])
    let best = try #require(balance.best())
    #expect(best.confidence == 0.7 && abs(best.f1 - 2 / 3) < 1e-12)
    #expect(abs(best.precision - 2 / 3) < 1e-12 && abs(best.recall - 2 / 3) < 1e-12)
    let bars = balance.histogram(10)
    #expect(bars.right.reduce(0, +) == 2 && bars.wrong.reduce(0, +) == 2)
    #expect(bars.right[9] == 1 && bars.wrong[8] == 1)
  }

  /// Of two detections of one object the one with more confidence is right, also where the other
  /// one is placed better.
  @Test func theSurerDetectionChooses() throws {
    var balance = ConfidenceBalance()
    balance.add(
      objects: [.init(category: 1, box: Self.box(0))],
      detections: [
        .init(category: 1, box: Self.box(0), score: 0.01),
        .init(category: 1, box: Self.box(1), score: 0.9),
      ])
    let best = try #require(balance.best())
    #expect(best.confidence == 0.9 && best.precision == 1 && best.recall == 1)
  }
}
