// Fovea - the line that says how a run goes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaTraining

/// The line that says how a run goes: rewritten for a person, else one at each evaluation.
enum TrainingLine {
  /// Shows a step.
  static func show(_ progress: TrainingProgress) {
    let text = text(progress)
    if SystemInterface.showsLines {
      SystemInterface.writeProgress(text)
    } else if progress.isEvaluated || progress.step == 3 {
      SystemInterface.writeError(text + "\n")
    }
  }

  /// One line.
  static func text(_ progress: TrainingProgress) -> String {
    var text =
      "step \(progress.step)/\(progress.expectedSteps)"
      + "  box \(NumberText.fixed(progress.boxLoss, digits: 2))"
      + " object \(NumberText.fixed(progress.objectLoss, digits: 2))"
    if progress.labelLoss > 0 {
      text += " class \(NumberText.fixed(progress.labelLoss, digits: 2))"
    }
    if let score = progress.score {
      text += "  AP50 \(NumberText.fixed(score.averagePrecision50, digits: 3))"
      // Weights are kept by AP, so AP50 may have been greater.
      if let kept = progress.bestScore { text += " (kept \(NumberText.fixed(kept, digits: 3)))" }
    }
    return text + "  \(time(progress.secondsLeft)) left"
  }

  private static func time(_ seconds: Double) -> String {
    seconds < 100
      ? "\(Int(seconds.rounded())) s" : NumberText.fixed(seconds / 60, digits: 1) + " min"
  }
}
