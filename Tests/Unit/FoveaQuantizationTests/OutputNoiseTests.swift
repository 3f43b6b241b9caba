// Fovea - tests of what errors of a network's outputs count for.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaQuantization
import Testing

@Suite struct OutputNoiseTests {
  /// Two boxes of two classes; the second is no object.
  static let scores: [Float] = [0.5, 0.25, 0, 0]
  static let boxes: [Float] = [0.5, 0.5, 0.25, 0.5, 0.5, 0.5, 8, 8]
  static let noise = OutputNoise(scores: 1, boxes: 0)

  static func of(scores: [Float] = scores, boxes: [Float] = boxes) -> Double {
    noise([boxes, scores], exact: [Self.boxes, Self.scores])
  }

  @Test func equalOutputsHaveNone() {
    #expect(Self.of() == 0)
  }

  /// 0.125^2 of 0.5^2 + 0.25^2.
  @Test func scoresCountByTheirSquares() {
    #expect(abs(Self.of(scores: [0.5, 0.375, 0, 0]) - 0.05) < 1e-12)
  }

  /// An eighth of a width of a quarter is a half of it; an eighth of a height of a half is a quarter of it.
  @Test func boxesCountByTheirSides() {
    #expect(abs(Self.of(boxes: [0.625, 0.5, 0.25, 0.5, 0.5, 0.5, 8, 8]) - 0.25) < 1e-12)
    #expect(abs(Self.of(boxes: [0.5, 0.5, 0.25, 0.625, 0.5, 0.5, 8, 8]) - 0.0625) < 1e-12)
  }

  @Test func noErrorOfABoxCountsMoreThanItsWholeSide() {
    #expect(Self.of(boxes: [100, 0.5, 0.25, 0.5, 0.5, 0.5, 8, 8]) == 1)
  }

  @Test func boxesOfNoObjectDoNotCount() {
    #expect(Self.of(boxes: [0.5, 0.5, 0.25, 0.5, 0, 0, 16, 16]) == 0)
  }

  /// The second box has a third of all weight: 0.25 of 0.5 + 0.25.
  @Test func boxesCountByTheirGreatestScore() {
    let exact: [[Float]] = [Self.boxes, [0.5, 0, 0, 0.25]]
    let found: [[Float]] = [[0.5, 0.5, 0.25, 0.5, 0.5, 0.5, 8, 4], [0.5, 0, 0, 0.25]]
    #expect(abs(Self.noise(found, exact: exact) - 0.25 / 3) < 1e-12)
  }

  /// Of logits, those below zero: the second box is far off, the first a half of its width.
  @Test func scoresBelowZeroCountForNothing() {
    let scores: [Float] = [0.5, 0.25, -4, -8]
    let found: [[Float]] = [[0.625, 0.5, 0.25, 0.5, 90, 90, 8, 8], scores]
    #expect(abs(Self.noise(found, exact: [Self.boxes, scores]) - 0.25) < 1e-12)
  }

  /// 1^2 of 2^2, and 0.
  @Test func allOutputsOfOtherNetworksCountAlike() {
    #expect(abs(OutputNoise()([[3], [1, 1]], exact: [[2], [1, 1]]) - 0.125) < 1e-12)
  }
}
