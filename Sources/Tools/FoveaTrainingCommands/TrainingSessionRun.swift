// Fovea - a run of training, as the command shows it.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations
internal import FoveaCommandLine
internal import FoveaFiles
internal import FoveaLibc
internal import FoveaQuantization
internal import FoveaRuntime
internal import FoveaTraining

/// A run of training with its folder, its line of progress and its files.
struct TrainingSessionRun {
  private let plan: TrainingPlan
  private let asJSON: Bool

  init(_ plan: TrainingPlan, asJSON: Bool) {
    self.plan = plan
    self.asJSON = asJSON
  }

  /// Trains and writes the model; returns the exit code.
  func run() throws(TrainingError) -> Int32 {
    let trainer = try prepared()
    let isInterrupted = Locked(false)
    // A step may take some seconds, and the state is written behind it.
    Interruption.listen(milliseconds: 30_000) { isInterrupted.withLock { $0 = true } }
    var results = ResultsFile(plan.folder + "/results.csv", steps: trainer.steps)
    var failure: TrainingError?
    let result = try trainer.run(checkpoint: plan.checkpoint) { progress in
      TrainingLine.show(progress)
      if progress.isEvaluated {
        do throws(TrainingError) { try results.add(progress) } catch { failure = error }
      }
      return failure == nil && !isInterrupted.withLock { $0 }
    }
    SystemInterface.writeProgress("")
    if let failure { throw failure }
    if result.stoppedEarly { SystemInterface.writeError(result.end + "\n") }
    try write(result, of: trainer)
    let report = RunReport(plan: plan, trainer: trainer, result: result, rows: results.rows)
    say(result, try report.write())
    return 0
  }

  // MARK: Before

  private func prepared() throws(TrainingError) -> DetectorTrainer {
    let trainer =
      if let starters = plan.starters { try composing(starters) } else { try labeled() }
    do throws(CommandFailure) { try plan.write() } catch {
      throw TrainingError(.file, error.message)
    }
    // A run that was stopped before its first evaluation begins anew.
    if plan.isResumed, FilePath.exists(plan.checkpoint) {
      try trainer.resume(from: plan.checkpoint)
    }
    say(trainer)
    return trainer
  }

  private func say(_ trainer: DetectorTrainer) {
    let training = trainer.training
    let learned =
      trainer.isComposing
      ? "views are composed"
      : "\(training.pictures.count) pictures with \(training.objectCount) objects to learn from"
    SystemInterface.writeError(
      "\(learned), \(trainer.measuredCount) \(trainer.measuresComposed ? "composed ones " : "")to"
        + " measure on; input \(trainer.side) x \(trainer.side), \(trainer.batch)"
        + " \(trainer.isComposing ? "views" : "pictures") a step\n")
  }

  private func labeled() throws(TrainingError) -> DetectorTrainer {
    let set = try pictures()
    let validation = try validation(labels: set.labels)
    say(set.findings + (validation?.findings ?? []))
    var options = plan.options
    let measured = validation?.pictures.count ?? set.pictures.count / 5
    options.looksAfter = looksAfter(learned: set.pictures.count, measured: measured)
    return try DetectorTrainer(
      set, validation: validation, startingFrom: plan.start, options: options)
  }

  private func composing(_ starters: StarterPlan) throws(TrainingError) -> DetectorTrainer {
    let set = try starters.read()
    let validation = try validation(labels: set.labels)
    say(set.findings + (validation?.findings ?? []))
    var options = plan.options
    let composed = DetectorTrainer.composedCount(classes: set.labels.count)
    options.looksAfter = looksAfter(
      learned: composed, measured: validation?.pictures.count ?? composed)
    return try DetectorTrainer(
      starters: set, validation: validation, startingFrom: plan.start, options: options)
  }

  private func validation(labels: [String]) throws(TrainingError) -> TrainingSet? {
    guard let folder = plan.validation else { return nil }
    return try TrainingSet(
      pictures: folder, annotations: plan.validationAnnotations, labels: labels)
  }

  private func say(_ findings: [AnnotationFinding]) {
    for line in AnnotationCheck.lines(of: findings) { SystemInterface.writeError(line + "\n") }
  }

  /// The pictures with what people or the teacher say of them.
  private func pictures() throws(TrainingError) -> TrainingSet {
    guard let teacher = plan.teacher else {
      return try TrainingSet(pictures: plan.pictures, annotations: plan.annotations)
    }
    let set = try TrainingSet(
      pictures: plan.pictures, teacher: teacher.model, options: teacher.options
    ) { place, count in
      SystemInterface.writeProgress("the teacher looks at picture \(place + 1)/\(count)")
      return true
    }
    SystemInterface.writeProgress("")
    SystemInterface.writeError(
      "the teacher finds \(set.objectCount) objects (\(set.labels.joined(separator: ", "))) and"
        + " doubts \(set.ignoredCount) more, which do not count"
        + (plan.validation == nil ? "; AP says how well the student agrees with it\n" : "\n"))
    return set
  }

  /// The pictures that the report looks at: those to measure on once for each file.
  private func looksAfter(learned: Int, measured: Int) -> Int {
    min(learned, RunReport.greatestLearnedCount) + plan.writtenModels.count * measured
  }

  // MARK: After

  private func write(
    _ result: TrainingResult, of trainer: DetectorTrainer
  ) throws(TrainingError) {
    try trainer.write(result, to: plan.output)
    guard plan.makesHalf || plan.makesInt8 else { return }
    let files = try trainer.files(of: result, isPackage: true)
    let half: PackageFiles?
    let codes: PackageFiles?
    do throws(QuantizationError) {
      let quantizer = try ModelQuantizer(files)
      half = plan.makesHalf ? try quantizer.inHalfPrecision().files : nil
      codes = plan.makesInt8 ? try quantizer.quantize(QuantizationOptions(bits: 8)).files : nil
    } catch {
      throw TrainingError(.file, "\(error)")
    }
    if let half { try DetectorTrainer.write(half, to: variant("half")) }
    if let codes { try DetectorTrainer.write(codes, to: variant("int8")) }
  }

  private func variant(_ word: String) -> String {
    plan.writtenModels.first { $0.name == word }?.path ?? plan.output
  }

  private func say(_ result: TrainingResult, _ report: RunReport.Outcome) {
    if asJSON {
      let document = TrainingDocument(result, report, output: plan.output)
      do throws(CommandFailure) { try JSONOutput.write(document) } catch {
        SystemInterface.writeError(error.message + "\n")
      }
      return
    }
    var text = "\(plan.output)  \(result.end)"
    if let score = report.score {
      func fixed(_ value: Double, _ digits: Int) -> String {
        NumberText.fixed(value, digits: digits)
      }
      text += ", AP50 \(fixed(score.averagePrecision50, 3)), AP \(fixed(score.averagePrecision, 3))"
      text += " with the weights of step \(result.bestStep)"
      text += "\nconfidence threshold \(fixed(score.confidence, 3)): precision"
      text += " \(fixed(score.precision, 2)), recall \(fixed(score.recall, 2))"
    }
    SystemInterface.writeOutput(text + "\nreport: \(report.page)\n")
  }
}

/// The JSON document of `fovea train`.
private struct TrainingDocument: Encodable {
  var file: String
  var steps: Int
  var bestStep: Int
  /// Whether the run ended before its time, since nothing was gained any more.
  var stoppedEarly: Bool
  var seconds: Double
  var side: Int
  var labels: [String]
  var keptLabels: [String]
  /// What the file reaches on pictures that were not learned from, as `fovea evaluate` says it.
  var score: TrainingScore?
  /// The page about the run.
  var report: String
  /// What is in the pictures that were measured on, for `fovea evaluate`.
  var validation: String?
  /// Suspicious labels in Create ML's form.
  var suspects: [String]

  init(_ result: TrainingResult, _ report: RunReport.Outcome, output: String) {
    file = output
    (steps, bestStep, side) = (result.steps, result.bestStep, result.side)
    stoppedEarly = result.stoppedEarly
    seconds = NumberText.rounded(result.seconds, digits: 1)
    (labels, keptLabels, score) = (result.labels, result.keptLabels, report.score)
    (self.report, validation, suspects) = (report.page, report.annotations, report.suspicions)
  }
}
