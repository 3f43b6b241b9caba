// Fovea - running a model that reads one picture.
// SPDX-License-Identifier: Apache-2.0
package import FoveaImaging
package import FoveaRuntime

/// A session of a model that reads one picture, prepared as `DetectObjectsRequest` prepares it.
package final class PictureSession {
  /// The session; its outputs are those of the last picture.
  package let session: Session
  /// The picture input.
  let input: Model.Port

  /// Makes a session.
  ///
  /// - Throws: `.runtime` for a session that cannot be made, `.unsuitableModel` for a model that does
  ///   not read exactly one picture.
  package init(model: Model, pool: ThreadPool) throws(DetectionError) {
    do throws(FoveaError) {
      session = try Session(model: model, pool: pool)
    } catch {
      throw .runtime(error)
    }
    let pictures = model.inputs.filter { $0.image != nil }
    guard let input = pictures.first, model.inputs.count == 1 else {
      throw .unsuitableModel(
        "calibration needs a model that reads one picture and nothing else; this one reads "
          + DetectorLayout.list(model.inputs))
    }
    self.input = input
  }

  /// Runs the model on a picture.
  ///
  /// - Throws: `.invalidRequest` or `.runtime`.
  package func run(_ picture: Picture) throws(DetectionError) {
    try session.fill(input, from: picture)
    session.run()
  }
}
