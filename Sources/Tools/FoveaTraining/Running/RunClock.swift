// Fovea - how much of a run has passed, and how much is left.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// How much of a run has passed, by its steps or by its time.
struct RunClock {
  private let length: TrainingOptions.Length
  private let secondsBefore: Double
  /// The work after the run, in evaluations.
  private let looksAfter: Double
  private let start = MonotonicClock.seconds()
  private var lastCheckpoint = MonotonicClock.seconds()
  private var evaluationSeconds = 0.0
  /// The steps of earlier parts of the run, which took another time.
  private var firstStep: Int?

  init(_ length: TrainingOptions.Length, secondsBefore: Double, looksAfter: Double) {
    (self.length, self.secondsBefore, self.looksAfter) = (length, secondsBefore, looksAfter)
  }

  /// Seconds of the whole run.
  var seconds: Double { secondsBefore + MonotonicClock.seconds() - start }

  /// The part that has passed, 0 to 1.
  func share(steps: Int) -> Double {
    switch length {
    case .steps(let count): Double(steps) / Double(count)
    case .minutes: min(seconds / total, 1)
    }
  }

  /// Seconds of a run of minutes. What the end takes is left out: an evaluation, writing, and a fifth
  /// of the run at most for what comes after.
  private var total: Double {
    guard case .minutes(let minutes) = length else { return 0 }
    let after = min(1.2 * looksAfter * evaluationSeconds, 12 * minutes)
    return max(minutes * 60 - 1.2 * evaluationSeconds - after - 0.5, 1)
  }

  func isOver(steps: Int) -> Bool {
    switch length {
    case .steps(let count): steps >= count
    case .minutes: seconds >= total && steps > 0
    }
  }

  /// The time that the last evaluation took.
  mutating func noteEvaluation(seconds: Double) { evaluationSeconds = seconds }

  /// Whether a minute has passed since the state was written.
  var isCheckpointDue: Bool {
    mutating get {
      let now = MonotonicClock.seconds()
      guard now - lastCheckpoint >= 60 else { return false }
      lastCheckpoint = now
      return true
    }
  }

  /// What can be said of the time.
  mutating func progress(steps: Int) -> TrainingProgress {
    let first = firstStep ?? steps - 1
    firstStep = first
    let own = max(MonotonicClock.seconds() - start, 1e-6)
    let each = own / Double(max(steps - first, 1))
    var (expected, left) = (steps, 0.0)
    switch length {
    case .steps(let count):
      expected = count
      left = each * Double(count - steps) + evaluationSeconds
    case .minutes(let minutes):
      left = max(minutes * 60 - seconds, 0)
      expected = steps + Int(max(total - seconds, 0) / each)
    }
    return TrainingProgress(
      step: steps, expectedSteps: expected, seconds: seconds, secondsLeft: left, boxLoss: 0,
      objectLoss: 0, labelLoss: 0, rate: 0, score: nil, isEvaluated: false, bestScore: nil)
  }
}
