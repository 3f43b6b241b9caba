// Fovea - running a whole model on arrays by name.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues
public import FoveaRuntime

extension Model {
  /// Runs the whole model once on named arrays, with its suppression stage.
  ///
  /// Images are `uint8` of exactly the shape of the input: [height, width, 3] in the order red,
  /// green, blue, or [height, width] for gray. Each call makes a session: for many runs, keep a
  /// `Session` or a `DetectObjectsRequest`.
  ///
  /// - Parameters:
  ///   - arrays: One array for each input.
  ///   - numbers: Optional double inputs, such as `iouThreshold`.
  ///   - pool: The threads that share the work; `nil` for the calling thread alone.
  /// - Returns: The outputs by name, in float32. The outputs of a suppression stage are boxes x
  ///   classes and boxes x 4, best first.
  /// - Throws: `.invalidRequest` for an unknown name or a missing input; `.runtime` for an array of
  ///   the wrong type or shape; also as `NonMaximumSuppression.apply`.
  public func prediction(
    from arrays: [String: Tensor], numbers: [String: Double] = [:], pool: ThreadPool? = nil
  ) throws(DetectionError) -> [String: Tensor] {
    try prediction(from: arrays, numbers: numbers, thresholds: SuppressionThresholds(), pool: pool)
  }

  /// `prediction(from:numbers:pool:)` with thresholds for a suppression stage that may have no
  /// inputs for them. Named numbers count more.
  package func prediction(
    from arrays: [String: Tensor], numbers: [String: Double], thresholds: SuppressionThresholds,
    pool: ThreadPool?
  ) throws(DetectionError) -> [String: Tensor] {
    try checkNames(arrays: arrays.keys, numbers: numbers.keys)
    try checkSuppression()
    let session = try DetectionError.translatingRuntime { () throws(FoveaError) in
      let session = try Session(model: self, pool: pool)
      for (name, array) in arrays.sorted(by: { $0.key < $1.key }) {
        try session.setInput(name, to: array)
      }
      return session
    }
    session.run()
    return try outputs(of: session, numbers: numbers, thresholds: thresholds)
  }

  /// The outputs of the last run of a session of this model, with the suppression stage.
  ///
  /// - Parameters:
  ///   - numbers: As for `prediction(from:numbers:pool:)`; their names were checked.
  ///   - thresholds: What replaces the thresholds of the stage where `numbers` does not.
  /// - Throws: As `NonMaximumSuppression.apply`.
  package func outputs(
    of session: Session, numbers: [String: Double],
    thresholds: SuppressionThresholds = SuppressionThresholds()
  ) throws(DetectionError) -> [String: Tensor] {
    var results = try DetectionError.translatingRuntime { () throws(FoveaError) in
      var results: [String: Tensor] = [:]
      for output in outputs { results[output.name] = try session.output(output.name) }
      return results
    }
    if let suppression {
      var thresholds = thresholds
      thresholds.iou = numbers[suppression.iouThresholdInputName] ?? thresholds.iou
      thresholds.confidence =
        numbers[suppression.confidenceThresholdInputName] ?? thresholds.confidence
      let arrays = try ScoresAndBoxes(model: DetectorInterface(self))
      try suppress(suppression, arrays, &results, thresholds)
    }
    return results
  }

  /// A suppression stage that cannot work is found before the network runs, and not behind it.
  ///
  /// - Throws: `.unsuitableModel`.
  package func checkSuppression() throws(DetectionError) {
    if suppression != nil { _ = try ScoresAndBoxes(model: DetectorInterface(self)) }
  }

  /// The names of the double inputs of the suppression stage that the model includes.
  public var numberInputs: [String] {
    guard let suppression else { return [] }
    return [suppression.iouThresholdInputName, suppression.confidenceThresholdInputName]
      .filter { !$0.isEmpty }
  }

  /// Checks that every name is that of an input of its kind, and that no array is missing.
  ///
  /// - Throws: `.invalidRequest`.
  package func checkNames(
    arrays: some Collection<String>, numbers: some Collection<String>
  ) throws(DetectionError) {
    let known = inputs.map(\.name)
    let list = (known + numberInputs).map { "'\($0)'" }.joined(separator: ", ")
    for name in arrays.sorted() where !known.contains(name) {
      throw .invalidRequest(
        numberInputs.contains(name)
          ? "input '\(name)' takes one number, not an array"
          : "there is no input '\(name)'; the model's inputs are \(list)")
    }
    for name in numbers.sorted() where !numberInputs.contains(name) {
      throw .invalidRequest(
        known.contains(name)
          ? "input '\(name)' takes an array, not one number"
          : "there is no input '\(name)'; the model's inputs are \(list)")
    }
    for port in inputs where !arrays.contains(port.name) {
      throw .invalidRequest(
        "input '\(port.name)' is missing; it takes \(port.type.rawValue) of shape \(port.shape)")
    }
  }

  /// Replaces what the suppression stage reads by what it writes.
  private func suppress(
    _ stage: NonMaximumSuppression, _ arrays: ScoresAndBoxes,
    _ results: inout [String: Tensor], _ thresholds: SuppressionThresholds
  ) throws(DetectionError) {
    guard let confidence = results[arrays.confidence.name],
      let coordinates = results[arrays.coordinates.name]
    else { return }
    let survivors = try stage.apply(
      confidence: confidence, coordinates: coordinates,
      iouThreshold: thresholds.iou, confidenceThreshold: thresholds.confidence,
      minimumRowCount: leastRows(of: stage.confidenceOutputName, atMost: arrays.rows))
    let declared = Set(specification.outputs.map(\.name))
    results = results.filter { declared.contains($0.key) }
    results[stage.confidenceOutputName] = survivors.confidence
    results[stage.coordinatesOutputName] = survivors.coordinates
  }

  /// The fewest rows that the model's description allows an output to have. No suppression stage
  /// has more rows than its network; a description that claims more lies.
  private func leastRows(of output: String, atMost limit: Int) -> Int {
    guard let feature = specification.outputs.first(where: { $0.name == output }),
      case .multiArray(let array) = feature.type
    else { return 0 }
    switch array.allowedShapes {
    case .fixed: return array.shape.count == 2 ? min(max(array.shape[0], 0), limit) : 0
    case .ranges(let ranges):
      return ranges.count == 2 ? min(max(ranges[0].lower, 0), limit) : 0
    case .enumerated: return 0
    }
  }
}

/// What replaces the thresholds of a suppression stage.
package struct SuppressionThresholds: Sendable {
  /// The greatest overlap of two boxes; `nil` for the stage's own.
  package var iou: Double?
  /// The least score of a box; `nil` for the stage's own.
  package var confidence: Double?

  /// Creates thresholds.
  package init(iou: Double? = nil, confidence: Double? = nil) {
    self.iou = iou
    self.confidence = confidence
  }
}
