// Fovea - tests of average precision against closed forms.
// SPDX-License-Identifier: Apache-2.0
import FoveaEvaluation
import Testing

@Suite struct AveragePrecisionTests {
  /// Squares of 50 pixels a side that do not touch.
  static func square(_ place: Int, movedBy x: Double = 0) -> PixelBox {
    PixelBox(x: Double(place) * 100 + x, y: 10, width: 50, height: 50)
  }

  static func objects(_ count: Int) -> [GroundTruthObject] {
    (0..<count).map { GroundTruthObject(category: 1, box: square($0)) }
  }

  static func found(_ place: Int, score: Double, movedBy x: Double = 0) -> DetectedObject {
    DetectedObject(category: 1, box: square(place, movedBy: x), score: score)
  }

  static func metrics(
    _ objects: [GroundTruthObject], _ detections: [DetectedObject]
  ) throws -> DetectionMetrics {
    var evaluator = AveragePrecisionEvaluator(categories: [1])
    try evaluator.add(image: 1, objects: objects, detections: detections)
    return evaluator.metrics()
  }

  @Test func perfectDetectorHasOne() throws {
    let summary = try Self.metrics(
      Self.objects(4), (0..<4).map { Self.found($0, score: 0.5) }
    ).summary
    #expect(abs(try #require(summary.averagePrecision) - 1) < 1e-12)
    #expect(summary.averageRecall100 == 1)
    #expect(summary.averageRecall1 == 0.25)
    // 50 x 50 lies between 32 x 32 and 96 x 96.
    #expect(summary.averagePrecisionSmall == nil && summary.averagePrecisionLarge == nil)
    #expect(summary.values[3] == -1 && summary.values[9] == -1)
    #expect(abs(try #require(summary.averagePrecisionMedium) - 1) < 1e-12)
  }

  /// Two objects; the better detection is wrong, then both are found: precision 1/2 at recall 1/2 and
  /// 2/3 at recall 1, so 2/3 everywhere. With the last one missing: 1/2 on 51 of 101 recalls.
  @Test func precisionIsThatOfTheBestRecallToCome() throws {
    let wrong = Self.found(9, score: 0.9)
    let both = try Self.metrics(
      Self.objects(2), [wrong, Self.found(0, score: 0.8), Self.found(1, score: 0.7)])
    #expect(abs(try #require(both.summary.averagePrecision50) - 2.0 / 3) < 1e-12)
    let one = try Self.metrics(Self.objects(2), [wrong, Self.found(0, score: 0.8)])
    #expect(abs(try #require(one.summary.averagePrecision50) - 0.5 * 51 / 101) < 1e-12)
    let curve = try #require(one.categories[0].curves.first)
    #expect(curve.overlapThreshold == 0.5 && curve.recall == 0.5)
    #expect(curve.precisions.count == 101 && curve.precisions[51] == 0)
    #expect(abs(curve.precisions[50] - 0.5) < 1e-12)
    #expect(curve.scores[0] == 0.9 && curve.scores[50] == 0.8 && curve.scores[51] == 0)
  }

  /// A square moved by d of its side s overlaps (s - d) / (s + d): 10 of 50 pixels is 2/3, which is
  /// enough for 0.50, 0.55, 0.60 and 0.65.
  @Test func thresholdsAreTenfold() throws {
    let metrics = try Self.metrics(Self.objects(1), [Self.found(0, score: 0.5, movedBy: 10)])
    #expect(abs(try #require(metrics.summary.averagePrecision) - 0.4) < 1e-12)
    #expect(abs(try #require(metrics.summary.averagePrecision50) - 1) < 1e-12)
    #expect(metrics.summary.averagePrecision75 == 0)
    #expect(abs(try #require(metrics.summary.averageRecall100) - 0.4) < 1e-12)
  }

  @Test func secondDetectionOfAnObjectIsWrongUnlessItIsACrowd() throws {
    let twice = [Self.found(0, score: 0.9), Self.found(0, score: 0.8), Self.found(1, score: 0.7)]
    let single = try Self.metrics(Self.objects(2), twice)
    // Precision 1 up to recall 1/2, then 2/3.
    let expected = (51 + 50 * 2.0 / 3) / 101
    #expect(abs(try #require(single.summary.averagePrecision50) - expected) < 1e-12)
    var objects = Self.objects(2)
    objects[0].isCrowd = true
    let crowd = try Self.metrics(objects, twice)
    #expect(abs(try #require(crowd.summary.averagePrecision50) - 1) < 1e-12)
    #expect(crowd.categories[0].objectCount == 1)
  }

  @Test func nothingToFindIsNoNumber() throws {
    let nothing = try Self.metrics([], [])
    #expect(nothing.summary.values == Array(repeating: -1, count: 12))
    let onlyWrong = try Self.metrics([], [Self.found(0, score: 0.5)])
    #expect(onlyWrong.summary.averagePrecision == nil)
    #expect(onlyWrong.categories[0].curves.isEmpty && onlyWrong.categories[0].detectionCount == 1)
    let onlyMissed = try Self.metrics(Self.objects(1), [])
    #expect(onlyMissed.summary.averagePrecision == 0 && onlyMissed.summary.averageRecall1 == 0)
    #expect(AveragePrecisionEvaluator(categories: []).metrics().summary.averagePrecision == nil)
  }

  @Test func onlyAHundredDetectionsCount() throws {
    let far = (0..<100).map { Self.found(10 + $0, score: 0.9) }
    let late = try Self.metrics(Self.objects(1), far + [Self.found(0, score: 0.1)])
    #expect(late.summary.averageRecall100 == 0 && late.categories[0].detectionCount == 100)
    let inTime = try Self.metrics(Self.objects(1), far.dropLast() + [Self.found(0, score: 0.1)])
    #expect(inTime.summary.averageRecall100 == 1 && inTime.summary.averageRecall10 == 0)
  }

  @Test func refusedImagesLeaveNothing() throws {
    var evaluator = AveragePrecisionEvaluator(categories: [1])
    try evaluator.add(image: 3, objects: Self.objects(1), detections: [Self.found(0, score: 1)])
    let before = evaluator.metrics()
    #expect(throws: EvaluationError.repeatedImage(3)) {
      try evaluator.add(image: 3, objects: [], detections: [])
    }
    for bad in [Double.nan, .infinity] {
      #expect(throws: EvaluationError.self) {
        try evaluator.add(image: 4, objects: [], detections: [Self.found(0, score: bad)])
      }
      #expect(throws: EvaluationError.self) {
        try evaluator.add(
          image: 4, objects: [], detections: [Self.found(0, score: 1, movedBy: bad)])
      }
      #expect(throws: EvaluationError.self) {
        try evaluator.add(
          image: 4, objects: [GroundTruthObject(category: 1, box: Self.square(0), area: bad)],
          detections: [])
      }
    }
    #expect(evaluator.metrics() == before && evaluator.imageCount == 1)
  }
}
