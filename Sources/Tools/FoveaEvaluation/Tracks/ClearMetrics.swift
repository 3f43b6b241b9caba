// Fovea - the CLEAR metrics of tracks: MOTA and what it counts.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// The CLEAR metrics (Bernardin and Stiefelhagen 2008). A match needs an overlap of 0.5.
package struct ClearMetrics: Hashable, Sendable {
  /// The number of frames; 0 where there is no object, or no result.
  package var frameCount = 0
  /// Objects that were found.
  package var truePositives = 0
  /// Objects that were missed.
  package var falseNegatives = 0
  /// Results without an object.
  package var falsePositives = 0
  /// How often an object was found under another identifier than the last time.
  package var identitySwitches = 0
  /// How often an object was found again after it had been missed.
  package var fragmentations = 0
  /// Objects found in more than 80 % of their frames.
  package var mostlyTracked = 0
  /// Objects found in 20 % to 80 % of their frames.
  package var partlyTracked = 0
  /// Objects found in less than 20 % of their frames.
  package var mostlyLost = 0
  /// The sum of the overlaps of matched boxes.
  package var overlapSum = 0.0

  private static let leastOverlap = 0.5

  private var objectCount: Double { Double(max(1, truePositives + falseNegatives)) }
  private var correct: Double { Double(truePositives - falsePositives) }

  /// MOTA: may be far below 0.
  package var accuracy: Double { (correct - Double(identitySwitches)) / objectCount }
  /// MODA: MOTA without identity switches.
  package var detectionAccuracy: Double { correct / objectCount }
  /// MOTP: the mean overlap of matched boxes.
  package var precision: Double { overlapSum / Double(max(1, truePositives)) }
  /// sMOTA: MOTA in which a match counts as much as it overlaps.
  package var softAccuracy: Double {
    (overlapSum - Double(falsePositives + identitySwitches)) / objectCount
  }
  /// The share of the objects that was found.
  package var detectionRecall: Double { Double(truePositives) / objectCount }
  /// The share of the results that is right.
  package var detectionPrecision: Double {
    Double(truePositives) / Double(max(1, truePositives + falsePositives))
  }
  /// Results without an object, for each frame.
  package var falsePositivesPerFrame: Double { Double(falsePositives) / Double(max(1, frameCount)) }

  /// The numbers of several sequences taken together.
  package init(combining sequences: [ClearMetrics]) {
    for other in sequences {
      frameCount += other.frameCount
      truePositives += other.truePositives
      falseNegatives += other.falseNegatives
      falsePositives += other.falsePositives
      identitySwitches += other.identitySwitches
      fragmentations += other.fragmentations
      mostlyTracked += other.mostlyTracked
      partlyTracked += other.partlyTracked
      mostlyLost += other.mostlyLost
      overlapSum += other.overlapSum
    }
  }

  init(_ sequence: TrackFrames) {
    // TrackEval does not count frames where one side has nothing at all.
    if sequence.objectCount > 0, sequence.resultCount > 0 { frameCount = sequence.frameCount }
    var memory = Memory(count: sequence.objectCounts.count)
    for frame in sequence.frames { add(frame, &memory) }
    for track in sequence.objectCounts.indices {
      fragmentations += max(0, memory.beginnings[track] - 1)
      let share = Double(memory.matchCounts[track]) / Double(sequence.objectCounts[track])
      if share > 0.8 {
        mostlyTracked += 1
      } else if share >= 0.2 {
        partlyTracked += 1
      } else {
        mostlyLost += 1
      }
    }
  }

  /// What is known of each object; -1 stands for no track.
  private struct Memory {
    /// The track of the object's last match, however long ago.
    var last: [Int]
    /// The track of the object's match in the last frame that had both objects and results.
    var previous: [Int]
    /// How often the object went from unmatched to matched.
    var beginnings: [Int]
    var matchCounts: [Int]
    var solver = AssignmentSolver()

    init(count: Int) {
      last = [Int](repeating: -1, count: count)
      previous = last
      beginnings = [Int](repeating: 0, count: count)
      matchCounts = beginnings
    }
  }

  /// A frame without objects, or without results, leaves the memory as it is: so does TrackEval.
  private mutating func add(_ frame: TrackFrames.Frame, _ memory: inout Memory) {
    let width = frame.results.count
    var matchCount = 0
    defer {
      truePositives += matchCount
      falseNegatives += frame.objects.count - matchCount
      falsePositives += width - matchCount
    }
    guard !frame.objects.isEmpty, width > 0 else { return }
    var costs = frame.overlaps
    for (row, object) in frame.objects.enumerated() {
      for (column, result) in frame.results.enumerated() {
        let place = row * width + column
        let overlap = costs[place]
        let isEnough = overlap >= Self.leastOverlap - TrackFrames.tolerance
        let bonus = memory.previous[object] == result ? 1000.0 : 0
        costs[place] = isEnough ? -(bonus + overlap) : 0
      }
    }
    memory.solver.solve(costs, rows: frame.objects.count, columns: width)
    var matched = [Int](repeating: -1, count: memory.last.count)
    for (row, column) in memory.solver.columnOfRow.enumerated()
    where column >= 0 && -costs[row * width + column] > TrackFrames.tolerance {
      let (object, result) = (frame.objects[row], frame.results[column])
      if memory.last[object] >= 0, memory.last[object] != result { identitySwitches += 1 }
      if memory.previous[object] < 0 { memory.beginnings[object] += 1 }
      memory.last[object] = result
      memory.matchCounts[object] += 1
      matched[object] = result
      overlapSum += frame.overlap(row, column)
      matchCount += 1
    }
    memory.previous = matched
  }
}
