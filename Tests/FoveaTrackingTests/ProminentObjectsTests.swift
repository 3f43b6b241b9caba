// Fovea - tests of the objects that ML Kit's detector would give, and of thresholds by curves.
// SPDX-License-Identifier: Apache-2.0
import FoveaTracking
import Testing

@Suite struct ProminentObjectsTests {
  private func detection(
    _ x: Double, size: Double, score: Double = 0.9, label: Int = 0
  ) -> TrackingDetection {
    TrackingDetection(
      box: TrackingBox(x: x, y: 240, width: size, height: size), score: score, label: label)
  }

  @Test func theDefaultIsTheMostProminentOfAStream() {
    var picker = ProminentObjects(labels: ["cup"])
    picker.update([detection(100, size: 50), detection(320, size: 80)], width: 640, height: 480)
    #expect(picker.objects.map(\.box.x) == [320])
    #expect(picker.objects.first?.identifier == 2)
    #expect(picker.objects.first?.category == nil)
  }

  @Test func anotherMustStayAheadForThreeFrames() {
    var picker = ProminentObjects()
    var chosen: [Int?] = []
    for frame in 0..<12 {
      // From frame 4 on the other is far larger; in frame 6 for a moment it is not.
      let size = frame < 4 || frame == 6 ? 60.0 : 200
      let found = [
        TrackingDetection(
          box: TrackingBox(x: 300, y: 240, width: 80, height: 80), score: 0.9),
        TrackingDetection(
          box: TrackingBox(x: 320, y: 240, width: size, height: size), score: 0.9, label: 1),
      ]
      picker.update(found, seconds: Double(frame) / 25, width: 640, height: 480)
      chosen.append(picker.objects.first?.label)
      #expect(picker.objects.count == 1)
    }
    #expect(chosen.first == 0)
    #expect(chosen.last == 1)
    // Never back and forth.
    #expect(zip(chosen, chosen.dropFirst()).filter { $0 != $1 }.count == 1)
  }

  @Test func fiveAtMostAndTheirCategories() {
    var options = ProminenceOptions()
    options.mode = .singleImage
    options.findsMultiple = true
    options.classifies = true
    let labels = ["cup", "Pizza", "potted plant", "tie", "person"]
    var picker = ProminentObjects(options: options, labels: labels)
    let found = (0..<9).map { detection(60 * Double($0), size: 40 + Double($0), label: $0 % 5) }
    picker.update(found, width: 640, height: 480)
    #expect(picker.objects.count == 5)
    #expect(picker.objects.allSatisfy { $0.identifier == nil && !$0.isPredicted })
    let expected: [CoarseCategory?] = [.homeGoods, .food, .plants, .fashionGoods, nil]
    for object in picker.objects { #expect(object.category == expected[object.label]) }
    picker.update([], width: 640, height: 480)
    #expect(picker.objects.isEmpty)
  }

  @Test func thresholdsFollowFromTheCurve() {
    // F1 is 2 x right / (found + objects): 8/14, 14/20, 16/28, 18/128.
    let curve = ScoreCurve(
      points: [
        .init(score: 0.7, right: 4, wrong: 0), .init(score: 0.5, right: 3, wrong: 3),
        .init(score: 0.2, right: 1, wrong: 7), .init(score: 0.05, right: 1, wrong: 99),
      ], objectCount: 10)
    #expect(curve.bestScore == 0.5)
    #expect(curve.lowestUsefulScore == 0.2)
    let options = TrackingOptions(curve)
    #expect(options.highScore == 0.5 && options.lowScore == 0.2)
    #expect(abs(options.newScore - 0.6) < 1e-12)
    let nothing = ScoreCurve(points: [.init(score: 0.9, right: 0, wrong: 5)], objectCount: 3)
    #expect(TrackingOptions(nothing) == TrackingOptions())
  }
}
