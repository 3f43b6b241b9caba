// Fovea - HOTA: detection and association in one number.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// Higher order tracking accuracy (Luiten et al. 2020), at 19 overlaps that a match needs.
package struct HigherOrderAccuracy: Hashable, Sendable {
  /// The numbers at one least overlap.
  package struct Level: Hashable, Sendable {
    /// Objects that were found; of the best matching of all frames.
    package var truePositives = 0
    /// Objects that were missed.
    package var falseNegatives = 0
    /// Results without an object.
    package var falsePositives = 0
    /// Association accuracy: how much the tracks of matched boxes agree.
    package var associationAccuracy = 0.0
    /// The share of a matched object's track that its result covers.
    package var associationRecall = 0.0
    /// The share of a matched result's track that its object covers.
    package var associationPrecision = 0.0
    /// The mean overlap of matched boxes.
    package var localizationAccuracy = 0.0

    /// Detection accuracy.
    package var detectionAccuracy: Double {
      Double(truePositives) / Double(max(1, truePositives + falseNegatives + falsePositives))
    }
    /// The share of the objects that was found.
    package var detectionRecall: Double {
      Double(truePositives) / Double(max(1, truePositives + falseNegatives))
    }
    /// The share of the results that is right.
    package var detectionPrecision: Double {
      Double(truePositives) / Double(max(1, truePositives + falsePositives))
    }
    /// The geometric mean of detection and association accuracy.
    package var accuracy: Double { (detectionAccuracy * associationAccuracy).squareRoot() }
  }

  /// The numbers at each of `overlaps`.
  package var levels: [Level]

  /// The least overlaps: 0.05, 0.10 ... 0.95.
  package static let overlaps = (1...19).map { Double($0) * 0.05 }

  /// The mean over all overlaps of a number of each level.
  package func mean(_ number: (Level) -> Double) -> Double {
    levels.reduce(0) { $0 + number($1) } / Double(levels.count)
  }

  /// HOTA: the mean over all overlaps.
  package var accuracy: Double { mean(\.accuracy) }

  /// The numbers of several sequences taken together.
  package init(combining sequences: [HigherOrderAccuracy]) {
    levels = Self.overlaps.indices.map { index in
      var sum = Level()
      var overlap = 0.0
      for level in sequences.map({ $0.levels[index] }) {
        let weight = Double(level.truePositives)
        sum.truePositives += level.truePositives
        sum.falseNegatives += level.falseNegatives
        sum.falsePositives += level.falsePositives
        sum.associationAccuracy += weight * level.associationAccuracy
        sum.associationRecall += weight * level.associationRecall
        sum.associationPrecision += weight * level.associationPrecision
        overlap += weight * level.localizationAccuracy
      }
      let count = Double(max(1, sum.truePositives))
      sum.associationAccuracy /= count
      sum.associationRecall /= count
      sum.associationPrecision /= count
      sum.localizationAccuracy = Self.localization(overlap, sum.truePositives)
      return sum
    }
  }

  init(_ sequence: TrackFrames) {
    let matches = Self.matches(sequence)
    levels = Self.overlaps.map { overlap in
      Self.level(
        matches.filter { $0.overlap >= overlap - TrackFrames.tolerance }, of: sequence)
    }
  }

  /// Without any match, boxes count as exact.
  private static func localization(_ sum: Double, _ count: Int) -> Double {
    max(1e-10, sum) / max(1e-10, Double(count))
  }
}

// MARK: Matching

/// A pair of boxes that were matched in a frame; both tracks in one number.
private struct MatchedPair {
  var tracks: Int
  var overlap: Double
}

extension HigherOrderAccuracy {
  /// The matches of all frames, before an overlap is asked for, sorted by tracks.
  private static func matches(_ sequence: TrackFrames) -> [MatchedPair] {
    let columns = sequence.resultCounts.count
    let alignment = alignment(sequence)
    var solver = AssignmentSolver()
    var matches: [MatchedPair] = []
    for frame in sequence.frames where !frame.objects.isEmpty && !frame.results.isEmpty {
      var costs = frame.overlaps
      for (row, object) in frame.objects.enumerated() {
        for (column, result) in frame.results.enumerated() {
          let place = row * frame.results.count + column
          guard costs[place] > 0 else { continue }
          costs[place] *= -(alignment[object * columns + result] ?? 0)
        }
      }
      solver.solve(costs, rows: frame.objects.count, columns: frame.results.count)
      for (row, column) in solver.columnOfRow.enumerated() where column >= 0 {
        matches.append(
          MatchedPair(
            tracks: frame.objects[row] * columns + frame.results[column],
            overlap: frame.overlap(row, column)))
      }
    }
    // Sums must not depend on how a sort treats equals: frames stay in their order.
    return matches.enumerated().sorted {
      ($0.element.tracks, $0.offset) < ($1.element.tracks, $1.offset)
    }
    .map(\.element)
  }

  /// How well whole tracks fit each other, for the pairs that overlap anywhere.
  private static func alignment(_ sequence: TrackFrames) -> [Int: Double] {
    let columns = sequence.resultCounts.count
    var sums: [Int: Double] = [:]
    for frame in sequence.frames {
      let width = frame.results.count
      var ofObject = [Double](repeating: 0, count: frame.objects.count)
      var ofResult = [Double](repeating: 0, count: width)
      for row in ofObject.indices {
        for column in 0..<width {
          let overlap = frame.overlap(row, column)
          ofObject[row] += overlap
          ofResult[column] += overlap
        }
      }
      for (row, object) in frame.objects.enumerated() {
        for (column, result) in frame.results.enumerated() {
          let overlap = frame.overlap(row, column)
          let union = ofResult[column] + ofObject[row] - overlap
          guard overlap > 0, union > TrackFrames.tolerance else { continue }
          sums[object * columns + result, default: 0] += overlap / union
        }
      }
    }
    for (pair, sum) in sums {
      let boxes = sequence.objectCounts[pair / columns] + sequence.resultCounts[pair % columns]
      sums[pair] = sum / (Double(boxes) - sum)
    }
    return sums
  }

  /// The numbers of the matches that overlap enough, sorted by tracks.
  private static func level(_ matches: [MatchedPair], of sequence: TrackFrames) -> Level {
    var level = Level()
    level.truePositives = matches.count
    level.falseNegatives = sequence.objectCount - matches.count
    level.falsePositives = sequence.resultCount - matches.count
    let columns = max(1, sequence.resultCounts.count)
    var overlap = 0.0
    var start = 0
    while start < matches.count {
      let tracks = matches[start].tracks
      var end = start
      while end < matches.count, matches[end].tracks == tracks {
        overlap += matches[end].overlap
        end += 1
      }
      let count = Double(end - start)
      let objects = Double(sequence.objectCounts[tracks / columns])
      let results = Double(sequence.resultCounts[tracks % columns])
      level.associationAccuracy += count * count / (objects + results - count)
      level.associationRecall += count * count / objects
      level.associationPrecision += count * count / results
      start = end
    }
    let count = Double(max(1, matches.count))
    level.associationAccuracy /= count
    level.associationRecall /= count
    level.associationPrecision /= count
    level.localizationAccuracy =
      sequence.objectCount == 0 || sequence.resultCount == 0
      ? 1 : localization(overlap, matches.count)
    return level
  }
}
