// Fovea - rounds in which everything that is compared takes a turn.
// SPDX-License-Identifier: Apache-2.0

/// Rounds in which everything that is compared takes a turn, so that what disturbs the machine for a while
/// disturbs all alike. Each round begins with another one: nobody always comes first.
package struct InterleavedRounds {
  /// How many rounds there are.
  package let count: Int
  /// Seconds in which the machine is left to others, between two rounds.
  let pause: Int
  /// What is measured, for the line that says how far the work is.
  let subject: String?

  /// Runs that count in a turn, where a single one is too short; they follow one that does not.
  package static let runsInTurn = 3

  package init(_ count: Int, pause: Int = 0, subject: String? = nil) {
    (self.count, self.pause, self.subject) = (count, pause, subject)
  }

  /// Calls `takeTurn` in every round with each number below `participants`.
  package func forEach(_ participants: Int, takeTurn: (Int) throws -> Void) rethrows {
    let progress = ProgressLine()
    defer { progress.clear() }
    for round in 0..<count {
      if round > 0 { progress.pause(seconds: pause) }
      progress.show("\(subject.map { $0 + ", " } ?? "")round \(round + 1) of \(count)")
      for turn in 0..<participants { try takeTurn((turn + round) % participants) }
    }
  }

  /// What each of `participants` measures in turns of several runs, in the order of the rounds.
  package func samples<Sample>(
    _ participants: Int, _ run: (Int) throws -> Sample
  ) rethrows -> [[Sample]] {
    var samples = [[Sample]](repeating: [], count: participants)
    try forEach(participants) { index in
      _ = try run(index)
      for _ in 0..<Self.runsInTurn { samples[index].append(try run(index)) }
    }
    return samples
  }
}
