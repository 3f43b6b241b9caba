// Fovea - tests of the objects that ML Kit's detector would give, and of thresholds by curves.
// SPDX-License-Identifier: Apache-2.0
import FoveaTracking
import Testing

@Suite struct ProminenceTests {
  private func candidate(
    _ identifier: Int?, x: Double, size: Double, score: Double = 0.9
  ) -> ProminencePicker.Candidate {
    .init(
      identifier: identifier, box: TrackingBox(x: x, y: 240, width: size, height: size),
      score: score)
  }

  @Test func theDefaultIsTheMostProminent() {
    var picker = ProminencePicker()
    let candidates = [candidate(7, x: 100, size: 50), candidate(8, x: 320, size: 80)]
    #expect(picker.pick(from: candidates, width: 640, height: 480) == [1])
    #expect(picker.pick(from: [], width: 640, height: 480).isEmpty)
  }

  @Test func anotherMustStayAheadForThreeFrames() {
    var picker = ProminencePicker()
    var chosen: [Int] = []
    for frame in 0..<12 {
      // From frame 4 on the other is far larger; in frame 6 for a moment it is not.
      let size = frame < 4 || frame == 6 ? 60.0 : 200
      let candidates = [candidate(1, x: 300, size: 80), candidate(2, x: 320, size: size)]
      chosen += picker.pick(from: candidates, width: 640, height: 480)
    }
    #expect(chosen == [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1])
  }

  @Test func whoseIdentifierIsGoneIsNotWaitedFor() {
    var picker = ProminencePicker()
    let both = [candidate(1, x: 320, size: 100), candidate(2, x: 200, size: 90)]
    #expect(picker.pick(from: both, width: 640, height: 480) == [0])
    #expect(picker.pick(from: [both[1]], width: 640, height: 480) == [0])
  }

  @Test func fiveAtMost() {
    var picker = ProminencePicker(findsMultiple: true)
    let candidates = (0..<9).map { candidate(nil, x: 320, size: 40 + Double($0)) }
    #expect(picker.pick(from: candidates, width: 640, height: 480) == [8, 7, 6, 5, 4])
  }

  @Test func categoriesFollowFromLabels() {
    let labels = ["cup", "Pizza", "potted plant", "tie", "person"]
    let expected: [CoarseCategory?] = [.homeGoods, .food, .plants, .fashionGoods, nil]
    #expect(labels.map { CoarseCategory(label: $0) } == expected)
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
