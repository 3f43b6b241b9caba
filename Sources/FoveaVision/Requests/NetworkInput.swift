// Fovea - what a network is given of a picture.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaImaging
package import FoveaRuntime

/// Exactly the pixels that a network is given of a picture, and how they came about.
///
/// Look at it before anything else when boxes are wrong or objects are not found.
public struct NetworkInput: Sendable {
  /// The input as a picture: what was sampled, turned, cut and padded. Grey inputs have three equal
  /// channels here.
  public var picture: Picture
  /// How the original lies in it.
  public var geometry: ImageGeometry
}

extension DetectObjectsRequest {
  /// What the network would be given of the picture in a file. It is not run.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func networkInput(
    on path: String, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> NetworkInput {
    try networkInput(of: .path(path), orientation: orientation)
  }

  /// What the network would be given of a picture. It is not run.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func networkInput(
    on picture: Picture, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> NetworkInput {
    try networkInput(of: .picture(picture), orientation: orientation)
  }

  /// The arrays that a session of the model would be given for the picture in a file, by the names of
  /// the inputs.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  package func inputArrays(
    on path: String, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> [String: Tensor] {
    let picture = try PictureSource.path(path).load(orientation: orientation, for: [self])
    let preparation = try preparation(of: picture.fullSize, orientation: picture.orientation)
    return [detector.layout.imageInput: try detector.input(for: picture, preparation)]
  }

  private func networkInput(
    of source: PictureSource, orientation: ImageOrientation?
  ) throws(DetectionError) -> NetworkInput {
    let picture = try source.load(orientation: orientation, for: [self])
    _ = try resolvedSettings()
    let preparation = try preparation(of: picture.fullSize, orientation: picture.orientation)
    let tensor = try detector.input(for: picture, preparation)
    var bytes = tensor.uint8s() ?? []
    if tensor.rank == 2 { bytes = bytes.flatMap { [$0, $0, $0] } }
    do throws(PictureError) {
      return NetworkInput(
        picture: try Picture(width: inputSize.width, height: inputSize.height, rgb: bytes),
        geometry: preparation.geometry)
    } catch {
      throw .picture(error)
    }
  }
}
