// Fovea - several requests on one still picture.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaImaging
public import FoveaVision

extension ImageRequestHandler {
  /// What each of several requests finds, in their order. The image is decoded once, and the detector
  /// that comes with Fovea runs once for all that need it; both are kept for the next call.
  ///
  ///     let handler = try ImageRequestHandler(ImageFile(contentsOf: "desk.jpg"))
  ///     let (codes, rectangles) = try handler.perform(
  ///       DetectBarcodesRequest(), DetectRectanglesRequest())
  ///
  /// - Throws: `StillError` of the first request that fails.
  public func perform<each Request: StillRequest>(
    _ request: repeat each Request
  ) throws(StillError) -> (repeat (each Request).Result) {
    let picture = try stillPicture
    return (repeat try (each request).result(in: picture))
  }

  /// As the form that is not `async`, on a thread of Fovea's own.
  ///
  /// - Throws: `StillError` of the first request that fails.
  public func perform<each Request: StillRequest>(
    _ request: repeat each Request
  ) async throws(StillError) -> (repeat (each Request).Result) {
    try await InferenceThreads.shared.run { () throws(StillError) in
      let picture = try stillPicture
      return (repeat try (each request).result(in: picture))
    }
  }

  /// The decoded picture that all requests share.
  private var stillPicture: StillPicture {
    get throws(StillError) {
      do throws(DetectionError) {
        return try kept(making: { source, orientation, upright throws(DetectionError) in
          source.mayBeTransparent
            ? try StillPicture(transparent: source, orientation) : StillPicture(try upright())
        })
      } catch {
        throw .detection(error)
      }
    }
  }
}

extension DetectObjectsRequest: StillRequest {
  /// The objects in a picture that is decoded and upright.
  ///
  /// - Throws: `.detection`.
  public func result(
    in picture: StillPicture
  ) throws(StillError) -> [RecognizedObjectObservation] {
    do throws(DetectionError) {
      return try perform(on: picture.image)
    } catch {
      throw .detection(error)
    }
  }
}
