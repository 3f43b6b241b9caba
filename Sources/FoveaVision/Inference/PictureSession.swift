// Fovea - running a model that reads one picture.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
package import FoveaImaging
package import FoveaModelFormat
package import FoveaRuntime

/// A session of a model that reads one picture, prepared as `DetectObjectsRequest` prepares it.
package final class PictureSession {
  /// The session; its outputs are those of the last picture.
  package let session: Session
  private let input: String
  private let inputSize: ImageSize

  /// Loads a model.
  ///
  /// - Throws: `.runtime` for a model that cannot be run, `.unsuitableModel` for one that does not read
  ///   exactly one picture.
  package init(
    file: CoreMLModel, options: Model.Options, pool: ThreadPool
  ) throws(DetectionError) {
    do throws(FoveaError) {
      session = try Session(model: try Model(file: file, name: "", options: options), pool: pool)
    } catch {
      throw .runtime(error)
    }
    let pictures = session.model.inputs.filter { $0.image != nil }
    guard let input = pictures.first, session.model.inputs.count == 1 else {
      throw .unsuitableModel(
        "calibration needs a model that reads one picture and nothing else; this one reads "
          + DetectorLayout.list(session.model.inputs))
    }
    self.input = input.name
    inputSize = input.imageSize
  }

  /// Runs the model on a picture.
  ///
  /// - Throws: `.picture` or `.runtime`.
  package func run(_ picture: Picture) throws(DetectionError) {
    let stored = StoredPicture(picture, orientation: nil)
    let geometry = try DetectionError.translatingGeometry { () throws(GeometryError) in
      try ImageGeometry(
        storedSize: stored.fullSize, orientation: stored.orientation, modelSize: inputSize)
    }
    try stored.fill(session, input, geometry: geometry, filter: .bilinear)
    session.run()
  }
}
