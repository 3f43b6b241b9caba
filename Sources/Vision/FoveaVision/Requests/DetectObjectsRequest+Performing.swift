// Fovea - performing a request on an image.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
internal import FoveaImaging
public import FoveaRuntime

// `ImageRequestHandler` is for an image that several requests look at. What is here decodes and
// forgets the image: its memory is free again before the network runs.
extension DetectObjectsRequest {
  /// The objects in an image, by descending score of their best class.
  ///
  ///     let objects = try request.perform(on: ImageFile(contentsOf: "photo.jpg"))
  ///
  /// - Parameters:
  ///   - image: An `ImageFile`, an `Image` or a `PixelBuffer`.
  ///   - orientation: How to turn the stored image; `nil` for what it says itself.
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func perform(
    on image: consuming some ImageConvertible, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(on: consume image, orientation: orientation).observations
  }

  /// The objects in an image, with its geometry and the time that each stage took.
  ///
  /// - Parameters:
  ///   - image: An `ImageFile`, an `Image` or a `PixelBuffer`.
  ///   - orientation: How to turn the stored image; `nil` for what it says itself.
  /// - Throws: `.invalidRequest` for a property outside its range, an unknown label or a region of
  ///   interest that leaves the image; `.invalidOutput` when the network puts out what is no
  ///   number; `.image`; `.runtime`; `.cancelled`.
  public func result(
    on image: consuming some ImageConvertible, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> DetectObjectsResult {
    try result(on: consume image, orientation: orientation, settings: resolvedSettings())
  }

  /// `result(on:orientation:)` with settings that were resolved before, for many images.
  package func result(
    on image: consuming some ImageConvertible, orientation: ImageOrientation?,
    settings: DetectionSettings
  ) throws(DetectionError) -> DetectObjectsResult {
    var clock = StageClock()
    try DetectionError.checkCancellation()
    let (decoded, preparation) = try decoded(consume image, orientation: orientation)
    var job = job(settings, preparation)
    job.decoding = clock.lap()
    let detector = try detector(for: preparation)
    let transparentShare = decoded.transparentShare
    var pixels: DecodedPixels? = consume decoded
    var result = try detector.detect(job) { session throws(DetectionError) in
      // Taken, so that its memory is free before the network runs.
      if let image = pixels.take() { try detector.fill(session, from: image, preparation) }
    }.result
    result.transparentShare = transparentShare
    return result
  }

  // MARK: Frames

  /// The objects in pixels that somebody else holds, by descending score of their best class.
  ///
  /// - Throws: `DetectionError`; see `result(onPixels:layout:orientation:)`.
  public func perform(
    onPixels pixels: RawSpan, layout: PixelLayout, orientation: ImageOrientation = .up
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(onPixels: pixels, layout: layout, orientation: orientation).observations
  }

  /// The objects in pixels that somebody else holds, such as a frame of a camera. They are sampled
  /// where they lie and not copied.
  ///
  ///     let layout = PixelLayout(format: .nv12, width: 1280, height: 720, rowBytes: 1280)
  ///     let result = try request.result(onPixels: frame.bytes, layout: layout)
  ///
  /// - Parameters:
  ///   - pixels: The bytes that `layout` describes.
  ///   - layout: Format, size and distance of rows.
  ///   - orientation: How to turn the image.
  /// - Throws: As `result(on:orientation:)`; `.runtime` for fewer bytes than the layout says.
  public func result(
    onPixels pixels: RawSpan, layout: PixelLayout, orientation: ImageOrientation = .up
  ) throws(DetectionError) -> DetectObjectsResult {
    try result(
      onPixels: pixels, layout: layout, orientation: orientation, settings: resolvedSettings())
  }

  /// `result(onPixels:layout:orientation:)` with settings that were resolved before.
  package func result(
    onPixels pixels: RawSpan, layout: PixelLayout, orientation: ImageOrientation,
    settings: DetectionSettings
  ) throws(DetectionError) -> DetectObjectsResult {
    let size = ImageSize(width: layout.width, height: layout.height)
    let preparation = try preparation(of: size, orientation: orientation)
    let detector = try detector(for: preparation)
    return try detector.detect(job(settings, preparation)) { session throws(DetectionError) in
      try session.fill(
        detector.layout.imageInput, from: pixels, layout: layout,
        geometry: preparation.geometry, filter: preparation.filter)
    }.result
  }

  // MARK: Without blocking the caller's actor

  /// The objects in an image, found by a thread of Fovea's own: neither the caller's actor nor the
  /// threads that Swift's tasks share are blocked.
  ///
  /// A task that is cancelled ends with `.cancelled` before the next stage: decoding, sampling, the
  /// network. At most `ThreadPool.defaultThreadCount` images are looked at at the same time; others
  /// wait for their turn.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func perform(
    on image: some ImageConvertible, orientation: ImageOrientation? = nil
  ) async throws(DetectionError) -> [RecognizedObjectObservation] {
    try await result(on: image, orientation: orientation).observations
  }

  /// The objects in an image, with its geometry and times, found by a thread of Fovea's own as in
  /// `perform(on:orientation:)`.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func result(
    on image: some ImageConvertible, orientation: ImageOrientation? = nil
  ) async throws(DetectionError) -> DetectObjectsResult {
    try await InferenceThreads.shared.run { () throws(DetectionError) in
      try result(on: image, orientation: orientation)
    }
  }
}

extension DetectObjectsRequest {
  /// What the detector is to do.
  func job(_ settings: DetectionSettings, _ preparation: InputPreparation) -> Detector.Job {
    Detector.Job(settings: settings, preparation: preparation, retainsScores: retainsScores)
  }

  /// What the bytes of the input depend on.
  ///
  /// - Parameter inputSize: The size of the input; `nil` for that which the request asks for.
  func preparation(
    of storedSize: ImageSize, orientation: ImageOrientation, inputSize: ImageSize? = nil
  ) throws(DetectionError) -> InputPreparation {
    let size = inputSize ?? self.inputSize(of: storedSize, orientation: orientation)
    let geometry = try geometry(of: storedSize, orientation: orientation, inputSize: size)
    let shape = [size.height, size.width] + detector.layout.inputShape.dropFirst(2)
    return InputPreparation(geometry: geometry, filter: resamplingFilter, shape: shape)
  }

  /// The pixels of an image, of a JPEG as few as the input needs, and how they become the input.
  func decoded(
    _ image: consuming some ImageConvertible, orientation: ImageOrientation?
  ) throws(DetectionError) -> (pixels: DecodedPixels, preparation: InputPreparation) {
    let source = (consume image).imageSource
    let preparation = try preparation(
      of: source.storedSize(), orientation: orientation ?? source.orientation)
    let reduction = ImageReduction(for: [self], [preparation])
    return (try (consume source).decoded(reduction), preparation)
  }
}
