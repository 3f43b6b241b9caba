// Fovea - what the report says about a run.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaFiles
internal import FoveaModelValues
internal import FoveaRuntime
internal import FoveaTraining

/// What the report says about a run.
struct RunFacts {
  private let plan: TrainingPlan
  private let trainer: DetectorTrainer
  private let result: TrainingResult

  init(report: RunReport) {
    (plan, trainer, result) = (report.plan, report.trainer, report.result)
  }

  /// Words with their values.
  var facts: [(name: String, value: String)] {
    let start = (try? Model(contentsOf: plan.start))?.metadata
    let known = result.keptLabels
    return [
      ("start", FilePath.name(of: plan.start)),
      ("license of the start", Self.stated(start?.license)),
      ("author of the start", Self.stated(start?.author)),
      (
        "classes that the start knew",
        known.isEmpty ? "none: its heads were made anew" : known.joined(separator: ", ")
      ),
      ("learned from", trainer.starters.map(Self.count) ?? Self.count(trainer.training)),
      (
        "measured on",
        trainer.measuresComposed
          ? "\(trainer.measuredCount) composed pictures" : Self.count(trainer.validation)
      ),
      ("input", "\(trainer.side) x \(trainer.side)"),
      (
        "steps",
        "\(result.steps), \(trainer.batch) \(trainer.isComposing ? "views" : "pictures") each"
      ),
      ("end", result.end),
      ("weights kept", "those of step \(result.bestStep)"),
      ("time", Self.time(result.seconds) + ", \(plan.options.threads) threads"),
      ("seed", "\(plan.options.seed)"),
    ]
  }

  private static func stated(_ text: String?) -> String {
    text.map { $0.isEmpty ? "not stated in its file" : $0 } ?? "not stated in its file"
  }

  private static func count(_ set: TrainingSet) -> String {
    "\(set.pictures.count) pictures with \(set.objectCount) objects"
  }

  private static func count(_ set: StarterSet) -> String {
    "\(set.starters.count) starters on "
      + (set.backgrounds.isEmpty ? "drawn backgrounds" : "\(set.backgrounds.count) backgrounds")
  }

  private static func time(_ seconds: Double) -> String {
    seconds < 100
      ? NumberText.fixed(seconds, digits: 1) + " s"
      : NumberText.fixed(seconds / 60, digits: 1) + " minutes"
  }
}

extension TrainingResult {
  /// Why the run ended.
  var end: String {
    stoppedEarly
      ? "stopped early at step \(steps): no gain since step \(bestStep)" : "\(steps) steps"
  }
}
