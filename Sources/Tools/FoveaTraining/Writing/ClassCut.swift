// Fovea - a detector that knows some of its classes only.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaGeometry
internal import FoveaLibc
internal import FoveaLowering
internal import FoveaModelFormat
internal import FoveaModelValues
package import FoveaRuntime

/// Makes detectors that know some of their classes only: rows of other classes leave the heads.
///
/// Nothing is learned. Boxes and scores stay what they are, to rounding, and weights stay as small
/// as they are stored.
package struct ClassCut {
  private let path: String
  private let options: ConversionOptions
  private let source: LoweredModel

  /// Writes the detector at a path as one of some classes, with a suppression of boxes.
  ///
  /// - Parameters:
  ///   - labels: The classes that stay, in the order that they get.
  ///   - options: How the source is read, and what is said about the result. `suppression` may
  ///     change thresholds.
  /// - Throws: `.unsuitableStart` for a network whose heads cannot be cut, `.invalidOption` for
  ///   classes that it does not have.
  package static func conversion(
    of path: String, keeping labels: [String], options: ConversionOptions
  ) throws(TrainingError) -> ModelConversion {
    let cut: ClassCut
    let format: String
    do throws(FoveaError) {
      format = try ModelFile.operations(at: path).sourceName
      cut = ClassCut(
        path: path, options: options,
        source: try ModelFile.lowered(contentsOf: path, options: options.loading))
    } catch {
      throw TrainingError(.unsuitableStart, error.message)
    }
    return ModelConversion(
      try cut.files(labels), sourceFormat: format, isPackage: options.isPackage)
  }

  private func files(_ labels: [String]) throws(TrainingError) -> PackageFiles {
    do throws(TrainingError) {
      let (network, places) = try network(.writing, labels)
      let files = try network.files(notes, isPackage: options.isPackage)
      try check(files, places)
      return files
    } catch {
      // Where an operation has no words of ours, those of the file may stay.
      guard error.code == .unsuitableStart, !source.hasLayers else { throw error }
    }
    let (network, places) = try network(.heads, labels)
    let detector: ModelDescription
    do throws(TrainingError) {
      detector = try ProgramCut.detector(network, in: program())
    } catch {
      throw refusal(error.message)
    }
    let files = try network.files(of: detector, notes, isPackage: options.isPackage)
    try check(files, places)
    return files
  }

  private func program() throws(TrainingError) -> ModelDescription {
    do throws(FoveaError) {
      return try ModelFile.translated(contentsOf: path, options: options.loading)
    } catch {
      throw TrainingError(.unsuitableStart, error.message)
    }
  }

  private func refusal(_ cause: String) -> TrainingError {
    TrainingError(
      .unsuitableStart,
      "\(path): classes cannot be cut out of this network: \(cause); choose them when you look for"
        + " objects, with 'fovea detect --only'")
  }

  // MARK: Reading

  /// The network with rows of some classes in its heads, and the places of these.
  private func network(
    _ purpose: NetworkReader.Purpose, _ wanted: [String]
  ) throws(TrainingError) -> (network: TrainableNetwork, places: [Int]) {
    var network: TrainableNetwork
    do throws(TrainingError) {
      // Reading folds a graph, so each reader has its own.
      let model = try lowered()
      network = try NetworkReader.network(of: model, for: purpose)
    } catch {
      throw refusal(error.message)
    }
    if let labels = options.labels {
      guard labels.count == network.labels.count else {
        throw TrainingError(
          .invalidOption,
          "\(path): has \(network.labels.count) classes, and \(labels.count) names are given")
      }
      network.labels = labels
    }
    let places = try places(of: wanted, in: network.labels)
    do throws(TrainingError) { try network.keep(places) } catch { throw refusal(error.message) }
    return (network, places)
  }

  private func lowered() throws(TrainingError) -> LoweredModel {
    do throws(FoveaError) {
      return try ModelFile.lowered(contentsOf: path, options: options.loading)
    } catch {
      throw TrainingError(.unsuitableStart, error.message)
    }
  }

  /// The places of classes among those of the source.
  private func places(
    of labels: [String], in known: [String]
  ) throws(TrainingError) -> [Int] {
    var places: [Int] = []
    for label in labels {
      guard let place = known.firstIndex(of: label) else {
        let some = known.prefix(12).joined(separator: ", ")
        let more = known.count > 12 ? ", ... (\(known.count) in all)" : ""
        throw TrainingError(
          .invalidOption,
          "\(path): has no label '\(label)'; it has \(some)\(more)"
            + suggestion(for: label, among: known))
      }
      guard !places.contains(place) else {
        throw TrainingError(.invalidOption, "the class '\(label)' is named twice; name it once")
      }
      places.append(place)
    }
    return places
  }

  // MARK: What is said about the result

  private var notes: TrainedModelNotes {
    var described = source.file
    options.describe(&described)
    let own = ModelThresholds(suppression: source.suppression, metadata: described.metadata)
    let needsSuppression = source.head?.head.needsSuppression ?? true
    let wish = options.suppression
    var notes = TrainedModelNotes()
    notes.metadata = described.metadata
    for key in ["classes", "names"] { notes.metadata.userDefined[key] = nil }
    notes.confidence = wish?.confidenceThreshold ?? own.confidence
    notes.intersectionOverUnion =
      wish?.iouThreshold ?? (needsSuppression ? own.intersectionOverUnion : 1)
    notes.isClassAgnostic = wish?.isClassAgnostic ?? own.isClassAgnostic
    return notes
  }

  // MARK: Checking

  /// Compares what source and result make of a picture. The head of a network may compute more than
  /// its shape tells.
  private func check(_ files: PackageFiles, _ places: [Int]) throws(TrainingError) {
    var loading = options.loading
    loading.backend = .float
    do {
      let written = try files.inOneFile().model
      let names = SuppressedDetector.outputNames
      let stage = source.suppression
      let sums = (
        try BoxSums(
          Model(contentsOf: path, options: loading),
          scores: stage?.confidenceInputName ?? names[0],
          boxes: stage?.coordinatesInputName ?? names[1], places),
        try BoxSums(
          Model(bytes: written, name: "written"), scores: names[0], boxes: names[1],
          Array(places.indices))
      )
      guard sums.0.isClose(to: sums.1) else {
        throw refusal("its scores or boxes are computed in a way of its own")
      }
    } catch let error as TrainingError {
      throw error
    } catch {
      throw refusal("\(error)")
    }
  }
}

extension TrainableNetwork {
  /// Keeps rows of some classes in the heads.
  fileprivate mutating func keep(_ places: [Int]) throws(TrainingError) {
    for value in heads.values {
      guard case .convolution(let own) = nodes[value - 1].operation, own.geometry.groups == 1 else {
        throw TrainingError(.unsuitableStart, "a head is no dense convolution")
      }
    }
    _ = fit(to: places.map { labels[$0] }, seed: 0) { _ in [] }
  }
}

extension LoweredModel {
  /// Whether the model has networks of layers, which are no operations of programs.
  fileprivate var hasLayers: Bool {
    let bodies =
      if case .pipeline(let pipeline) = file.body {
        pipeline.stages.map(\.model.body)
      } else {
        [file.body]
      }
    return !bodies.contains { if case .program = $0 { true } else { false } }
  }
}

/// Sums over all boxes that a detector finds in noise, whatever their order.
private struct BoxSums {
  private let rows: Int
  /// For each class the scores, and these times x, y, width and height.
  private let sums: [Double]

  init(_ model: Model, scores: String, boxes: String, _ places: [Int]) throws {
    let session = try Session(model: model, pool: ThreadPool(threadCount: 1))
    for input in model.inputs {
      var random = CounterRandom(0xC07)
      let count = input.shape.reduce(1, *)
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32) }
      try session.setInput(input.name, to: Tensor(shape: input.shape, uint8s: bytes))
    }
    session.run()
    let scores = try session.output(scores).floats()
    let boxes = try session.output(boxes).floats()
    rows = boxes.count / 4
    let columns = rows > 0 ? scores.count / rows : 0
    guard rows > 0, scores.count == rows * columns, (places.max() ?? 0) < columns else {
      throw TrainingError(.unsuitableStart, "scores and boxes do not belong together")
    }
    var sums = [Double](repeating: 0, count: 5 * places.count)
    for row in 0..<rows {
      for (index, place) in places.enumerated() {
        let score = Double(scores[row * columns + place])
        sums[5 * index] += score
        for number in 0..<4 {
          sums[5 * index + 1 + number] += score * Double(boxes[4 * row + number])
        }
      }
    }
    self.sums = sums
  }

  /// Whether scores are equal to rounding. Files with weights of 8 bits may have rounded the
  /// middles of their cells as well, which are exact in what is written.
  func isClose(to other: BoxSums) -> Bool {
    rows == other.rows
      && sums.indices.allSatisfy { place in
        let (left, right) = (sums[place], other.sums[place])
        return abs(left - right) <= (place % 5 == 0 ? 1e-3 : 5e-3) * max(abs(left), abs(right))
      }
  }
}
