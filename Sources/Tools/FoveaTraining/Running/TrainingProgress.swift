// Fovea - what a run says while it goes on.
// SPDX-License-Identifier: Apache-2.0

/// What a run says after each step.
public struct TrainingProgress: Sendable, Hashable {
  /// The steps that were taken.
  public var step: Int
  /// The steps of the whole run, as far as one can tell.
  public var expectedSteps: Int
  /// Seconds that the run has taken.
  public var seconds: Double
  /// Seconds that are left, as far as one can tell.
  public var secondsLeft: Double
  /// How badly boxes fit.
  public var boxLoss: Double
  /// How badly objects are told from background.
  public var objectLoss: Double
  /// How badly classes are told apart.
  public var labelLoss: Double
  /// The learning rate.
  public var rate: Double
  /// The last evaluation, if there was one.
  public var score: TrainingScore?
  /// Whether the evaluation has just been made.
  public var isEvaluated: Bool
  /// The best average precision at an overlap of 0.50 so far.
  public var bestScore: Double?
}

/// What came out of a run.
public struct TrainingResult: Sendable {
  /// The steps that were taken.
  public var steps: Int
  /// The step whose weights were kept.
  public var bestStep: Int
  /// Whether the run ended before its time, since nothing was gained any more.
  public var stoppedEarly: Bool
  /// Seconds that the run took.
  public var seconds: Double
  /// What the kept weights reach; `nil` where there was nothing to measure on.
  public var score: TrainingScore?
  /// The classes, in the order of the scores.
  public var labels: [String]
  /// The classes that the start knew.
  public var keptLabels: [String]
  /// The side of the network's input.
  public var side: Int
  let network: TrainableNetwork
}
