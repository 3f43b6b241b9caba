// Fovea - tests of non-maximum suppression against stored cases and a naive loop.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

private struct StoredCase: Decodable {
  var boxes: [[Double]]
  var scores: [Float]
  var labels: [Int]
  var confidence_threshold: Double
  var iou_threshold: Double
  var keep_class_aware: [Int]
  var keep_class_agnostic: [Int]
}

@Suite struct NonMaximumSuppressionTests {
  private struct Problem {
    var boxes: [CornerBox] = []
    var scores: [Float] = []
    var labels: [Int] = []

    func keep(
      confidence: Double = 0.25, iou: Double = 0.5, agnostic: Bool = false, maximum: Int? = nil
    ) -> [Int] {
      nonMaximumSuppression(
        boxes: boxes, scores: scores, labels: labels, confidenceThreshold: confidence,
        iouThreshold: iou, classAgnostic: agnostic, maximumCount: maximum)
    }

    /// The definition read aloud: take the best that is left, remove what overlaps it, repeat.
    func naive(confidence: Float, iou: Double, agnostic: Bool) -> [Int] {
      var left = scores.indices.filter { scores[$0] >= confidence }
      var kept: [Int] = []
      while var best = left.first {
        for other in left where scores[other] > scores[best] { best = other }
        kept.append(best)
        left.removeAll { other in
          if other == best { return true }
          guard agnostic || labels[other] == labels[best] else { return false }
          return overlap(boxes[other], boxes[best]) > iou
        }
      }
      return kept
    }

    private func overlap(_ a: CornerBox, _ b: CornerBox) -> Double {
      let width = Double.minimum(a.maxX, b.maxX) - Double.maximum(a.minX, b.minX)
      let height = Double.minimum(a.maxY, b.maxY) - Double.maximum(a.minY, b.minY)
      guard width > 0, height > 0 else { return 0 }
      let areas =
        (a.maxX - a.minX) * (a.maxY - a.minY) + (b.maxX - b.minX) * (b.maxY - b.minY)
      let ratio = width * height / (areas - width * height)
      return ratio > 0 ? ratio : 0
    }

    static func random(count: Int, labels: Int, using generator: inout SplitMix) -> Problem {
      var problem = Problem()
      for _ in 0..<count {
        // A grid of 1/16 makes exact ties of overlap and score frequent.
        func grid(_ range: ClosedRange<Int>) -> Double {
          Double(Int.random(in: range, using: &generator)) / 16
        }
        problem.boxes.append(
          CornerBox(
            CenterBox(
              centerX: grid(0...16), centerY: grid(0...16), width: grid(0...10),
              height: grid(0...10))))
        problem.scores.append(Float(grid(0...16)))
        problem.labels.append(Int.random(in: 0..<labels, using: &generator) - 1)
      }
      return problem
    }
  }

  @Test(.enabled(if: SharedData.isPresent))
  func equalsTheStoredCases() throws {
    let names = try SharedData.files(in: "nms", suffix: ".json")
    #expect(names.count == 32)
    for name in names {
      let data = try Data(contentsOf: SharedData.url("nms/" + name))
      let stored = try JSONDecoder().decode(StoredCase.self, from: data)
      let boxes = stored.boxes.map {
        CornerBox(CenterBox(centerX: $0[0], centerY: $0[1], width: $0[2], height: $0[3]))
      }
      let problem = Problem(boxes: boxes, scores: stored.scores, labels: stored.labels)
      let (confidence, iou) = (stored.confidence_threshold, stored.iou_threshold)
      #expect(problem.keep(confidence: confidence, iou: iou) == stored.keep_class_aware, "\(name)")
      #expect(
        problem.keep(confidence: confidence, iou: iou, agnostic: true)
          == stored.keep_class_agnostic, "\(name)")
    }
  }

  @Test func equalsTheNaiveLoopOnRandomProblems() {
    var generator = SplitMix(seed: 7)
    for round in 0..<300 {
      var problem = Problem.random(count: round % 67, labels: 1 + round % 5, using: &generator)
      if round % 3 == 0, !problem.boxes.isEmpty {
        problem.boxes[round % problem.boxes.count].maxX = .nan
        problem.scores[(round / 3) % problem.scores.count] = .nan
      }
      let iou = [0, 0.1, 0.25, 0.45, 0.5, 1][round % 6]
      let confidence = [0, 0.25, 0.5][round % 3]
      for agnostic in [false, true] {
        let expected = problem.naive(confidence: Float(confidence), iou: iou, agnostic: agnostic)
        let kept = problem.keep(confidence: confidence, iou: iou, agnostic: agnostic)
        #expect(kept == expected, "round \(round)")
        for maximum in [0, 1, 3, 1000, -1] {
          let cut = problem.keep(
            confidence: confidence, iou: iou, agnostic: agnostic, maximum: maximum)
          #expect(cut == Array(expected.prefix(max(0, maximum))))
        }
      }
    }
  }

  /// What is removed names the best of those that stayed and overlap it too much, of its own group.
  @Test func removedBoxesNameTheirWinner() {
    var generator = SplitMix(seed: 5)
    for round in 0..<200 {
      let problem = Problem.random(count: round % 67, labels: 1 + round % 5, using: &generator)
      let iou = [0, 0.1, 0.25, 0.45, 0.5, 1][round % 6]
      for agnostic in [false, true] {
        let candidates = DetectionCandidates(capacity: problem.boxes.count)
        for (index, score) in problem.scores.enumerated() where score >= 0.25 {
          candidates.append(
            DetectionCandidates.Candidate(
              box: problem.boxes[index], classIndex: problem.labels[index] + 1, score: score,
              row: index))
        }
        candidates.suppress(SuppressionSettings(iouThreshold: iou, isClassAgnostic: agnostic))
        let kept = problem.naive(confidence: 0.25, iou: iou, agnostic: agnostic)
        #expect(candidates.survivors.map { candidates[$0.index].row } == kept)
        var winners: [Int: Int] = [:]
        for index in candidates.indices {
          guard let winner = candidates.winner(over: index) else { continue }
          winners[candidates[index].row] = candidates[winner].row
        }
        let removed = problem.scores.indices
          .filter { problem.scores[$0] >= 0.25 && !kept.contains($0) }
        #expect(winners.keys.sorted() == removed)
        for box in removed {
          let winner = kept.first { other in
            (agnostic || problem.labels[other] == problem.labels[box])
              && problem.boxes[box].intersectionOverUnion(with: problem.boxes[other]) > iou
          }
          #expect(winners[box] == winner, "round \(round)")
        }
      }
    }
  }

  /// Overlaps near and at the threshold, and numbers that float32 cannot hold or that become zero
  /// when they are multiplied: whatever is compared in float32 first must lose nothing.
  @Test func equalsTheNaiveLoopAtEverySize() {
    var generator = SplitMix(seed: 11)
    let sizes = [1e-200, 1e-40, 1e-30, 1e-19, 1e-6, 1, 416, 1e7, 1e18, 1e19, 1e25, 1e39, 1e150]
    let thresholds = [0, 1e-60, 1e-30, 1e-7, 0.25, 0.45, 0.5, 1 - 1e-7, 1, 1.5, 1e300]
    for round in 0..<600 {
      var problem = Problem.random(count: 40, labels: 2, using: &generator)
      let size = sizes[round % sizes.count]
      let shift = round % 5 == 0 ? size * 1000 : 0
      for index in problem.boxes.indices {
        // A box and the one before it: overlaps that are a hair away from a quotient.
        let copies = index > 0 && index % 4 == 1
        var box = problem.boxes[copies ? index - 1 : index]
        if copies {
          problem.labels[index] = problem.labels[index - 1]
          let hair = [0, 1e-16, -1e-16, 1e-8, -1e-8, 1e-7, -1e-7][round % 7]
          box.maxX = box.minX + box.width * [0.45, 0.5, 0.25, 1][round % 4] * (1 + hair)
        } else {
          let factor = index % 6 == 0 ? sizes[(round + index) % sizes.count] : size
          box = CornerBox(
            minX: box.minX * factor + shift, minY: box.minY * factor - shift,
            maxX: box.maxX * factor + shift, maxY: box.maxY * factor - shift)
        }
        problem.boxes[index] = box
      }
      let strange = [.infinity, -.infinity, .nan, 1e308, -1e308][round % 5]
      if round % 3 == 0 { problem.boxes[round % 40].maxX = strange }
      if round % 4 == 0 { problem.boxes[(round + 7) % 40].minY = strange }
      for iou in thresholds {
        let expected = problem.naive(confidence: 0.1, iou: iou, agnostic: false)
        #expect(
          problem.keep(confidence: 0.1, iou: iou) == expected, "round \(round), IoU \(iou)")
      }
    }
  }

  @Test func strangeScoresAndBoxes() {
    let unit = CornerBox(minX: 0, minY: 0, maxX: 1, maxY: 1)
    let broken = CornerBox(minX: .nan, minY: 0, maxX: 1, maxY: 1)
    var problem = Problem(
      boxes: [unit, broken, unit, broken, unit], scores: [0.5, 0.9, .nan, 0.8, .infinity],
      labels: [0, 0, 0, 0, 0])
    #expect(problem.keep() == [4, 1, 3])
    #expect(problem.keep(iou: -1) == [4, 1, 3])
    #expect(problem.keep(iou: .nan) == [4, 1, 3, 0])
    #expect(problem.keep(confidence: .nan).isEmpty)
    #expect(problem.keep(confidence: .infinity) == [4])
    problem.labels = [0, 0, 0, 0, .min]
    #expect(problem.keep() == [4, 1, 3, 0])
    #expect(Problem().keep().isEmpty)
  }

  @Test func thresholdIsComparedAsFloat() {
    let boxes = [CornerBox(minX: 0, minY: 0, maxX: 1, maxY: 1)]
    // Float(0.1) lies above the double 0.1, Float(0.7) below the double 0.7; both are "equal".
    for threshold in [0.1, 0.7] {
      let problem = Problem(boxes: boxes, scores: [Float(threshold)], labels: [0])
      #expect(problem.keep(confidence: threshold) == [0])
    }
  }

  @Test func manyCandidatesOfManyClasses() {
    var generator = SplitMix(seed: 11)
    let problem = Problem.random(count: 2535, labels: 80, using: &generator)
    #expect(
      problem.keep(confidence: 0.001, iou: 0.45)
        == problem.naive(confidence: 0.001, iou: 0.45, agnostic: false))
  }
}
