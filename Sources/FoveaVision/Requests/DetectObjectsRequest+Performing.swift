// Fovea - performing a request on an image.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaImaging
public import FoveaRuntime

// `ImageRequestHandler` is for an image that several requests look at. What is here reads, decodes and
// forgets the image: its memory is free again before the network runs.
extension DetectObjectsRequest {
  // MARK: Results

  /// The objects in an image, with its geometry and the time that each stage took.
  ///
  /// - Parameters:
  ///   - image: Pixels as stored.
  ///   - orientation: How to turn the stored image; `nil` for its own `storedOrientation`.
  /// - Throws: `.invalidRequest` for a property outside its range, an unknown label or a region of
  ///   interest that leaves the image; `.invalidOutput` when the network puts out what is no
  ///   number; `.image`; `.runtime`; `.cancelled`.
  public func result(
    on image: Image, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> DetectObjectsResult {
    try result(onlyOn: .image(image), orientation: orientation)
  }

  /// The objects in the JPEG, PNG or WebP file at `path`.
  ///
  /// - Parameters:
  ///   - path: The file; its content matters, not its name.
  ///   - orientation: How to turn the stored image; `nil` for what its EXIF data say.
  /// - Throws: As for an `Image`.
  public func result(
    on path: String, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> DetectObjectsResult {
    try result(onlyOn: .path(path), orientation: orientation)
  }

  /// The objects in the bytes of a JPEG, PNG or WebP file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - orientation: How to turn the stored image; `nil` for what its EXIF data say.
  /// - Throws: As for an `Image`.
  public func result(
    on bytes: [UInt8], orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> DetectObjectsResult {
    try result(onlyOn: .bytes(bytes), orientation: orientation)
  }

  /// The objects in pixels that somebody else holds, such as a frame of a camera. They are sampled
  /// where they lie and not copied.
  ///
  /// - Parameters:
  ///   - pixels: The bytes that `layout` describes.
  ///   - layout: Format, size and distance of rows.
  ///   - orientation: How to turn the image.
  /// - Throws: As for an `Image`; `.runtime` for fewer bytes than the layout says.
  public func result(
    onPixels pixels: Span<UInt8>, layout: PixelLayout, orientation: ImageOrientation = .up
  ) throws(DetectionError) -> DetectObjectsResult {
    let size = ImageSize(width: layout.width, height: layout.height)
    let job = try job(resolvedSettings(), on: size, orientation: orientation)
    let outcome = try detector.detect(job) { session throws(DetectionError) in
      try session.fill(
        detector.layout.imageInput, from: pixels, layout: layout,
        geometry: job.preparation.geometry, filter: resamplingFilter)
    }
    return outcome.result(job.preparation.geometry)
  }

  private func result(
    onlyOn source: ImageSource, orientation: ImageOrientation?
  ) throws(DetectionError) -> DetectObjectsResult {
    var clock = StageClock()
    try DetectionError.checkCancellation()
    let settings = try resolvedSettings()
    let image = try source.load(orientation: orientation, for: [self])
    let decode = clock.lap()
    let job = try job(settings, on: image.fullSize, orientation: image.orientation)
    var result = try detector.detect(in: .image(consume image), job)
      .result(job.preparation.geometry)
    result.timings.decode = decode
    return result
  }

  /// What the detector is to do with an image.
  func job(
    _ settings: DetectionSettings, on storedSize: ImageSize, orientation: ImageOrientation
  ) throws(DetectionError) -> Detector.Job {
    Detector.Job(
      settings: settings,
      preparation: try preparation(of: storedSize, orientation: orientation),
      retainsScores: retainsScores)
  }

  /// What the bytes of the input depend on.
  func preparation(
    of storedSize: ImageSize, orientation: ImageOrientation
  ) throws(DetectionError) -> InputPreparation {
    InputPreparation(
      geometry: try geometry(of: storedSize, orientation: orientation), filter: resamplingFilter,
      shape: detector.layout.inputShape)
  }

  // MARK: Objects alone

  /// The objects in an image, by descending score of their best class.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func perform(
    on image: Image, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(on: image, orientation: orientation).observations
  }

  /// The objects in the JPEG, PNG or WebP file at `path`, by descending score of their best class.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func perform(
    on path: String, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(on: path, orientation: orientation).observations
  }

  /// The objects in the bytes of a JPEG, PNG or WebP file, by descending score of their best class.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func perform(
    on bytes: [UInt8], orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(on: bytes, orientation: orientation).observations
  }

  /// The objects in pixels that somebody else holds, by descending score of their best class.
  ///
  /// - Throws: `DetectionError`; see `result(onPixels:layout:orientation:)`.
  public func perform(
    onPixels pixels: Span<UInt8>, layout: PixelLayout, orientation: ImageOrientation = .up
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(onPixels: pixels, layout: layout, orientation: orientation).observations
  }

  // MARK: Without blocking the caller's actor

  /// `perform(on:orientation:)` without blocking the caller's actor. A task that is cancelled ends
  /// with `.cancelled` before the next stage: decoding, sampling, the network.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func perform(
    on image: Image, orientation: ImageOrientation? = nil
  ) async throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(onlyOn: .image(image), orientation: orientation).observations
  }

  /// `perform(on:orientation:)` without blocking the caller's actor.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func perform(
    on path: String, orientation: ImageOrientation? = nil
  ) async throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(onlyOn: .path(path), orientation: orientation).observations
  }

  /// `perform(on:orientation:)` without blocking the caller's actor.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func perform(
    on bytes: [UInt8], orientation: ImageOrientation? = nil
  ) async throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(onlyOn: .bytes(bytes), orientation: orientation).observations
  }
}

extension Detector.Outcome {
  /// What the caller of a request sees of it.
  func result(_ geometry: ImageGeometry) -> DetectObjectsResult {
    DetectObjectsResult(
      observations: observations, geometry: geometry, timings: timings, scores: scores)
  }
}
