// Fovea - runs of training: what they learn, and that they can be repeated and resumed.
// SPDX-License-Identifier: Apache-2.0
import FoveaExampleModel
import FoveaRuntime
import FoveaTestSupport
import FoveaTraining
import Testing

@Suite("Runs of training", .tags(.startsThreads))
struct DetectorTrainerTests {
  private func options(_ steps: Int, threads: Int = 1) -> TrainingOptions {
    var options = TrainingOptions(threads: threads)
    options.length = .steps(steps)
    options.seed = 7
    options.batch = 4
    return options
  }

  /// The bytes of the model that a run writes.
  private func bytes(
    _ detector: SmallDetector, _ set: TrainingSet, _ options: TrainingOptions,
    stopsAt stop: Int? = nil
  ) throws -> [UInt8] {
    let state = detector.folder.path("state.fovt")
    if let stop {
      let first = try DetectorTrainer(set, startingFrom: detector.path, options: options)
      let error = #expect(throws: TrainingError.self) {
        _ = try first.run(checkpoint: state) { $0.step < stop }
      }
      #expect(error?.code == .interrupted)
    }
    let trainer = try DetectorTrainer(set, startingFrom: detector.path, options: options)
    if stop != nil { try trainer.resume(from: state) }
    let result = try trainer.run { _ in true }
    return try trainer.files(of: result, isPackage: false).model
  }

  @Test("The same steps give the same bytes, also in two parts")
  func repeats() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    let set = try detector.set()
    let whole = try bytes(detector, set, options(12))
    #expect(try bytes(detector, set, options(12)) == whole)
    #expect(try bytes(detector, set, options(12), stopsAt: 5) == whole)
    // Two threads add in another order, but always in the same one.
    let shared = try bytes(detector, set, options(6, threads: 2))
    #expect(try bytes(detector, set, options(6, threads: 2)) == shared)
  }

  @Test("A run learns")
  func learns() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    var set = try detector.set()
    // No class that the start knows: its heads are made anew.
    set.labels = ["red", "yellow"]
    var first: Double?, last = 0.0
    var options = options(80)
    options.rate = 0.01
    let trainer = try DetectorTrainer(set, startingFrom: detector.path, options: options)
    let result = try trainer.run {
      if first == nil { first = $0.boxLoss + $0.objectLoss }
      last = $0.boxLoss + $0.objectLoss
      return true
    }
    #expect(last < 0.7 * (try #require(first)))
    #expect(result.keptLabels.isEmpty)
    #expect(result.labels == ["red", "yellow"])
    // What is written opens, and says what it is.
    let path = detector.folder.path("mine.mlmodel")
    try trainer.write(result, to: path)
    let model = try Model(contentsOf: path)
    #expect(model.classLabels == ["red", "yellow"])
    #expect(model.metadata.userDefined["trained_steps"] == "\(result.steps)")
  }

  @Test("Rows of known classes are kept")
  func keepsRows() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    var network = try TrainingStart.network(contentsOf: detector.path, side: nil, isForced: false)
    let before = network
    let fitted = network.fit(to: ["wide", "tall"], seed: 1) { _ in [] }
    #expect(fitted.keptLabels == ["wide"])
    guard case .anchors(let heads) = network.heads,
      case .convolution(let old) = before.nodes[heads[0].value - 1].operation,
      case .convolution(let new) = network.nodes[heads[0].value - 1].operation
    else {
      Issue.record("no head")
      return
    }
    // Two classes before and behind: row 6 was "wide" and is row 5 now.
    let length = old.weights.count / old.bias.count
    #expect(new.weights[..<(5 * length)] == old.weights[..<(5 * length)])
    #expect(
      Array(new.weights[(5 * length)..<(6 * length)])
        == Array(old.weights[(6 * length)..<(7 * length)]))
    #expect(new.bias[5] == old.bias[6])
  }

  // MARK: What cannot be trained

  private func failure(
    _ set: TrainingSet, _ path: String, _ options: TrainingOptions
  ) -> TrainingError? {
    do {
      let trainer = try DetectorTrainer(set, startingFrom: path, options: options)
      _ = try trainer.run { _ in true }
      return nil
    } catch { return error }
  }

  @Test("Each refusal is an error with its cause")
  func refusals() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    let set = try detector.set()
    let none = TrainingSet(labels: ["a"], pictures: [.init(path: "a.png", objects: [])])
    #expect(failure(none, detector.path, options(1))?.code == .unsuitablePictures)
    #expect(failure(set, detector.path, options(0))?.code == .invalidOption)
    let classifier = try detector.folder.write(
      "classifier.mlmodel", ColorClassifier.bytes())
    let refused = failure(set, classifier, options(1))
    #expect(refused?.code == .unsuitableStart)
    #expect(refused?.message.contains("classifier.mlmodel") == true)
    var missing = set
    missing.pictures[0].path = detector.folder.path("none.png")
    #expect(failure(missing, detector.path, options(2))?.code == .unsuitablePictures)
  }

  @Test("One picture, pictures without boxes, and gray ones")
  func oddSets() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    var set = try detector.set(count: 4)
    for index in 1..<4 { set.pictures[index].objects = [] }
    #expect(failure(set, detector.path, options(3)) == nil)
    set.pictures = [set.pictures[0]]
    let trainer = try DetectorTrainer(set, startingFrom: detector.path, options: options(3))
    #expect(trainer.validation.pictures.isEmpty)
    #expect(try trainer.run { _ in true }.score == nil)
  }

  @Test("Minutes end in time, and say how many steps they make")
  func minutes() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    var options = options(1)
    options.length = .minutes(0.05)
    let trainer = try DetectorTrainer(
      detector.set(), startingFrom: detector.path, options: options)
    var seconds = 0.0
    let result = try trainer.run {
      seconds = $0.seconds
      return true
    }
    #expect(seconds > 1 && seconds < 4)
    #expect(result.steps > 0)
  }
}
