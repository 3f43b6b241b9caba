// Fovea - tests of scores that are lowered by what better boxes cover.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaRuntime
import Testing

@Suite struct SoftSuppressionTests {
  /// Overlaps: first and second 1/3, second and third 3/5, first and third 1/7; the last stands alone.
  static let boxes = [0.0, 5, 7.5, 40].map {
    CornerBox(minX: $0, minY: 0, maxX: $0 + 10, maxY: 10)
  }
  static let scores: [Float] = [0.9, 0.75, 0.5, 0.25]

  static func left(
    _ strength: Double, scores: [Float] = scores, groups: [Int] = [0, 0, 0, 0],
    threshold: Double = 0, maximum: Int? = nil
  ) -> [DetectionCandidates.Survivor] {
    let candidates = DetectionCandidates(capacity: 4)
    for index in 0..<4 {
      candidates.append(
        DetectionCandidates.Candidate(
          box: boxes[index], classIndex: groups[index], score: scores[index], row: index))
    }
    candidates.suppress(
      SuppressionSettings(
        confidenceThreshold: threshold, iouThreshold: 1, softSuppression: strength,
        maximumCount: maximum))
    return Array(candidates.survivors)
  }

  static func shares(_ survivors: [DetectionCandidates.Survivor]) -> [Int: Float] {
    Dictionary(uniqueKeysWithValues: survivors.map { ($0.index, $0.share) })
  }

  /// The third overlaps both, and loses to the second alone.
  @Test(arguments: [0.25, 0.5, 1])
  func shareIsWhatTheGreatestOverlapLeaves(_ strength: Double) {
    let shares = Self.shares(Self.left(strength))
    for (index, overlap) in [0, 1 / 3.0, 3 / 5.0, 0].enumerated() {
      #expect(abs(Double(shares[index]!) - (1 - strength * overlap)) < 1e-6)
    }
    #expect(Self.left(strength).first { $0.index == 2 }?.rival == 1)
    #expect(Self.left(strength).first { $0.index == 3 }?.rival == nil)
  }

  @Test func withoutStrengthNothingChanges() {
    #expect(Self.left(0).map(\.index) == [0, 1, 2, 3])
    #expect(Self.left(0).allSatisfy { $0.share == 1 && $0.rival == nil })
    #expect(Self.left(0, maximum: 2).map(\.index) == [0, 1])
  }

  /// 0.9, 0.5, 0.2 and 0.25 are left.
  @Test func theLoweredScoreSaysTheOrderAndWhoIsLeft() {
    #expect(Self.left(1).map(\.index) == [0, 1, 3, 2])
    #expect(Self.left(1, maximum: 3).map(\.index) == [0, 1, 3])
    #expect(Self.left(1, threshold: 0.22).map(\.index) == [0, 1, 3])
    #expect(Self.left(1, threshold: 0.25).map(\.index) == [0, 1, 3])
    #expect(Self.left(1, threshold: 0.26).map(\.index) == [0, 1])
  }

  /// One that goes still lowers others: it was found, and shows the same object.
  @Test func whatGoesStillLowersOthers() {
    let left = Self.left(1, scores: [0.9, 0.3, 0.29, 0.25], threshold: 0.21)
    #expect(left.map(\.index) == [0, 3])
  }

  @Test func onlyTheOwnGroupCounts() {
    let shares = Self.shares(Self.left(1, groups: [0, 1, 0, 1]))
    #expect(shares[1] == 1 && abs(shares[2]! - 6 / 7) < 1e-6)
  }

  @Test func equalScoresKeepTheOrderInWhichTheyCame() {
    #expect(Self.left(1, scores: [0.5, 0, 0, 0.5]).map(\.index) == [0, 3, 1, 2])
  }

  @Test func noBoxesLeaveNone() {
    let none = DetectionCandidates()
    none.suppress(SuppressionSettings(iouThreshold: 0.5, softSuppression: 1))
    #expect(none.survivors.isEmpty && none.isEmpty)
  }
}
