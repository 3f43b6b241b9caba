// Fovea - the report of a run.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaFiles
internal import FoveaImaging
internal import FoveaMeasurement
internal import FoveaPlots
internal import FoveaReports
internal import FoveaRuntime
internal import FoveaTraining

/// The report of a run: the page beside the model, and annotations in the folder of the run.
struct RunReport {
  /// The most pictures that were learned from whose labels are looked at.
  static let greatestLearnedCount = 2000
  /// The most suspicions that are written, and the least of them.
  private static let suspicions = (count: 1000, least: 0.05)

  let plan: TrainingPlan
  let trainer: DetectorTrainer
  let result: TrainingResult
  let rows: [ResultsFile.Row]

  /// What was written, and what the file reaches.
  struct Outcome {
    var page: String
    var annotations: String?
    var suspicions: [String]
    /// What the file reaches on pictures that were not learned from; `nil` without any.
    var score: TrainingScore?
  }

  /// Measures what was written, and writes the report.
  ///
  /// - Throws: `.file`, `.unsuitablePictures`.
  func write() throws(TrainingError) -> Outcome {
    do {
      return try written()
    } catch let error as TrainingError {
      throw error
    } catch let error as CommandFailure {
      throw TrainingError(.file, error.message)
    } catch {
      throw TrainingError(.file, "\(plan.report): \(error)")
    }
  }

  private func written() throws -> Outcome {
    let pool = try ThreadPool(threadCount: plan.options.threads)
    let models = plan.writtenModels
    let sides = try ReportedSides(trainer, plan)
    var learned: [ExaminedImage] = []
    let learnedImages = try sides.learned.images.limited(to: Self.greatestLearnedCount)
    let learnedMeasurement = try models[0].measurement(
      on: learnedImages, pool: pool, words: "pictures learned from"
    ) { learned.append($0) }
    var measured: [ExaminedImage] = []
    var measurements: [ModelMeasurement] = []
    if let images = try sides.measured?.images {
      for model in models {
        measurements.append(
          try model.measurement(on: images, pool: pool, words: "weights as \(model.name)") {
            if model.path == plan.output { measured.append($0) }
          })
      }
    }
    // Labels that were composed are right.
    let doubtful = (
      measured: trainer.measuresComposed ? [] : measured,
      learned: trainer.isComposing ? [] : learned
    )
    let suspicions = suspicions(doubtful.measured, doubtful.learned)
    let names = learnedMeasurement.categories.map { (id: $0.id, name: $0.name ?? "\($0.id)") }
    let files = try writeSuspicions(suspicions, doubtful.measured, doubtful.learned, names)
    var page = TrainingPage(
      evaluation: evaluation(measurements.first, measured, names),
      confidence: confidence,
      variants: zip(models, measurements).map { $0.variant($1) },
      facts: RunFacts(report: self).facts, learnedCounts: learnedCounts(names),
      curves: RunCurves(rows).svg(isMeasured: sides.measured != nil), views: try views(),
      examined: doubtful.measured + doubtful.learned, suspicions: suspicions,
      advice: advice(
        learnedMeasurement, sides.learnedSet, zip(models, measurements).map { ($0.name, $1) },
        suspicions),
      command: command(sides.measured ?? sides.learned), suspicionFiles: files)
    if trainer.isComposing { page.learnedWord = "Starters" }
    if trainer.measuresComposed { page.measuredWord = "composed picture" }
    SystemInterface.writeProgress("report: pictures of mistakes")
    let file = try FileReplacement(plan.report)
    try file.write(try page.bytes { try ImageFile(contentsOf: $0) })
    try file.commit()
    SystemInterface.writeProgress("")
    return Outcome(
      page: plan.report, annotations: sides.measured?.path, suspicions: files,
      score: measurements.first.map { score($0.metrics, measured) })
  }

  /// The confidence that the file holds.
  private var confidence: Double { result.score?.confidence ?? 0.25 }

  /// What the file reaches, as `fovea evaluate` says it.
  private func score(_ metrics: DetectionMetrics, _ measured: [ExaminedImage]) -> TrainingScore {
    let totals = JudgementTotals(
      measured.map {
        ImageJudgement(objects: $0.objects, detections: $0.detections, confidence: confidence)
      })
    return TrainingScore(
      averagePrecision: metrics.summary.averagePrecision ?? 0,
      averagePrecision50: metrics.summary.averagePrecision50 ?? 0, confidence: confidence,
      precision: totals.precision ?? 0, recall: totals.recall ?? 0)
  }

  // MARK: Parts

  private func evaluation(
    _ measurement: ModelMeasurement?, _ measured: [ExaminedImage],
    _ names: [(id: Int, name: String)]
  ) -> EvaluationPage {
    let metrics =
      measurement?.metrics ?? AveragePrecisionEvaluator(categories: names.map(\.id)).metrics()
    let named = measurement.map { $0.metrics.named($0.categories) } ?? []
    let chosen = named.count > 1 && named.count <= 8 ? named.map(\.name) : []
    var plot = Plot.precisionOverRecall(
      named, chosen: chosen, subtitle: "on \(measured.count) pictures that were not learned from")
    (plot.width, plot.height) = RunCurves.size
    return EvaluationPage(
      model: FilePath.name(of: plan.output), backend: "", metrics: metrics, names: names,
      entries: measured, curve: plot.svgBytes(), costs: [])
  }

  /// The boxes of each category that were learned from, or the starters.
  private func learnedCounts(_ names: [(id: Int, name: String)]) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for starter in trainer.starters?.starters ?? [] {
      counts[names[starter.label].id, default: 0] += 1
    }
    for object in trainer.training.pictures.flatMap(\.objects) where object.weight > 0 {
      counts[names[object.label].id, default: 0] += 1
    }
    return counts
  }

  private func views() throws -> [TrainingPage.View] {
    try trainer.firstViews().prefix(16).map { view in
      TrainingPage.View(
        image: try Image(width: view.width, height: view.height, rgb: view.rgb),
        boxes: view.objects.map { object in
          let (width, height) = (Double(view.width), Double(view.height))
          return ReportBox(
            PixelBox(
              x: object.x * width, y: object.y * height, width: object.width * width,
              height: object.height * height),
            trainer.training.labels[object.label], object.weight > 0 ? .there : .muted)
        })
    }
  }

  private func command(_ set: ReportedSet) -> String {
    let words = [plan.output, "--annotations", set.path, "--images", set.folder]
    return "fovea evaluate "
      + words.map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " ")
  }

  // MARK: Suspicions

  private func suspicions(
    _ measured: [ExaminedImage], _ learned: [ExaminedImage]
  ) -> [LabelSuspicion] {
    Array(
      LabelSuspicions(measured + learned).all.prefix { $0.suspicion >= Self.suspicions.least }
        .prefix(Self.suspicions.count))
  }

  /// Writes a file for each folder of pictures, and returns their paths.
  private func writeSuspicions(
    _ suspicions: [LabelSuspicion], _ measured: [ExaminedImage], _ learned: [ExaminedImage],
    _ names: [(id: Int, name: String)]
  ) throws(CommandFailure) -> [String] {
    let images = measured + learned
    let labels = Dictionary(uniqueKeysWithValues: names.map { ($0.id, $0.name) })
    var files: [String] = []
    func write(_ name: String, _ folder: String, _ isMeant: (Int) -> Bool) throws(CommandFailure) {
      let file = SuspicionFile(suspicions, labels: labels) { suspicion in
        isMeant(suspicion.image)
          ? ReportedSet.name(of: images[suspicion.image].path, below: folder) : nil
      }
      let path = plan.folder + "/" + name
      try SystemInterface.writeFile(JSONOutput.text(file), to: path)
      files.append(path)
    }
    guard let folder = plan.validation else {
      if !trainer.isComposing { try write("suspects.json", plan.pictures) { _ in true } }
      return files
    }
    if !trainer.isComposing { try write("suspects.json", plan.pictures) { $0 >= measured.count } }
    try write("suspects-validation.json", folder) { $0 < measured.count }
    return files
  }

  // MARK: Advice

  private func advice(
    _ learned: ModelMeasurement, _ learnedSet: TrainingSet,
    _ written: [(name: String, measurement: ModelMeasurement)],
    _ suspicions: [LabelSuspicion]
  ) -> [String] {
    var advice = TrainingAdvice()
    let counts = learnedCounts(learned.categories.map { ($0.id, $0.name ?? "") })
    let first = written.first?.measurement.metrics
    advice.classes = learned.categories.map { category in
      let metrics = first?.categories.first { $0.category == category.id }
      return TrainingAdvice.ClassNumbers(
        name: category.name ?? "\(category.id)", learned: counts[category.id] ?? 0,
        measured: metrics?.objectCount ?? 0, precision: metrics?.averagePrecision(threshold: 0))
    }
    advice.learnedPrecision = learned.metrics.summary.averagePrecision50
    advice.measuredPrecision = first?.summary.averagePrecision50
    advice.measuredPictures = trainer.measuredCount
    advice.history = rows.map { ($0.step, $0.averagePrecision50) }
    (advice.bestStep, advice.steps) = (result.bestStep, result.steps)
    advice.stoppedEarly = result.stoppedEarly
    advice.resumption = plan.longer(than: result)
    let precision = first?.summary.averagePrecision ?? 0
    advice.losses = written.dropFirst().map {
      ($0.name, precision - ($0.measurement.metrics.summary.averagePrecision ?? 0))
    }
    advice.suspiciousLabels = suspicions.count { $0.suspicion >= 0.5 }
    let sides = learnedSet.pictures.flatMap(\.objects).map { min($0.width, $0.height) }
    let small = sides.count { $0 * Double(trainer.side) < 8 }
    advice.smallShare = Double(small) / Double(max(sides.count, 1))
    advice.side = trainer.side
    advice.composition = trainer.starters.map {
      .init(isMeasured: trainer.measuresComposed, hasBackgrounds: !$0.backgrounds.isEmpty)
    }
    return advice.sentences
  }
}
