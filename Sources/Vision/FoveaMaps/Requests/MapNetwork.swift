// Fovea - from a picture to the output of a network that writes maps.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaImaging
package import FoveaNetworkTasks
package import FoveaRuntime
internal import FoveaVision

/// A network of one task, with the sessions that run it. Shared by copies of a request.
package final class MapNetwork: Sendable {
  package let model: Model
  /// How its output is read.
  package let reading: TaskReading
  private let input: Model.Port
  private let sessions: SessionCache

  /// Finds the output of a task.
  ///
  /// - Parameters:
  ///   - output: The output that is meant; `nil` for the only one that fits.
  ///   - requiresEvidence: Whether the file, the shapes or the graph have to say that this is the task.
  /// - Throws: `.unsuitableModel`, which says what the model has instead; `.runtime`.
  init(
    _ model: Model, _ task: NetworkTask, output: String?, requiresEvidence: Bool, pool: ThreadPool?
  ) throws(DetectionError) {
    let model = try model.readingPicturesForRequests()
    guard model.inputs.count == 1, let input = model.inputs.first, input.image != nil else {
      throw .unsuitableModel(
        "\(model.name) reads \(DetectorLayout.list(model.inputs)); expected exactly one image, or "
          + "an array of 1 or 3 channels, rows and columns. Run it with 'fovea run' or Session "
          + "instead" + (model.isCompiled ? ", or compile it with --input pictures." : "."))
    }
    do throws(TaskRecognition.Refusal) {
      reading = try model.tasks.reading(of: task, output: output, insists: !requiresEvidence)
    } catch {
      throw .unsuitableModel(error.text(model, task))
    }
    (self.model, self.input) = (model, input)
    do throws(FoveaError) {
      sessions = try SessionCache(model: model, pool: pool)
    } catch {
      throw .runtime(error)
    }
  }

  /// Runs the network on a picture, and lends what it writes, row-major, with the geometry.
  ///
  /// - Throws: `.image`, `.invalidRequest`, `.runtime`, `.cancelled`; `.invalidOutput` for what is no
  ///   number.
  func run<Result>(
    on image: consuming some ImageConvertible, orientation: ImageOrientation?, _ view: InputView,
    _ body: (Span<Float>, ImageGeometry) throws(DetectionError) -> Result
  ) throws(DetectionError) -> Result {
    try DetectionError.checkCancellation()
    let source = (consume image).imageSource
    let preparation = try view.preparation(
      of: source.storedSize(), orientation ?? source.orientation, input)
    let pixels = try (consume source).decoded(
      view.allowsReducedDecoding ? ImageReduction(for: [preparation]) : .none)
    return try sessions.withSession { session, _ throws(DetectionError) in
      try session.fill(
        input.name, from: pixels.bytes.span.bytes, layout: pixels.layout,
        reductionFactor: pixels.reductionFactor, geometry: preparation.geometry,
        filter: preparation.filter)
      try DetectionError.checkCancellation()
      session.run()
      let found = try DetectionError.translatingRuntime { () throws(FoveaError) in
        try session.withOutput(reading.output) { values in
          Swift.Result { () throws(DetectionError) in
            try checkNumbers(values)
            return try body(values, preparation.geometry)
          }
        }
      }
      return try found.get()
    }
  }

  private func checkNumbers(_ values: Span<Float>) throws(DetectionError) {
    for index in values.indices where values[index].isNaN {
      throw .invalidOutput(
        "the output '\(reading.output)' has no number at \(index): the network computed NaN. Check "
          + "its file with 'fovea run', or its input with --scale and --bias")
    }
  }
}

extension TaskRecognition.Refusal {
  /// What was found, what was expected and what to do.
  fileprivate func text(_ model: Model, _ task: NetworkTask) -> String {
    var ways: [String] = []
    if let remedy { ways.append("use \(remedy)") }
    if canInsist {
      ways.append("if you know that it is \(task.text), say so (--task \(task.rawValue))")
    }
    if needsName { ways.append("name the output (--array)") }
    ways.append("get the arrays with 'fovea run' or Session")
    return "\(model.name) does not write \(task.text): its outputs are "
      + "\(DetectorLayout.list(model.outputs)); \(evidence). "
      + ways.joined(separator: ", or ").capitalizedFirst + "."
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
