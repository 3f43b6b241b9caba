// Fovea - tests of boxes that are means of what agrees with them.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaRuntime
import Testing

@Suite struct BoxVoteTests {
  /// Overlaps with the first: 1, 9/11, 3/5, 1/3, 0.
  static let row = [0, 1, 2.5, 5, 20].map(box(at:))

  static func voted(
    _ threshold: Double, scores: [Float] = [1, 0.5, 0.5, 0.5, 0.5], groups: [Int]? = nil,
    boxes: [CornerBox] = row
  ) -> CornerBox {
    let candidates = DetectionCandidates(capacity: boxes.count)
    for (index, box) in boxes.enumerated() {
      candidates.append(
        DetectionCandidates.Candidate(
          box: box, classIndex: groups?[index] ?? 0, score: scores[index], row: index))
    }
    return candidates.votedBox(
      of: 0, SuppressionSettings(iouThreshold: 0.5, boxVotingThreshold: threshold))
  }

  static func box(at minX: Double) -> CornerBox {
    CornerBox(minX: minX, minY: 0, maxX: minX + 10, maxY: 10)
  }

  /// Weights are 1, 1/4, 1/4, 1/4, 1/4.
  @Test(arguments: [(0.9, 0.0), (0.7, 0.25 / 1.25), (0.6, 0.875 / 1.5), (0.2, 2.125 / 1.75)])
  func boxBecomesTheMeanOfThoseThatOverlapEnough(_ threshold: Double, _ minX: Double) {
    let box = Self.voted(threshold)
    #expect(abs(box.minX - minX) < 1e-12 && abs(box.maxX - minX - 10) < 1e-12)
    #expect(box.minY == 0 && box.maxY == 10)
  }

  /// What shares no area shows another object, whatever the threshold.
  @Test func boxesApartNeverVote() {
    #expect(abs(Self.voted(0).minX - 2.125 / 1.75) < 1e-12)
  }

  @Test func onlyTheOwnGroupVotes() {
    #expect(Self.voted(0.5, groups: [3, 1, 3, 3, 3]).minX == 0.625 / 1.25)
    #expect(Self.voted(0.5, groups: [3, 1, 2, 1, 1]) == Self.box(at: 0))
  }

  @Test func fromOneOnNothingVotes() {
    let twice = [Self.box(at: 1 / 3), Self.box(at: 1 / 3)]
    #expect(Self.voted(1, scores: [0.3, 0.7], boxes: twice) == twice[0])
    #expect(Self.voted(2, scores: [0.3, 0.7], boxes: twice) == twice[0])
  }

  @Test func boxWithoutAreaOrScoreStaysAsItIs() {
    let point = CornerBox(minX: 3, minY: 3, maxX: 3, maxY: 3)
    #expect(Self.voted(0, scores: [0.5, 0.5], boxes: [point, point]) == point)
    #expect(Self.voted(0, scores: [0, 0, 0, 0, 0]) == Self.box(at: 0))
  }

  /// The mean of boxes lies within them, whatever their sizes and scores.
  @Test func votedBoxesStayWithinTheirVoters() {
    var numbers = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let boxes = (0..<20).map { _ in
        let (x, y) = (
          Double.random(in: 0...1, using: &numbers), Double.random(in: 0...1, using: &numbers)
        )
        return CornerBox(
          minX: x, minY: y, maxX: x + .random(in: 0.5...1, using: &numbers),
          maxY: y + .random(in: 0.5...1, using: &numbers))
      }
      let scores = boxes.map { _ in Float.random(in: 0.01...1, using: &numbers) }
      let voters = boxes.filter { $0.intersectionOverUnion(with: boxes[0]) >= 0.4 }
      let box = Self.voted(0.4, scores: scores, boxes: boxes)
      let slack = 1e-12
      #expect(
        box.minX >= voters.map(\.minX).min()! - slack
          && box.minX <= voters.map(\.minX).max()! + slack)
      #expect(
        box.maxY >= voters.map(\.maxY).min()! - slack
          && box.maxY <= voters.map(\.maxY).max()! + slack)
    }
  }
}
