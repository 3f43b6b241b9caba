// Fovea - from an image to observations.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaRuntime

/// A model that finds objects, with the sessions that run it. Shared by copies of a request.
final class Detector: Sendable {
  let model: Model
  let layout: DetectorLayout
  /// What the model says about thresholds.
  let thresholds: ModelThresholds
  private let sessions: SessionCache

  /// Throws `.unsuitableModel` or `.runtime`.
  init(model: Model, pool: ThreadPool?) throws(DetectionError) {
    let model = try model.readingPicturesForRequests()
    self.model = model
    do throws(DetectionError) {
      layout = try DetectorLayout(model: model)
    } catch {
      guard let probabilities = ClassifierLayout.probabilities(of: model) else { throw error }
      throw .unsuitableModel(
        "\(model.name) is a classifier: '\(probabilities.name)' \(probabilities.shape) has the "
          + "probabilities of its classes and no boxes. Use 'fovea classify' or ClassifyImageRequest."
      )
    }
    thresholds = ModelThresholds(suppression: model.suppression, metadata: model.metadata)
    do throws(FoveaError) {
      sessions = try SessionCache(model: model, pool: pool)
    } catch {
      throw .runtime(error)
    }
  }

  /// What a detection is to do.
  struct Job {
    var settings: DetectionSettings
    var preparation: InputPreparation
    /// The time that was spent on the image before.
    var decoding = Duration.zero
    /// Whether the scores of all boxes are wanted, for other thresholds.
    var retainsScores = false
    /// Whether the bytes of the input are wanted, for another request.
    var returnsInput = false
  }

  /// The objects in whatever `fill` writes into the input of the session that it is lent, and the
  /// bytes of the input where the job asks for them.
  ///
  /// - Throws: `.cancelled` where the task that asks is cancelled before the network runs.
  func detect(
    _ job: Job, fill: (Session) throws(DetectionError) -> Void
  ) throws(DetectionError) -> (result: DetectObjectsResult, input: Tensor?) {
    try sessions.withSession { session, memory throws(DetectionError) in
      var clock = StageClock()
      try DetectionError.checkCancellation()
      try fill(session)
      let input = job.returnsInput ? try input(of: session) : nil
      let prepare = clock.lap()
      try DetectionError.checkCancellation()
      // Boxes that cannot become candidates need not be decoded.
      session.confidenceFloor = job.retainsScores ? 0 : Float(job.settings.minimumConfidence)
      session.run()
      let inference = clock.lap()
      let (observations, scores) = try read(session, job, memory: memory)
      let timings = DetectionTimings(
        decode: job.decoding, prepare: prepare, inference: inference, postprocess: clock.lap())
      let result = DetectObjectsResult(
        observations: observations, geometry: job.preparation.geometry, timings: timings,
        scores: scores)
      return (result, input)
    }
  }

  /// The bytes of the network's input for an image, without running the network.
  func input(
    for pixels: DecodedPixels, _ preparation: InputPreparation
  ) throws(DetectionError) -> Tensor {
    try sessions.withSession { session, _ throws(DetectionError) in
      try fill(session, from: pixels, preparation)
      return try input(of: session)
    }
  }

  /// Samples an image into the input of a session.
  func fill(
    _ session: Session, from pixels: DecodedPixels, _ preparation: InputPreparation
  ) throws(DetectionError) {
    try session.fill(
      layout.imageInput, from: pixels.bytes.span.bytes, layout: pixels.layout,
      reductionFactor: pixels.reductionFactor, geometry: preparation.geometry,
      filter: preparation.filter)
  }

  private func input(of session: Session) throws(DetectionError) -> Tensor {
    try DetectionError.translatingRuntime { () throws(FoveaError) in
      try Tensor(shape: layout.inputShape, uint8s: session.inputCopy(layout.imageInput))
    }
  }

  /// Reads what the last run of a session found.
  private func read(
    _ session: Session, _ job: Job, memory: PostprocessingMemory
  ) throws(DetectionError) -> (
    observations: [RecognizedObjectObservation], scores: DetectionScores?
  ) {
    let reader = ObservationReader(
      settings: job.settings, geometry: job.preparation.geometry,
      classLabels: layout.classLabels, parts: layout.parts)
    let numbers = SessionNumbers(session: session)
    let found = try DetectionError.translatingRuntime { () throws(FoveaError) in
      try session.withOutput(layout.confidenceOutput) { confidence throws(FoveaError) in
        try session.withOutput(layout.coordinatesOutput) { coordinates in
          Result { () throws(DetectionError) in
            (
              try reader.observations(
                confidence: confidence, coordinates: coordinates, numbers, memory: memory),
              job.retainsScores
                ? DetectionScores(
                  confidence: confidence.copied(), coordinates: coordinates.copied(),
                  classLabels: layout.classLabels, geometry: job.preparation.geometry,
                  numbers: try numbers.kept(layout.parts.outputs), parts: layout.parts) : nil
            )
          }
        }
      }
    }
    return try found.get()
  }
}
