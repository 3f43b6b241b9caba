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
  /// The pictures that are learned from.
  public let training: TrainingSet
  /// The pictures that results are measured on.
  public let validation: TrainingSet
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
  private let store: PictureStore
  private let painter: ViewPainter
  private let evaluation: TrainingEvaluation
  private let schedule: LearningSchedule
  private var order: ViewOrder
  private var state = TrainingCheckpoint.State()
  private var best: [Float]

  /// Bytes of decoded pictures that are kept.
  private static let pictureBytes = 1 << 29

  /// Prepares training.
  ///
  /// - Parameters:
  ///   - set: The pictures.
  ///   - validation: Pictures to measure on; `nil` to take a fifth of the set.
  ///   - start: The path of the model to start from.
  /// - Throws: `TrainingError`.
  public init(
    _ set: TrainingSet, validation: TrainingSet? = nil, startingFrom start: String,
    options: TrainingOptions
  ) throws(TrainingError) {
    try options.check()
    self.options = options
    (training, self.validation) = try Self.sides(set, validation, options.seed)
    let side = options.size ?? InputSide.choose(set)
    var network = try TrainingStart.network(
      contentsOf: start, side: side, isForced: options.size != nil)
    let training = training
    fitted = network.fit(to: set.labels, seed: options.seed) {
      AnchorClustering.anchors(training, count: $0)
    }
    if !fitted.keptLabels.isEmpty { network.setRate(ofOldLayers: 0.5) }
    self.network = network
    batch = options.batch ?? (network.picture.width > 416 ? 8 : 16)
    let most = training.pictures.map(\.objects.count).max() ?? 1
    do {
      pool = try ThreadPool(threadCount: options.threads)
    } catch {
      throw TrainingError(.outOfMemory, error.message)
    }
    trainer = try TapeTrainer(NetworkTape(network), network, pool: pool, maximumBoxes: 4 * most)
    best = Array(trainer.numbers(.average))
    store = PictureStore(
      paths: training.pictures.map(\.path), side: network.picture.width,
      byteBudget: Self.pictureBytes)
    var views = AugmentationOptions()
    views.mirrorsAcross = options.mirrors
    views.mirrorsDown = options.isFromAbove
    painter = ViewPainter(
      size: .init(
        height: network.picture.height, width: network.picture.width,
        channels: network.picture.channels), options: views)
    schedule = LearningSchedule(rate: options.rate)
    order = ViewOrder(count: training.pictures.count, seed: options.seed)
    evaluation = TrainingEvaluation(
      self.validation, side: network.picture.width, pool: pool, byteBudget: Self.pictureBytes)
  }

  private static func sides(
    _ set: TrainingSet, _ validation: TrainingSet?, _ seed: UInt64
  ) throws(TrainingError) -> (training: TrainingSet, validation: TrainingSet) {
    guard set.objectCount > 0, !set.labels.isEmpty else {
      throw TrainingError(
        .unsuitablePictures,
        "the \(set.pictures.count) pictures have no boxes; label some objects first")
    }
    guard let validation else { return set.divided(seed: seed) }
    guard validation.labels == set.labels else {
      throw TrainingError(
        .unsuitablePictures,
        "the pictures to measure on have the classes \(validation.labels), and those to learn from"
          + " \(set.labels)")
    }
    return (set, validation)
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
      looksAfter: Double(options.looksAfter) / Double(max(validation.pictures.count, 1)))
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
      validation.pictures.isEmpty
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
    return try pool.map(batch) { [training, store, painter] index throws(TrainingError) in
      let picture = pictures[index]
      var random = CounterRandom(seed, step, UInt64(index))
      var others = CounterRandom(seed, step, UInt64(index), 0x0735)
      return try painter.view(
        of: training.pictures[picture], store.image(picture), random: &random,
        usesMosaic: usesMosaic
      ) { _ throws(TrainingError) in
        let other = others.place(training.pictures.count)
        return (training.pictures[other], try store.image(other))
      }
    }
  }

  /// What the network sees in the first step.
  package func firstViews() throws(TrainingError) -> [SeenView] {
    let steps = state.steps
    defer { state.steps = steps }
    state.steps = 0
    return try views(share: 0).map { SeenView($0, painter.size) }
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
