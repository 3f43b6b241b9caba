// Fovea - the identity metrics of tracks: IDF1 and what it counts.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// The identity metrics (Ristani et al. 2016): each object belongs to one result at most, for the
/// whole sequence. A match needs an overlap of 0.5.
package struct IdentityMetrics: Hashable, Sendable {
  /// Boxes of objects that their own result covers.
  package var truePositives = 0
  /// Boxes of objects that it does not cover.
  package var falseNegatives = 0
  /// Boxes of results that do not cover their own object.
  package var falsePositives = 0

  /// IDF1.
  package var score: Double {
    Double(truePositives)
      / max(1, Double(truePositives) + 0.5 * Double(falsePositives) + 0.5 * Double(falseNegatives))
  }
  /// IDR.
  package var recall: Double {
    Double(truePositives) / Double(max(1, truePositives + falseNegatives))
  }
  /// IDP.
  package var precision: Double {
    Double(truePositives) / Double(max(1, truePositives + falsePositives))
  }

  /// The numbers of several sequences taken together.
  package init(combining sequences: [IdentityMetrics]) {
    for other in sequences {
      truePositives += other.truePositives
      falseNegatives += other.falseNegatives
      falsePositives += other.falsePositives
    }
  }

  /// Least misses and false boxes mean most covered boxes, so only pairs that meet are weighed.
  init(_ sequence: TrackFrames) {
    var counts: [Int: Int] = [:]
    let columns = sequence.resultCounts.count
    for frame in sequence.frames {
      for (row, object) in frame.objects.enumerated() {
        for (column, result) in frame.results.enumerated() where frame.overlap(row, column) >= 0.5 {
          counts[object * columns + result, default: 0] += 1
        }
      }
    }
    truePositives = counts.isEmpty ? 0 : Self.largestSum(counts, columns: columns)
    falseNegatives = sequence.objectCount - truePositives
    falsePositives = sequence.resultCount - truePositives
  }

  /// The largest sum of counts of pairs of which no two share a track.
  private static func largestSum(_ counts: [Int: Int], columns: Int) -> Int {
    let rows = Set(counts.keys.map { $0 / columns }).sorted()
    let used = Set(counts.keys.map { $0 % columns }).sorted()
    let rowPlaces = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1, $0) })
    let columnPlaces = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
    var costs = [Double](repeating: 0, count: rows.count * used.count)
    for (pair, count) in counts {
      costs[rowPlaces[pair / columns]! * used.count + columnPlaces[pair % columns]!] =
        -Double(count)
    }
    var solver = AssignmentSolver()
    solver.solve(costs, rows: rows.count, columns: used.count)
    var sum = 0.0
    for (row, column) in solver.columnOfRow.enumerated() where column >= 0 {
      sum -= costs[row * used.count + column]
    }
    return Int(sum)
  }
}
