// Fovea - one image for one or several requests.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaImaging
public import FoveaRuntime

/// One image for one or several requests.
///
/// The image is read and decoded at the first request and kept for the next ones. Requests that
/// are performed in one call and want the same input - the same size, region, action and filter -
/// share that too: it is sampled once. Several tasks may perform requests at once.
///
///     let handler = ImageRequestHandler("photo.jpg")
///     let found = try handler.perform([people, codes])
public final class ImageRequestHandler: Sendable {
  private let source: ImageSource
  private let explicitOrientation: ImageOrientation?
  private let memory = Locked(Memory())

  /// What is kept between requests.
  private struct Memory {
    var image: StoredImage?
    var counts = Counts()
  }

  /// How often work was done.
  package struct Counts: Hashable, Sendable {
    /// The image was read and decoded.
    package var decoded = 0
    /// An input was sampled from it.
    package var sampled = 0
  }

  private init(_ source: ImageSource, _ orientation: ImageOrientation?) {
    self.source = source
    explicitOrientation = orientation
  }

  /// A handler for the JPEG, PNG or WebP file at `path`.
  ///
  /// - Parameter orientation: How to turn the stored image; `nil` for what its EXIF data say.
  public convenience init(_ path: String, orientation: ImageOrientation? = nil) {
    self.init(.path(path), orientation)
  }

  /// A handler for the bytes of a JPEG, PNG or WebP file.
  ///
  /// - Parameter orientation: How to turn the stored image; `nil` for what its EXIF data say.
  public convenience init(_ bytes: [UInt8], orientation: ImageOrientation? = nil) {
    self.init(.bytes(bytes), orientation)
  }

  /// A handler for a decoded image.
  ///
  /// - Parameter orientation: How to turn it; `nil` for its own `storedOrientation`.
  public convenience init(_ image: Image, orientation: ImageOrientation? = nil) {
    self.init(.image(image), orientation)
  }

  /// A handler for pixels of any layout, which are copied: a handler may outlive the memory of a
  /// frame. `DetectObjectsRequest.result(onPixels:layout:orientation:)` samples them in place.
  public convenience init(
    copying pixels: Span<UInt8>, layout: PixelLayout, orientation: ImageOrientation = .up
  ) {
    let bytes = pixels.withUnsafeBufferPointer { Array($0) }
    self.init(.pixels(bytes, layout), orientation)
  }

  // MARK: Performing

  /// What each of several requests finds in the image, with geometry and times, in their order.
  /// The first result has the time of decoding, the others zero.
  ///
  /// A JPEG is decoded at the least scale that is enough for all of them. A later call that needs
  /// more decodes it again.
  ///
  /// - Throws: `DetectionError` of the first request that fails; see
  ///   `DetectObjectsRequest.result(on:orientation:)`.
  public func results(
    of requests: [DetectObjectsRequest]
  ) throws(DetectionError) -> [DetectObjectsResult] {
    var clock = StageClock()
    try DetectionError.checkCancellation()
    var settings: [DetectionSettings] = []
    for request in requests { settings.append(try request.resolvedSettings()) }
    guard !requests.isEmpty else { return [] }
    let image = try storedImage(for: requests)
    let decode = clock.lap()
    var results = try results(of: requests, settings, on: image)
    results[0].timings.decode = decode
    return results
  }

  /// What a request finds in the image, with its geometry and times.
  ///
  /// - Throws: `DetectionError`; see `DetectObjectsRequest.result(on:orientation:)`.
  public func result(
    of request: DetectObjectsRequest
  ) throws(DetectionError) -> DetectObjectsResult {
    try results(of: [request])[0]
  }

  /// The objects that a request finds in the image.
  ///
  /// - Throws: `DetectionError`; see `DetectObjectsRequest.result(on:orientation:)`.
  public func perform(
    _ request: DetectObjectsRequest
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(of: request).observations
  }

  /// The objects that each of several requests finds in the image.
  ///
  /// - Throws: `DetectionError`; see `results(of:)`.
  public func perform(
    _ requests: [DetectObjectsRequest]
  ) throws(DetectionError) -> [[RecognizedObjectObservation]] {
    try results(of: requests).map(\.observations)
  }

  /// The objects that a request finds in the image, without blocking the caller's actor.
  ///
  /// - Throws: `DetectionError`; see `DetectObjectsRequest.result(on:orientation:)`.
  public func perform(
    _ request: DetectObjectsRequest
  ) async throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(of: request).observations
  }

  /// The objects that each of several requests finds in the image, without blocking the caller's
  /// actor.
  ///
  /// - Throws: `DetectionError`; see `results(of:)`.
  public func perform(
    _ requests: [DetectObjectsRequest]
  ) async throws(DetectionError) -> [[RecognizedObjectObservation]] {
    try results(of: requests).map(\.observations)
  }

  // MARK: Sharing

  /// How often this handler decoded its image and sampled an input.
  package var counts: Counts { memory.withLock { $0.counts } }

  private func results(
    of requests: [DetectObjectsRequest], _ settings: [DetectionSettings],
    on image: StoredImage
  ) throws(DetectionError) -> [DetectObjectsResult] {
    var jobs: [Detector.Job] = []
    var uses: [InputPreparation: Int] = [:]
    for (request, settings) in zip(requests, settings) {
      let job = try request.job(
        settings, on: image.fullSize, orientation: image.orientation)
      uses[job.preparation, default: 0] += 1
      jobs.append(job)
    }
    var inputs: [InputPreparation: Tensor] = [:]
    var results: [DetectObjectsResult] = []
    for (request, var job) in zip(requests, jobs) {
      let shared = inputs[job.preparation]
      job.returnsInput = shared == nil && uses[job.preparation, default: 0] > 1
      if shared == nil { memory.withLock { $0.counts.sampled += 1 } }
      let outcome = try request.detector.detect(
        in: shared.map { .prepared($0) } ?? .image(image), job)
      if let input = outcome.input { inputs[job.preparation] = input }
      results.append(outcome.result(job.preparation.geometry))
    }
    return results
  }

  private func storedImage(
    for requests: [DetectObjectsRequest]
  ) throws(DetectionError) -> StoredImage {
    try memory.withLock { memory throws(DetectionError) in
      if let image = memory.image, try image.isEnough(for: requests) { return image }
      let image = try source.load(orientation: explicitOrientation, for: requests)
      memory.image = image
      memory.counts.decoded += 1
      return image
    }
  }
}

extension StoredImage {
  /// Whether the image was not reduced, or not further than all of the requests allow.
  fileprivate func isEnough(for requests: [DetectObjectsRequest]) throws(DetectionError) -> Bool {
    guard case .image(let image) = pixels, image.reductionFactor > 1 else { return true }
    let reduction = try ImageReduction(for: requests, of: fullSize, orientation: orientation)
    guard case .covering(let width, let height) = reduction else { return false }
    return image.width >= width && image.height >= height
  }
}
