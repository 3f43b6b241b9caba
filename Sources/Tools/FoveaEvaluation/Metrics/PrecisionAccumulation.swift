// Fovea - precision and recall of one category, from the best detection to the worst.
// SPDX-License-Identifier: Apache-2.0

/// Precision and recall of one category for one size and one least overlap.
///
/// `pycocotools.cocoeval.COCOeval.accumulate` makes precision fall with recall and reads it at 101
/// places. Precision rises only where an object is found, and recall reaches a threshold only there:
/// those detections are all that has to be looked at.
struct PrecisionAccumulation {
  /// Precision at each of `CocoProtocol.recallThresholds`; 0 where the recall is never reached.
  private(set) var precisions: [Double] = []
  /// The score that reaches that recall; 0 where none does.
  private(set) var scores: [Double] = []
  /// For each of `CocoProtocol.detectionLimits`, the share of the objects found.
  private(set) var recalls: [Double] = []

  private var foundPrecisions: [Double] = []
  private var foundScores: [Double] = []

  /// Runs through `detections`, sorted, of a category with `objectCount` objects, at least 1.
  mutating func accumulate(
    _ detections: [JudgedDetection], bit: UInt64, objectCount: Int
  ) {
    count(detections, bit, objectCount)
    // From the end: what is reached later at better precision.
    var best = 0.0
    for index in foundPrecisions.indices.reversed() {
      best = max(best, foundPrecisions[index])
      foundPrecisions[index] = best
    }
    read(objectCount: objectCount, firstScore: detections.first?.score ?? 0)
  }

  private mutating func count(
    _ detections: [JudgedDetection], _ bit: UInt64, _ objectCount: Int
  ) {
    foundPrecisions.removeAll(keepingCapacity: true)
    foundScores.removeAll(keepingCapacity: true)
    var found = 0.0, wrong = 0.0
    var foundWithin = [0, 0, 0]
    for detection in detections where detection.ignored & bit == 0 {
      guard detection.matched & bit != 0 else {
        wrong += 1
        continue
      }
      found += 1
      foundPrecisions.append(found / (wrong + found + Double.ulpOfOne))
      foundScores.append(detection.score)
      for (place, limit) in CocoProtocol.detectionLimits.enumerated()
      where Int(detection.rank) < limit {
        foundWithin[place] += 1
      }
    }
    recalls = foundWithin.map { Double($0) / Double(objectCount) }
  }

  private mutating func read(objectCount: Int, firstScore: Double) {
    precisions.removeAll(keepingCapacity: true)
    scores.removeAll(keepingCapacity: true)
    var place = 0
    for threshold in CocoProtocol.recallThresholds {
      while place < foundPrecisions.count, Double(place + 1) / Double(objectCount) < threshold {
        place += 1
      }
      guard place < foundPrecisions.count else {
        precisions.append(0)
        scores.append(threshold == 0 ? firstScore : 0)
        continue
      }
      precisions.append(foundPrecisions[place])
      // Recall 0 is reached by the first detection, right or wrong.
      scores.append(threshold == 0 ? firstScore : foundScores[place])
    }
  }
}
