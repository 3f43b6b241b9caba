// Fovea - tests of suppression in C against its rules read aloud, bit for bit.
// SPDX-License-Identifier: Apache-2.0
import CFovea.SPI
import FoveaGeometry
import FoveaTestSupport
import Testing

@Suite struct SuppressionInCTests {
  /// Boxes that compete, and the settings by which they do.
  private struct Competition {
    var boxes: [CornerBox] = []
    var scores: [Float] = []
    var classes: [Int] = []
    var settings = fov_detection_settings()

    /// Clusters of similar boxes; some touch, some have no area, some have edges in the wrong
    /// order, and many scores are equal.
    init(count: Int, random: inout SplitMix) {
      settings.confidence_threshold = [0, 0.25, 0.5].randomElement(using: &random)!
      settings.iou_threshold = [0, 0.3, 0.45, 1].randomElement(using: &random)!
      settings.soft_suppression = [0, 0.5, 1].randomElement(using: &random)!
      settings.box_voting_threshold = [0, 0.5, 1].randomElement(using: &random)!
      settings.class_agnostic = Bool.random(using: &random)
      settings.maximum_count = [0, 0, 1, 7].randomElement(using: &random)!
      let clusters = (0..<max(1, count / 6)).map { _ in Self.box(&random) }
      for _ in 0..<count {
        let score = Float(Int.random(in: 0...64, using: &random)) / 64
        guard score >= Float(settings.confidence_threshold) else { continue }
        var box = clusters.randomElement(using: &random)!
        let shift = Double(Int.random(in: -8...8, using: &random)) / 256
        box.minX += shift
        box.maxX += shift
        if Int.random(in: 0..<20, using: &random) == 0 { box.maxY = box.minY }
        if Int.random(in: 0..<20, using: &random) == 0 { swap(&box.minX, &box.maxX) }
        boxes.append(box)
        scores.append(score)
        classes.append(Int.random(in: 0..<3, using: &random))
      }
    }

    private static func box(_ random: inout SplitMix) -> CornerBox {
      func number() -> Double { Double(Float.random(in: 0...1, using: &random)) }
      return CornerBox(
        CenterBox(centerX: number(), centerY: number(), width: number(), height: number()))
    }

    /// Candidates by descending score, ties by ascending index.
    private var order: [Int] {
      boxes.indices.sorted { (scores[$1], $0) < (scores[$0], $1) }
    }

    private func compete(_ a: Int, _ b: Int) -> Bool {
      settings.class_agnostic || classes[a] == classes[b]
    }

    private func overlap(_ a: Int, _ b: Int) -> Double {
      boxes[a].intersectionOverUnion(with: boxes[b])
    }

    /// For each candidate the best of those that stay and overlap it too much.
    func winners() -> [Int?] {
      var winners = [Int?](repeating: nil, count: boxes.count)
      var kept: [Int] = []
      for index in order {
        winners[index] = kept.first {
          compete($0, index) && overlap($0, index) > settings.iou_threshold
        }
        if winners[index] == nil { kept.append(index) }
      }
      return winners
    }

    /// What is left, by the rules of fov_detector.h.
    func survivors() -> [Survivor] {
      let winners = winners()
      let kept = order.filter { winners[$0] == nil }
      var left: [Survivor] = []
      for (place, index) in kept.enumerated() {
        let better = settings.soft_suppression > 0 ? kept[..<place] : []
        let greatest = better.filter { compete($0, index) }.map { overlap($0, index) }.max() ?? 0
        let rival = better.first { compete($0, index) && overlap($0, index) == greatest }
        let share = Float(1 - settings.soft_suppression * greatest)
        let score = scores[index] * share
        guard settings.soft_suppression == 0 || score >= Float(settings.confidence_threshold) else {
          continue
        }
        left.append(
          Survivor(
            index: index, rival: greatest > 0 ? rival : nil, share: share, score: score,
            box: votedBox(of: index)))
      }
      // A stable sort: of equals, the one that was better before.
      let sorted = left.enumerated()
        .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element)
      return Array(sorted.prefix(settings.maximum_count == 0 ? .max : settings.maximum_count))
    }

    private func votedBox(of index: Int) -> CornerBox {
      let own = boxes[index]
      guard settings.box_voting_threshold < 1, scores[index] > 0 else { return own }
      var voters = [index]
      for other in boxes.indices where other != index && compete(other, index) {
        let shared = overlap(other, index)
        if shared > 0, shared >= settings.box_voting_threshold { voters.append(other) }
      }
      let weights = voters.map { Double(scores[$0]) * Double(scores[$0]) }
      let total = weights.reduce(0, +)
      func mean(_ edge: KeyPath<CornerBox, Double>) -> Double {
        zip(voters, weights).reduce(0) { $0 + boxes[$1.0][keyPath: edge] * $1.1 } / total
      }
      return CornerBox(
        minX: mean(\.minX), minY: mean(\.minY), maxX: mean(\.maxX), maxY: mean(\.maxY))
    }

    /// The same by the core.
    func suppressed() throws -> (survivors: [Survivor], winners: [Int?]) {
      var byteCount = 0
      try #require(fov_candidates_bytes(boxes.count, &byteCount) == .ok)
      let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
      defer { block.deallocate() }
      var candidates = fov_candidates_place(boxes.count, block)
      for (index, box) in boxes.enumerated() {
        candidates.boxes[index] = fov_box(
          min_x: box.minX, min_y: box.minY, max_x: box.maxX, max_y: box.maxY)
        candidates.scores[index] = scores[index]
        candidates.classes[index] = UInt32(classes[index])
      }
      candidates.count = boxes.count
      var settings = settings
      fov_suppress(&candidates, &settings)
      func place(_ index: UInt32) -> Int? { index == UInt32.max ? nil : Int(index) }
      let survivors = (0..<candidates.survivor_count).map { rank in
        let survivor = candidates.survivors[rank]
        let box = fov_box_vote(&candidates, &settings, Int(survivor.index))
        return Survivor(
          index: Int(survivor.index), rival: place(survivor.rival), share: survivor.share,
          score: survivor.score,
          box: CornerBox(minX: box.min_x, minY: box.min_y, maxX: box.max_x, maxY: box.max_y))
      }
      return (survivors, (0..<candidates.count).map { place(candidates.winners[$0]) })
    }
  }

  private struct Survivor: Equatable {
    var index: Int
    var rival: Int?
    var share: Float
    var score: Float
    var box: CornerBox
  }

  @Test func survivorsAreThoseOfTheRules() throws {
    var random = SplitMix(seed: 5)
    var (kept, dropped) = (0, 0)
    for round in 0..<600 {
      let competition = Competition(count: [0, 1, 2, 9, 40, 300][round % 6], random: &random)
      let found = try competition.suppressed()
      #expect(
        found.survivors == competition.survivors(), "round \(round): \(competition.settings)")
      #expect(found.winners == competition.winners(), "round \(round): \(competition.settings)")
      kept += found.survivors.count
      dropped += competition.boxes.count - found.survivors.count
    }
    #expect(kept > 1000 && dropped > 1000, "\(kept) kept, \(dropped) dropped")
  }

  /// Classes of more than 11 bits, which one pass of the sort does not order.
  @Test func classesMayBeAnyNumbers() throws {
    var random = SplitMix(seed: 6)
    let numbers = [0, 1, 2047, 2048, 4_194_303, 4_194_304, Int(UInt32.max)]
    for round in 0..<40 {
      var competition = Competition(count: 300, random: &random)
      competition.classes = competition.classes.map { _ in numbers.randomElement(using: &random)! }
      let found = try competition.suppressed()
      #expect(found.survivors == competition.survivors(), "round \(round)")
    }
  }

  @Test func tooManyCandidatesAreNoMemory() {
    var byteCount = 0
    #expect(fov_candidates_bytes(Int(UInt32.max), &byteCount) == .overflow)
    #expect(fov_candidates_bytes(-1, &byteCount) == .overflow)
  }
}
