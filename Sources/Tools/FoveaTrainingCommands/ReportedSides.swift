// Fovea - both sides of a run as its report looks at them.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaTraining

/// What a run has learned from and what it is measured on, as its report looks at them.
///
/// Views that were composed have no files; pictures that are composed likewise stand for them.
struct ReportedSides {
  let learned: ReportedSet
  /// What is in the pictures that were learned from.
  let learnedSet: TrainingSet
  /// `nil` where nothing is left to measure on.
  let measured: ReportedSet?

  /// Writes the annotations, and pictures where they were composed.
  ///
  /// - Throws: `.unsuitablePictures`, `.file`.
  init(_ trainer: DetectorTrainer, _ plan: TrainingPlan) throws(TrainingError) {
    let composed = plan.folder + "/composed"
    learnedSet =
      trainer.isComposing ? try trainer.writeComposed(.learned, to: composed) : trainer.training
    learned = try ReportedSet(
      learnedSet, folder: trainer.isComposing ? composed : plan.pictures,
      path: plan.folder + "/training.json")
    guard trainer.measuredCount > 0 else {
      measured = nil
      return
    }
    measured = try ReportedSet(
      trainer.measuresComposed
        ? trainer.writeComposed(.measured, to: composed) : trainer.validation,
      folder: trainer.measuresComposed ? composed : plan.validation ?? plan.pictures,
      path: plan.folder + "/validation.json")
  }
}
