// Fovea - tracks matched with detections.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// Pairs tracks with detections so that the sum of their similarities is greatest. Keeps its memory.
struct TrackMatcher: Sendable {
  /// The tracks and detections that may be paired.
  private(set) var tracks: [Int] = []
  private(set) var detections: [Int] = []
  private var costs: [Double] = []
  private var solver = AssignmentSolver()

  /// Chooses the tracks of the next round.
  mutating func chooseTracks(_ all: [Track], _ isChosen: (Track) -> Bool) {
    tracks.removeAll(keepingCapacity: true)
    for index in all.indices where !all[index].isMatched && isChosen(all[index]) {
      tracks.append(index)
    }
  }

  /// Chooses the detections of the next round, by their scores.
  mutating func chooseDetections(
    _ all: [TrackingDetection], unless isUsed: [Bool], from low: Double, below high: Double
  ) {
    detections.removeAll(keepingCapacity: true)
    for index in all.indices
    where !isUsed[index] && all[index].score >= low && all[index].score < high {
      detections.append(index)
    }
  }

  /// Pairs what was chosen. `pair` then says which detection a track got.
  ///
  /// - Parameters:
  ///   - least: The least similarity of a pair.
  ///   - seesLast: Whether the box that was last seen counts, too, and not only the prediction.
  ///   - scoreWeight: How much the score counts.
  mutating func match(
    _ all: [Track], _ found: [TrackingDetection], least: Double, seesLast: Bool = false,
    scoreWeight: Double = 0, matchesLabels: Bool
  ) {
    costs.removeAll(keepingCapacity: true)
    for index in tracks {
      let box = all[index].filter.box
      let marginX = Self.margin(all[index].filter.x, box)
      let marginY = Self.margin(all[index].filter.y, box)
      for place in detections {
        guard !matchesLabels || found[place].label == all[index].label else {
          costs.append(0)
          continue
        }
        let other = found[place].box
        var similarity = box.similarity(other, marginX: marginX, marginY: marginY)
        if seesLast {
          similarity = max(
            similarity, all[index].seenBox.similarity(other, marginX: 0, marginY: 0))
        }
        let weight = 1 - scoreWeight + scoreWeight * min(1, found[place].score)
        costs.append(similarity < least ? 0 : -similarity * weight)
      }
    }
    solver.solve(costs, rows: tracks.count, columns: detections.count)
  }

  /// The detection of the track at a place among the chosen ones, or `nil`.
  func pair(_ row: Int) -> Int? {
    let column = solver.columnOfRow[row]
    guard column >= 0, costs[row * detections.count + column] < 0 else { return nil }
    return detections[column]
  }

  /// By how much boxes are enlarged where the center is uncertain.
  private static func margin(_ axis: AxisFilter, _ box: TrackingBox) -> Double {
    TrackingOptions.margin
      * max(0, axis.positionVariance.squareRoot() - TrackingOptions.certainWidth * box.width)
  }
}
