// Fovea - from an image to observations.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaRuntime

/// A model that finds objects, with the sessions that run it. Shared by copies of a request.
final class Detector: Sendable {
  let model: Model
  let layout: DetectorLayout
  private let sessions: SessionCache

  /// Throws `.unsuitableModel` or `.runtime`.
  init(model: Model, pool: ThreadPool?) throws(DetectionError) {
    self.model = model
    layout = try DetectorLayout(model: model)
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
    /// Whether the scores of all boxes are wanted, for other thresholds.
    var retainsScores = false
    /// Whether the bytes of the input are wanted, for another request.
    var returnsInput = false
  }

  /// What a detection gives.
  struct Outcome {
    var observations: [RecognizedObjectObservation] = []
    var scores: DetectionScores?
    var input: Tensor?
    var timings = DetectionTimings()
  }

  /// The objects in an image. An image that nobody else keeps is gone, and its memory with it,
  /// before the network runs.
  ///
  /// - Throws: `.cancelled` where the task that asks is cancelled before the network runs.
  func detect(
    in source: consuming NetworkInputSource, _ job: Job
  ) throws(DetectionError) -> Outcome {
    var remaining: NetworkInputSource? = consume source
    return try detect(job) { session throws(DetectionError) in
      defer { remaining = nil }
      switch remaining {
      case .image(let image): try fill(session, from: image, job.preparation)
      case .prepared(let bytes):
        try DetectionError.translatingRuntime { () throws(FoveaError) in
          try session.setInput(layout.imageInput, to: bytes)
        }
      case nil: break
      }
    }
  }

  /// The objects in whatever `fill` writes into the input of the session that it is lent.
  func detect(
    _ job: Job, fill: (Session) throws(DetectionError) -> Void
  ) throws(DetectionError) -> Outcome {
    try sessions.withSession { session, memory throws(DetectionError) in
      var outcome = Outcome()
      var clock = StageClock()
      try DetectionError.checkCancellation()
      try fill(session)
      if job.returnsInput { outcome.input = try input(of: session) }
      outcome.timings.prepare = clock.lap()
      try DetectionError.checkCancellation()
      // Boxes that cannot become candidates need not be decoded.
      session.confidenceFloor = job.retainsScores ? 0 : Float(job.settings.minimumConfidence)
      session.run()
      outcome.timings.inference = clock.lap()
      try read(session, job, memory: memory, into: &outcome)
      outcome.timings.postprocess = clock.lap()
      return outcome
    }
  }

  /// The bytes of the network's input for an image, without running the network.
  func input(
    for image: StoredImage, _ preparation: InputPreparation
  ) throws(DetectionError) -> Tensor {
    try sessions.withSession { session, _ throws(DetectionError) in
      try fill(session, from: image, preparation)
      return try input(of: session)
    }
  }

  private func fill(
    _ session: Session, from image: StoredImage, _ preparation: InputPreparation
  ) throws(DetectionError) {
    try image.fill(
      session, layout.imageInput, geometry: preparation.geometry, filter: preparation.filter)
  }

  private func input(of session: Session) throws(DetectionError) -> Tensor {
    try DetectionError.translatingRuntime { () throws(FoveaError) in
      try Tensor(shape: layout.inputShape, uint8s: session.inputCopy(layout.imageInput))
    }
  }

  /// Reads what the last run of a session found.
  private func read(
    _ session: Session, _ job: Job, memory: PostprocessingMemory, into outcome: inout Outcome
  ) throws(DetectionError) {
    let reader = ObservationReader(
      settings: job.settings, geometry: job.preparation.geometry,
      classLabels: layout.classLabels)
    try DetectionError.translatingAnyError {
      try session.withOutput(layout.confidenceOutput) { confidence in
        try session.withOutput(layout.coordinatesOutput) { coordinates in
          outcome.observations = try reader.observations(
            confidence: confidence, coordinates: coordinates, memory: memory)
          guard job.retainsScores else { return }
          outcome.scores = DetectionScores(
            confidence: confidence.copied(), coordinates: coordinates.copied(),
            classLabels: layout.classLabels, geometry: job.preparation.geometry)
        }
      }
    }
  }
}

extension Span where Element == Float {
  /// The elements as an array.
  fileprivate func copied() -> [Float] {
    withUnsafeBufferPointer { Array($0) }
  }
}
