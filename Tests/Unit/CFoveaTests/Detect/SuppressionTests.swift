// Fovea - tests of suppression in C against suppression in Swift, bit for bit.
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

    private var groups: [Int]? { settings.class_agnostic ? nil : classes }

    /// Index, lowered score and voted box of everything that is left, by FoveaGeometry.
    func survivorsInSwift() -> [Survivor] {
      let limit = settings.maximum_count == 0 ? nil : settings.maximum_count
      var suppressor = BoxSuppressor()
      suppressor.suppress(
        boxes: boxes, scores: scores, groups: groups, groupCount: 3,
        confidenceThreshold: settings.confidence_threshold, iouThreshold: settings.iou_threshold,
        maximumCount: settings.soft_suppression > 0 ? nil : limit)
      let vote = BoxVote(threshold: settings.box_voting_threshold)
      return SoftSuppression(strength: settings.soft_suppression).remainders(
        of: suppressor.kept, boxes: boxes, scores: scores, groups: groups,
        confidenceThreshold: settings.confidence_threshold, maximumCount: limit
      ).map { remainder in
        Survivor(
          index: remainder.index, score: scores[remainder.index] * remainder.share,
          box: vote.box(of: remainder.index, boxes: boxes, scores: scores, groups: groups))
      }
    }

    /// The same by the core.
    func survivorsInC() -> [Survivor] {
      var settings = settings
      var boxes = boxes.map {
        fov_box(min_x: $0.minX, min_y: $0.minY, max_x: $0.maxX, max_y: $0.maxY)
      }
      var scores = scores
      var classes = classes.map { UInt32($0) }
      let count = boxes.count
      var order = [UInt64](repeating: 0, count: count)
      var survivors = [fov_survivor](repeating: fov_survivor(), count: count)
      return boxes.withUnsafeMutableBufferPointer { boxes in
        scores.withUnsafeMutableBufferPointer { scores in
          classes.withUnsafeMutableBufferPointer { classes in
            order.withUnsafeMutableBufferPointer { order in
              guard count > 0 else { return [] }
              var candidates = fov_candidates(
                count: count, boxes: boxes.baseAddress!, scores: scores.baseAddress!,
                classes: classes.baseAddress!, order: order.baseAddress!)
              let left = fov_suppress(&candidates, &settings, &survivors)
              return survivors.prefix(left).map { survivor in
                let box = fov_box_vote(&candidates, &settings, Int(survivor.index))
                return Survivor(
                  index: Int(survivor.index), score: survivor.score,
                  box: CornerBox(
                    minX: box.min_x, minY: box.min_y, maxX: box.max_x, maxY: box.max_y))
              }
            }
          }
        }
      }
    }
  }

  private struct Survivor: Equatable {
    var index: Int
    var score: Float
    var box: CornerBox
  }

  @Test func bothLanguagesKeepTheSameBoxes() {
    var random = SplitMix(seed: 5)
    var (kept, dropped) = (0, 0)
    for round in 0..<600 {
      let competition = Competition(count: [0, 1, 2, 9, 40, 300][round % 6], random: &random)
      let expected = competition.survivorsInSwift()
      let found = competition.survivorsInC()
      #expect(found == expected, "round \(round): \(competition.settings)")
      kept += found.count
      dropped += competition.boxes.count - found.count
    }
    #expect(kept > 1000 && dropped > 1000, "\(kept) kept, \(dropped) dropped")
  }
}
