// Fovea - running a model that reads one image.
// SPDX-License-Identifier: Apache-2.0
package import FoveaImaging
package import FoveaRuntime
package import FoveaVision

/// A session of a model that reads one image, prepared as `DetectObjectsRequest` prepares it.
package final class ImageSession {
  /// The session; its outputs are those of the last image.
  package let session: Session
  /// The image input.
  let input: Model.Port

  /// Makes a session.
  ///
  /// - Throws: `.runtime` for a session that cannot be made, `.unsuitableModel` for a model that does
  ///   not read exactly one image.
  package init(model: Model, pool: ThreadPool) throws(DetectionError) {
    do throws(FoveaError) {
      session = try Session(model: model, pool: pool)
    } catch {
      throw .runtime(error)
    }
    let images = model.inputs.filter { $0.image != nil }
    guard let input = images.first, model.inputs.count == 1 else {
      throw .unsuitableModel(
        "calibration needs a model that reads one image and nothing else; this one reads "
          + DetectorLayout.list(model.inputs))
    }
    self.input = input
  }

  /// Runs the model on an image.
  ///
  /// - Throws: `.invalidRequest` or `.runtime`.
  package func run(_ image: Image) throws(DetectionError) {
    try session.fill(input, from: image)
    session.run()
  }
}
