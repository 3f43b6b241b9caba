// Fovea - what a network is given of an image.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaImaging
package import FoveaRuntime

/// Exactly the pixels that a network is given of an image, and how they came about.
///
/// Look at it before anything else when boxes are wrong or objects are not found.
public struct NetworkInput: Sendable {
  /// The input as an image: what was sampled, turned, cut and padded. Gray inputs have three equal
  /// channels here.
  public var image: Image
  /// How the original lies in it.
  public var geometry: ImageGeometry
}

extension DetectObjectsRequest {
  /// What the network would be given of an image. It is not run.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func networkInput(
    on image: some ImageConvertible, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> NetworkInput {
    let (pixels, preparation) = try decoded(image, orientation: orientation)
    let tensor = try detector.input(for: pixels, preparation)
    var bytes = tensor.uint8s() ?? []
    if tensor.rank == 2 { bytes = bytes.flatMap { [$0, $0, $0] } }
    do throws(ImageError) {
      return NetworkInput(
        image: try Image(width: inputSize.width, height: inputSize.height, rgb: bytes),
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
    return [detector.layout.imageInput: try detector.input(for: pixels, preparation)]
  }
}
