// Fovea - requests on still pictures.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
internal import FoveaImaging
internal import FoveaRuntime
public import FoveaVision

/// A request that finds something in a still picture.
///
///     for code in try DetectBarcodesRequest().perform(on: ImageFile(contentsOf: "parcel.jpg")) {
///       print(code.symbology, code.payloadString ?? "not read")
///     }
public protocol StillRequest: Sendable {
  /// What the request finds.
  associatedtype Result: Sendable

  /// The part of the upright image to look at. Results are fractions of the full image all the same.
  var regionOfInterest: NormalizedRect { get set }

  /// Finds it in a picture that is decoded and upright. `perform(on:orientation:)` calls it.
  func result(in picture: StillPicture) throws(StillError) -> Result
}

extension StillRequest {
  /// Decodes an image and finds what the request asks for.
  ///
  /// - Parameters:
  ///   - image: An `ImageFile`, an `Image` or a `PixelBuffer`.
  ///   - orientation: How to turn the stored image; `nil` for what it says itself.
  /// - Throws: `StillError`.
  public func perform(
    on image: some ImageConvertible, orientation: ImageOrientation? = nil
  ) throws(StillError) -> Result {
    try result(in: StillPicture(decoding: image, orientation: orientation))
  }

  /// As the form that is not `async`, on a thread of Fovea's own.
  ///
  /// - Throws: `StillError`.
  public func perform(
    on image: some ImageConvertible, orientation: ImageOrientation? = nil
  ) async throws(StillError) -> Result {
    try await InferenceThreads.shared.run { () throws(StillError) in
      try result(in: StillPicture(decoding: image, orientation: orientation))
    }
  }
}

extension StillPicture {
  /// Decodes an image, and turns it upright.
  ///
  /// - Throws: `.detection`.
  package convenience init(
    decoding image: some ImageConvertible, orientation: ImageOrientation? = nil
  ) throws(StillError) {
    let source = image.imageSource
    let orientation = orientation ?? source.orientation
    do throws(DetectionError) {
      if source.mayBeTransparent {
        try self.init(transparent: source, orientation)
      } else {
        self.init(try source.uprightImage(orientation))
      }
    } catch {
      throw .detection(error)
    }
  }
}
