// Fovea - which lines of MOTChallenge's ground truth count, and which results are left out.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// Which objects of a ground truth count, and which results are left out before counting.
package enum GroundTruthRules: String, CaseIterable, Sendable {
  /// Of MOT15: objects of flag 0 do not count.
  case mot15
  /// Of MOT16 and MOT17: only pedestrians (class 1) count. Results on people in vehicles, people
  /// who stand still, distractors and reflections (classes 2, 7, 8 and 12) are left out.
  case mot17
  /// Of MOT20: as MOT17, and results on vehicles (class 6) are left out, too.
  case mot20

  /// The rules that a file asks for: MOT17's if it names classes, as its nine columns do.
  package static func suitable(for truth: [TrackedBox]) -> GroundTruthRules {
    truth.contains { $0.category != nil } ? .mot17 : .mot15
  }

  private static let pedestrian = 1

  private var ignoredCategories: [Int] {
    switch self {
    case .mot15: []
    case .mot17: [2, 7, 8, 12]
    case .mot20: [2, 6, 7, 8, 12]
    }
  }

  /// Leaves out what does not count in one frame.
  func apply(
    objects: inout [TrackedBox], results: inout [TrackedBox], solver: inout AssignmentSolver
  ) {
    if self == .mot15 {
      objects.removeAll { $0.score == 0 }
      return
    }
    if !objects.isEmpty, !results.isEmpty {
      let overlaps = TrackFrames.overlaps(objects, results)
        .map { $0 < 0.5 - TrackFrames.tolerance ? 0 : $0 }
      solver.solve(overlaps.map { -$0 }, rows: objects.count, columns: results.count)
      var isIgnored = [Bool](repeating: false, count: results.count)
      for (row, column) in solver.columnOfRow.enumerated() where column >= 0 {
        guard overlaps[row * results.count + column] > TrackFrames.tolerance else { continue }
        isIgnored[column] = objects[row].category.map(ignoredCategories.contains) ?? false
      }
      results = zip(results, isIgnored).filter { !$1 }.map(\.0)
    }
    objects.removeAll { $0.score == 0 || $0.category != Self.pedestrian }
  }
}
