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
  /// What the network would be given of the image in a file. It is not run.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func networkInput(
    on path: String, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> NetworkInput {
    try networkInput(of: .path(path), orientation: orientation)
  }

  /// What the network would be given of an image. It is not run.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func networkInput(
    on image: Image, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> NetworkInput {
    try networkInput(of: .image(image), orientation: orientation)
  }

  /// The arrays that a session of the model would be given for the image in a file, by the names of
  /// the inputs.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  package func inputArrays(
    on path: String, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> [String: Tensor] {
    let image = try ImageSource.path(path).load(orientation: orientation, for: [self])
    let preparation = try preparation(of: image.fullSize, orientation: image.orientation)
    return [detector.layout.imageInput: try detector.input(for: image, preparation)]
  }

  private func networkInput(
    of source: ImageSource, orientation: ImageOrientation?
  ) throws(DetectionError) -> NetworkInput {
    let image = try source.load(orientation: orientation, for: [self])
    _ = try resolvedSettings()
    let preparation = try preparation(of: image.fullSize, orientation: image.orientation)
    let tensor = try detector.input(for: image, preparation)
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
}
