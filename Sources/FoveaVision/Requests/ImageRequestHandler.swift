// Fovea - one picture for one or several requests.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaImaging

/// One picture for one or several requests.
///
/// The picture is read, decoded and turned upright at the first request and kept for the next
/// ones. Several tasks may perform requests at once.
public final class ImageRequestHandler: Sendable {
  private let source: PictureSource
  private let explicitOrientation: ImageOrientation?
  private let decoded = Locked<UprightPicture?>(nil)

  /// A handler for the JPEG or PNG file at `path`.
  ///
  /// - Parameter orientation: How to turn the stored picture; `nil` for what its EXIF data say.
  public init(_ path: String, orientation: ImageOrientation? = nil) {
    source = .path(path)
    explicitOrientation = orientation
  }

  /// A handler for the bytes of a JPEG or PNG file.
  ///
  /// - Parameter orientation: How to turn the stored picture; `nil` for what its EXIF data say.
  public init(_ bytes: [UInt8], orientation: ImageOrientation? = nil) {
    source = .bytes(bytes)
    explicitOrientation = orientation
  }

  /// A handler for a decoded picture.
  ///
  /// - Parameter orientation: How to turn it; `nil` for its own `storedOrientation`.
  public init(_ picture: Picture, orientation: ImageOrientation? = nil) {
    source = .picture(picture)
    explicitOrientation = orientation
  }

  /// The objects that a request finds in the picture.
  ///
  /// - Throws: `DetectionError`; see `DetectObjectsRequest.result(on:orientation:)`.
  public func perform(
    _ request: DetectObjectsRequest
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(of: request).observations
  }

  /// The objects that a request finds in the picture, without blocking the caller's actor.
  ///
  /// - Throws: `DetectionError`; see `DetectObjectsRequest.result(on:orientation:)`.
  public func perform(
    _ request: DetectObjectsRequest
  ) async throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(of: request).observations
  }

  /// What a request finds in the picture, with sizes and times.
  ///
  /// - Throws: `DetectionError`; see `DetectObjectsRequest.result(on:orientation:)`.
  public func result(
    of request: DetectObjectsRequest
  ) throws(DetectionError) -> DetectObjectsResult {
    var clock = StageClock()
    let picture = try uprightPicture()
    let decode = clock.lap()
    var result = try request.result(on: picture)
    result.timings.decode = decode
    return result
  }

  private func uprightPicture() throws(DetectionError) -> UprightPicture {
    try decoded.withLock { decoded throws(DetectionError) in
      if let decoded { return decoded }
      let picture = try UprightPicture(source.load(), orientation: explicitOrientation)
      decoded = picture
      return picture
    }
  }
}
