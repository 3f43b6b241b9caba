// Fovea - from an image to classes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaRuntime

/// A model that names what is in an image, with the sessions that run it. Shared by copies of a
/// request.
final class Classifier: Sendable {
  let model: Model
  let layout: ClassifierLayout
  private let sessions: SessionCache

  /// Throws `.unsuitableModel` or `.runtime`.
  init(model: Model, pool: ThreadPool?) throws(DetectionError) {
    let model = try model.readingPicturesForRequests()
    self.model = model
    layout = try ClassifierLayout(model: model)
    do throws(FoveaError) {
      sessions = try SessionCache(model: model, pool: pool)
    } catch {
      throw .runtime(error)
    }
  }

  /// The classes of whatever `fill` writes into the input of the session that it is lent, best first.
  ///
  /// - Throws: `.cancelled` where the task that asks is cancelled before the network runs;
  ///   `.invalidOutput` for what is no probability.
  func classify(
    fill: (Session) throws(DetectionError) -> Void
  ) throws(DetectionError) -> [ClassificationObservation] {
    try sessions.withSession { session, _ throws(DetectionError) in
      try fill(session)
      try DetectionError.checkCancellation()
      session.run()
      let found = try DetectionError.translatingRuntime { () throws(FoveaError) in
        try session.withOutput(layout.probabilitiesOutput) { probabilities in
          Result { () throws(DetectionError) in try layout.observations(probabilities) }
        }
      }
      return try found.get()
    }
  }
}
