// Fovea - the confidence at which a detector finds most and invents least.
// SPDX-License-Identifier: Apache-2.0

/// The scores of right and wrong detections, at an overlap of 0.5.
///
/// The best detection chooses an object first. So what is right at one confidence is right at all
/// lower ones, and detections of hardly any confidence take no object from others.
package struct ConfidenceBalance: Sendable {
  private var scores: [(score: Double, isRight: Bool)] = []
  private var objectCount = 0

  package init() {}

  /// Adds an image.
  package mutating func add(objects: [GroundTruthObject], detections: [DetectedObject]) {
    var free = objects.filter { !$0.isCrowd }
    let crowds = objects.filter(\.isCrowd)
    objectCount += free.count
    for detection in detections.sorted(by: { $0.score > $1.score }) {
      let overlaps = free.indices.lazy.filter { free[$0].category == detection.category }
        .map { (place: $0, overlap: free[$0].box.intersectionOverUnion(with: detection.box)) }
      if let best = overlaps.max(by: { $0.overlap < $1.overlap }), best.overlap >= 0.5 {
        free.remove(at: best.place)
        scores.append((detection.score, true))
      } else if !crowds.contains(where: { detection.box.shareInside($0.box) >= 0.5 }) {
        scores.append((detection.score, false))
      }
    }
  }

  /// A confidence with what it comes to.
  package struct Choice: Hashable, Sendable {
    package var confidence: Double
    /// The part of the detections that are right.
    package var precision: Double
    /// The part of the objects that are found.
    package var recall: Double
    /// The harmonic mean of both.
    package var f1: Double
  }

  /// The confidence of the greatest F1; `nil` where nothing right was found.
  ///
  /// - Complexity: O(n log n) in the number of detections.
  package func best() -> Choice? {
    let ordered = scores.sorted { $0.score > $1.score }
    var best: Choice?
    var right = 0
    for (place, entry) in ordered.enumerated() {
      if entry.isRight { right += 1 }
      // Equal scores are taken together.
      if place + 1 < ordered.count, ordered[place + 1].score == entry.score { continue }
      guard right > 0 else { continue }
      let (precision, recall) = (
        Double(right) / Double(place + 1), Double(right) / Double(objectCount)
      )
      let f1 = 2 * precision * recall / (precision + recall)
      if f1 > best?.f1 ?? 0 {
        best = Choice(confidence: entry.score, precision: precision, recall: recall, f1: f1)
      }
    }
    return best
  }

  /// How many right and wrong detections have a score in each of `count` equal parts of 0...1.
  package func histogram(_ count: Int) -> (right: [Int], wrong: [Int]) {
    var bars = ([Int](repeating: 0, count: count), [Int](repeating: 0, count: count))
    for (score, isRight) in scores {
      let place = min(max(Int(score * Double(count)), 0), count - 1)
      if isRight { bars.0[place] += 1 } else { bars.1[place] += 1 }
    }
    return bars
  }
}
