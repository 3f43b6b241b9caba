// Fovea - what a network is given of an image.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaImaging
package import FoveaRuntime

/// The exact pixels that a network is given of an image, and their geometry.
///
/// If boxes are wrong or objects are not found, look at them first.
package struct NetworkInput: Sendable {
  /// The input as an image, after sampling, turning, cutting and padding. A gray input has three
  /// equal channels here.
  package var image: Image
  /// The geometry of the original image in the input.
  package var geometry: ImageGeometry
}

extension DetectObjectsRequest {
  /// The network's input for an image. The network does not run.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  package func networkInput(
    on image: some ImageConvertible, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> NetworkInput {
    let (pixels, preparation) = try decoded(image, orientation: orientation)
    let tensor = try detector(for: preparation).input(for: pixels, preparation)
    var bytes = tensor.uint8s() ?? []
    if tensor.rank == 2 { bytes = bytes.flatMap { [$0, $0, $0] } }
    do throws(ImageError) {
      return NetworkInput(
        image: try Image(width: tensor.shape[1], height: tensor.shape[0], rgb: bytes),
        geometry: preparation.geometry)
    } catch {
      throw .image(error)
    }
  }

  /// The arrays that a session of the model would be given for an image, by the names of the inputs.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  package func inputArrays(
    on image: some ImageConvertible, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> [String: Tensor] {
    let (pixels, preparation) = try decoded(image, orientation: orientation)
    let detector = try detector(for: preparation)
    return [detector.layout.imageInput: try detector.input(for: pixels, preparation)]
  }
}
