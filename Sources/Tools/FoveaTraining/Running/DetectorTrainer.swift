// Fovea - training a detector: from labeled pictures to a Core ML model.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaTrain
internal import FoveaFiles
internal import FoveaLibc
internal import FoveaRuntime

/// Trains a detector on labeled pictures.
///
///     var trainer = try DetectorTrainer(set, startingFrom: "yolo.onnx", options: options)
///     let result = try trainer.run { print($0.step); return true }
///     try trainer.write(result, to: "Mine.mlmodel")
///
/// Training goes on from any detector that Fovea opens and whose operations have gradients. What is
/// trained is what is written: normalizations are folded into convolutions before.
public final class DetectorTrainer {
  /// The options with everything that was chosen.
  public let options: TrainingOptions
  /// The pictures that are learned from; none where views are composed of starters.
  public let training: TrainingSet
  /// The labeled pictures that results are measured on; none where these are composed.
  public let validation: TrainingSet
  /// What views are composed of; `nil` where pictures are labeled.
  public var starters: StarterSet? { (material as? StarterMaterial)?.starters }
  /// How many pictures results are measured on.
  public var measuredCount: Int { evaluation.count }
  /// The side of the network's input.
  public var side: Int { network.picture.width }
  /// Pictures of a step.
  public let batch: Int
  /// The number of weights and biases.
  public var parameterCount: Int { network.parameterCount }
  /// The steps that were taken.
  public var steps: Int { state.steps }
  /// The most memory that learning takes, in bytes.
  public var byteCount: Int { trainer.byteCount }

  private let network: TrainableNetwork
  private let fitted: FittedHeads
  private let pool: ThreadPool
  private let trainer: TapeTrainer
  let material: any TrainingMaterial
  private let source: any ViewSource
  private let viewSize: TrainableNetwork.Size
  private let evaluation: TrainingEvaluation
  private let schedule: LearningSchedule
  private var order: ViewOrder
  private var state = TrainingCheckpoint.State()
  private var best: [Float]

  /// Prepares training.
  ///
  /// - Parameters:
  ///   - set: The pictures.
  ///   - validation: Pictures to measure on; `nil` to take a fifth of the set.
  ///   - start: The path of the model to start from.
  /// - Throws: `TrainingError`.
  public convenience init(
    _ set: TrainingSet, validation: TrainingSet? = nil, startingFrom start: String,
    options: TrainingOptions
  ) throws(TrainingError) {
    try options.check()
    let material = try LabeledMaterial(set, validation, seed: options.seed)
    try self.init(
      material, training: material.training, validation: material.validation, start, options)
  }

  /// Prepares training on starters, which each step pastes onto backgrounds.
  ///
  /// - Parameters:
  ///   - starters: Single pictures of flat things, and the backgrounds.
  ///   - validation: Labeled pictures to measure on; `nil` to measure on composed ones. A fifth of the
  ///     backgrounds, where there are at least five, is kept for those.
  ///   - start: The path of the model to start from.
  /// - Throws: `TrainingError`.
  public convenience init(
    starters: StarterSet, validation: TrainingSet? = nil, startingFrom start: String,
    options: TrainingOptions
  ) throws(TrainingError) {
    try options.check()
    let none = TrainingSet(labels: starters.labels, pictures: [])
    try self.init(
      StarterMaterial(starters, validation, options), training: none,
      validation: validation ?? none, start, options)
  }

  private init(
    _ material: any TrainingMaterial, training: TrainingSet, validation: TrainingSet,
    _ start: String, _ options: TrainingOptions
  ) throws(TrainingError) {
    (self.options, self.material) = (options, material)
    (self.training, self.validation) = (training, validation)
    let side = options.size ?? InputSide.choose(material.examples)
    var network = try TrainingStart.network(
      contentsOf: start, side: side, isForced: options.size != nil)
    let examples = material.learnedExamples
    fitted = network.fit(to: material.labels, seed: options.seed) {
      AnchorClustering.anchors(examples, count: $0)
    }
    if !fitted.keptLabels.isEmpty { network.setRate(ofOldLayers: 0.5) }
    self.network = network
    batch = options.batch ?? (network.picture.width > 416 ? 8 : 16)
    do {
      pool = try ThreadPool(threadCount: options.threads)
    } catch {
      throw TrainingError(.outOfMemory, error.message)
    }
    trainer = try TapeTrainer(
      NetworkTape(network), network, pool: pool, maximumBoxes: material.mostObjects)
    best = Array(trainer.numbers(.average))
    viewSize = .init(
      height: network.picture.height, width: network.picture.width,
      channels: network.picture.channels)
    source = try material.views(viewSize, options.augmentation)
    schedule = LearningSchedule(rate: options.rate)
    order = ViewOrder(count: source.pictureCount, seed: options.seed)
    evaluation = TrainingEvaluation(
      try material.measured(side: network.picture.width), pool: pool)
  }

  // MARK: Running

  /// Trains until the end of the run, or until `report` gives `false`.
  ///
  /// - Parameters:
  ///   - checkpoint: The file of the state, which is written at each evaluation, every minute and at
  ///     the end.
  ///   - report: Is called after each step.
  /// - Returns: What came out; the weights are those of the best evaluation.
  /// - Throws: `.diverged`, `.unsuitablePictures`, `.file`; `.interrupted` where `report` gave
  ///   `false`. The state is written before.
  public func run(
    checkpoint: String? = nil, report: (TrainingProgress) -> Bool
  ) throws(TrainingError) -> TrainingResult {
    var clock = self.clock
    var lastScore: TrainingScore?
    while !clock.isOver(steps: state.steps), !stopsEarly {
      let share = clock.share(steps: state.steps)
      let rates = schedule.rates(step: state.steps, share: share)
      let parts = try trainer.step(views(share: share), rates)
      state.steps = trainer.steps
      state.seconds = clock.seconds
      var progress = clock.progress(steps: state.steps)
      (progress.boxLoss, progress.objectLoss, progress.labelLoss) = (
        parts.box, parts.object, parts.label
      )
      progress.rate = Double(rates.rate)
      if clock.share(steps: state.steps) * Self.evaluationCount >= Double(state.evaluations + 1) {
        lastScore = try evaluate(&clock) ?? lastScore
        progress.isEvaluated = true
      }
      progress.score = lastScore
      progress.bestScore = state.bestStep >= 0 ? state.bestScore : nil
      let isDue = clock.isCheckpointDue
      if let checkpoint, isDue || progress.isEvaluated { try save(checkpoint) }
      guard report(progress) else {
        if let checkpoint { try save(checkpoint) }
        throw TrainingError(.interrupted, "stopped after \(state.steps) steps")
      }
    }
    if let checkpoint { try save(checkpoint) }
    return try result(stoppedEarly: !clock.isOver(steps: state.steps))
  }

  private var clock: RunClock {
    RunClock(
      options.length, secondsBefore: state.seconds,
      looksAfter: Double(options.looksAfter) / Double(max(evaluation.count, 1)))
  }

  /// How often a run is measured.
  private static let evaluationCount = 20.0
  /// The part of a run after which it stops without gain.
  private static let patience = 0.3

  private var stopsEarly: Bool {
    // What has found nothing yet may still be learning.
    guard state.bestStep >= 0, state.bestPrecision > 0 else { return false }
    // Evaluations since the best one.
    let since = state.evaluations - state.bestEvaluation
    return Double(since) >= Self.patience * Self.evaluationCount
      && Double(state.evaluations) >= Self.evaluationCount / 2
  }

  /// Measures the moving average, and keeps it if it is the best one.
  private func evaluate(_ clock: inout RunClock) throws(TrainingError) -> TrainingScore? {
    let start = MonotonicClock.seconds()
    let found = try evaluation.score(trainer.averaged(network))
    state.evaluations += 1
    clock.noteEvaluation(seconds: MonotonicClock.seconds() - start)
    guard let found else {
      keep(TrainingScore.none)
      return nil
    }
    if found.averagePrecision >= state.bestPrecision || state.bestStep < 0 { keep(found) }
    return found
  }

  private func keep(_ score: TrainingScore) {
    state.bestStep = state.steps
    state.bestEvaluation = state.evaluations
    state.bestPrecision = score.averagePrecision
    state.bestScore = score.averagePrecision50
    state.confidence = score.confidence
    state.precision = score.precision
    state.recall = score.recall
    best = Array(trainer.numbers(.average))
  }

  private func result(stoppedEarly: Bool) throws(TrainingError) -> TrainingResult {
    var clock = self.clock
    if state.bestStep < 0 { _ = try evaluate(&clock) }
    let trained = trainer.network(network, with: best)
    let score =
      evaluation.count == 0
      ? nil
      : TrainingScore(
        averagePrecision: state.bestPrecision, averagePrecision50: state.bestScore,
        confidence: state.confidence, precision: state.precision, recall: state.recall)
    return TrainingResult(
      steps: state.steps, bestStep: state.bestStep, stoppedEarly: stoppedEarly,
      seconds: state.seconds, score: score, labels: network.labels,
      keptLabels: fitted.keptLabels, side: side, network: trained)
  }

  // MARK: Views

  private func views(share: Double) throws(TrainingError) -> [TrainingView] {
    let first = state.steps * batch
    let pictures = (first..<first + batch).map { order.picture(at: $0) }
    let usesMosaic = schedule.usesMosaic(share: share)
    let (seed, step) = (options.seed, UInt64(state.steps))
    return try pool.map(batch) { [source] index throws(TrainingError) in
      var random = CounterRandom(seed, step, UInt64(index))
      var others = CounterRandom(seed, step, UInt64(index), 0x0735)
      return try source.view(
        of: pictures[index], random: &random, others: &others, usesMosaic: usesMosaic)
    }
  }

  /// What the network sees in the first step.
  package func firstViews() throws(TrainingError) -> [SeenView] {
    let steps = state.steps
    defer { state.steps = steps }
    state.steps = 0
    return try views(share: 0).map { SeenView($0, viewSize) }
  }

  // MARK: State

  /// Goes on from a state that a run has written.
  public func resume(from checkpoint: String) throws(TrainingError) {
    let saved = try TrainingCheckpoint(
      contentsOf: checkpoint, parameterCount: trainer.parameterCount)
    state = saved.state
    trainer.steps = state.steps
    for (array, numbers) in zip(Self.arrays, saved.arrays) {
      _ = trainer.numbers(array).update(from: numbers)
    }
    best = saved.arrays[Self.arrays.count]
  }

  private static let arrays: [fov_trainer_array] = [
    .parameters, .first_moments, .second_moments, .average,
  ]

  private func save(_ path: String) throws(TrainingError) {
    try TrainingCheckpoint(
      state: state, arrays: Self.arrays.map { Array(trainer.numbers($0)) } + [best]
    ).write(to: path)
  }
}
