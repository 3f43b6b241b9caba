// Fovea - from an upright picture to observations.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaImaging
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

  /// The objects in an upright picture. Boxes are fractions of it: with `scaleToFill` the network's
  /// input and the picture have the same fractions.
  ///
  /// A picture that nobody else keeps is gone, and its memory with it, before the network runs.
  func detect(
    in picture: consuming UprightPicture, settings: DetectionSettings
  ) throws(DetectionError) -> ([RecognizedObjectObservation], DetectionTimings) {
    var source: Picture? = picture.picture
    _ = consume picture
    return try sessions.withSession { session, memory throws(DetectionError) in
      var timings = DetectionTimings()
      var clock = StageClock()
      try fill(session, from: source.take())
      timings.prepare = clock.lap()
      // Boxes that cannot become candidates need not be decoded.
      session.confidenceFloor = Float(settings.minimumConfidence)
      session.run()
      timings.inference = clock.lap()
      let observations = try observations(in: session, settings: settings, memory: memory)
      timings.postprocess = clock.lap()
      return (observations, timings)
    }
  }

  /// Samples a picture into the network's input.
  private func fill(_ session: Session, from picture: consuming Picture?) throws(DetectionError) {
    guard let picture else { return }
    try Self.translatingErrors { () throws(FoveaError) in
      try picture.withPixels { pixels throws(FoveaError) in
        try session.fillImageInput(
          layout.imageInput, from: pixels,
          layout: PixelLayout(format: .rgb, width: picture.width, height: picture.height))
      }
    }
  }

  /// The objects that the last run of a session found.
  func observations(
    in session: Session, settings: DetectionSettings, memory: PostprocessingMemory
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    let decoder = ConfidenceCoordinatesDecoder(
      classCount: layout.classLabels.count, settings: settings)
    return try Self.translatingAnyError {
      try session.withOutput(layout.confidenceOutput) { confidence in
        try session.withOutput(layout.coordinatesOutput) { coordinates in
          try decoder.observations(
            confidence: confidence, coordinates: coordinates, classLabels: layout.classLabels,
            memory: memory)
        }
      }
    }
  }

  /// For calls that lend memory: they throw what their closure throws, and so without a type.
  private static func translatingAnyError<Result>(
    _ body: () throws -> Result
  ) throws(DetectionError) -> Result {
    do {
      return try body()
    } catch let error as DetectionError {
      throw error
    } catch let error as FoveaError {
      throw .runtime(error)
    } catch {
      throw .invalidOutput("\(error)")
    }
  }

  /// Runs what can fail in the runtime.
  static func translatingErrors<Result>(
    _ body: () throws(FoveaError) -> Result
  ) throws(DetectionError) -> Result {
    do throws(FoveaError) {
      return try body()
    } catch {
      throw .runtime(error)
    }
  }
}
