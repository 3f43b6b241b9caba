// Fovea - one image for one or several requests.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
package import FoveaImaging
internal import FoveaLibc
internal import FoveaRuntime

/// One image for one or several requests.
///
/// The image is decoded at the first request and kept for the next ones. Requests that are
/// performed in one call and want the same input - the same size, region, action and filter - share
/// that too: it is sampled once. Several tasks may perform requests at once.
///
///     let handler = try ImageRequestHandler(ImageFile(contentsOf: "photo.jpg"))
///     let found = try handler.perform([people, codes])
public final class ImageRequestHandler: Sendable {
  private let source: ImageSource
  private let orientation: ImageOrientation
  private let memory = Locked(Memory())

  /// What is kept between requests.
  private struct Memory {
    var pixels: DecodedPixels?
    var counts = Counts()
    /// What requests of other modules keep, by its type.
    var kept: [ObjectIdentifier: any Sendable] = [:]
  }

  /// How often work was done.
  package struct Counts: Hashable, Sendable {
    /// The image was decoded.
    package var decoded = 0
    /// An input was sampled from it.
    package var sampled = 0
  }

  /// A handler for an image.
  ///
  /// - Parameters:
  ///   - image: An `ImageFile`, an `Image` or a `PixelBuffer`.
  ///   - orientation: How to turn the stored image; `nil` for what it says itself.
  public init(_ image: some ImageConvertible, orientation: ImageOrientation? = nil) {
    source = image.imageSource
    self.orientation = orientation ?? source.orientation
  }

  // MARK: Performing

  /// The results of several requests, in their order. The first result has the time of decoding;
  /// the others have zero.
  ///
  /// A JPEG is decoded at the smallest scale that is enough for all requests. A later call that
  /// needs more pixels decodes it again.
  ///
  /// - Throws: `DetectionError` of the first request that fails; see
  ///   `DetectObjectsRequest.result(on:orientation:)`.
  public func results(
    of requests: [DetectObjectsRequest]
  ) throws(DetectionError) -> [DetectObjectsResult] {
    var clock = StageClock()
    try DetectionError.checkCancellation()
    guard !requests.isEmpty else { return [] }
    var settings: [DetectionSettings] = []
    for request in requests { settings.append(try request.resolvedSettings()) }
    let size = try source.storedSize()
    var preparations: [InputPreparation] = []
    for request in requests {
      preparations.append(try request.preparation(of: size, orientation: orientation))
    }
    let pixels = try decodedPixels(ImageReduction(for: requests, preparations))
    var jobs = requests.indices.map { requests[$0].job(settings[$0], preparations[$0]) }
    jobs[0].decoding = clock.lap()
    return try results(of: requests, jobs, on: pixels)
  }

  /// The result of a request.
  ///
  /// - Throws: `DetectionError`; see `DetectObjectsRequest.result(on:orientation:)`.
  public func result(
    of request: DetectObjectsRequest
  ) throws(DetectionError) -> DetectObjectsResult {
    try results(of: [request])[0]
  }

  /// The objects that a request finds.
  ///
  /// - Throws: `DetectionError`; see `DetectObjectsRequest.result(on:orientation:)`.
  public func perform(
    _ request: DetectObjectsRequest
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(of: request).observations
  }

  /// The objects that each of several requests finds.
  ///
  /// - Throws: `DetectionError`; see `results(of:)`.
  public func perform(
    _ requests: [DetectObjectsRequest]
  ) throws(DetectionError) -> [[RecognizedObjectObservation]] {
    try results(of: requests).map(\.observations)
  }

  // MARK: Without blocking the caller's actor

  /// What each of several requests finds in the image, with geometry and times, found by a thread of
  /// Fovea's own as in `DetectObjectsRequest.perform(on:orientation:)`.
  ///
  /// - Throws: `DetectionError`; see the form that is not `async`.
  public func results(
    of requests: [DetectObjectsRequest]
  ) async throws(DetectionError) -> [DetectObjectsResult] {
    try await InferenceThreads.shared.run { () throws(DetectionError) in
      try results(of: requests)
    }
  }

  /// What a request finds in the image, with its geometry and times, found by a thread of Fovea's
  /// own as in `DetectObjectsRequest.perform(on:orientation:)`.
  ///
  /// - Throws: `DetectionError`; see `DetectObjectsRequest.result(on:orientation:)`.
  public func result(
    of request: DetectObjectsRequest
  ) async throws(DetectionError) -> DetectObjectsResult {
    try await results(of: [request])[0]
  }

  /// The objects that a request finds in the image, found by a thread of Fovea's own as in
  /// `DetectObjectsRequest.perform(on:orientation:)`.
  ///
  /// - Throws: `DetectionError`; see `DetectObjectsRequest.result(on:orientation:)`.
  public func perform(
    _ request: DetectObjectsRequest
  ) async throws(DetectionError) -> [RecognizedObjectObservation] {
    try await result(of: request).observations
  }

  /// The objects that each of several requests finds in the image, found by a thread of Fovea's own
  /// as in `DetectObjectsRequest.perform(on:orientation:)`.
  ///
  /// - Throws: `DetectionError`; see `results(of:)`.
  public func perform(
    _ requests: [DetectObjectsRequest]
  ) async throws(DetectionError) -> [[RecognizedObjectObservation]] {
    try await results(of: requests).map(\.observations)
  }

  // MARK: Sharing

  /// How often this handler decoded its image and sampled an input.
  package var counts: Counts { memory.withLock { $0.counts } }

  /// What requests of other modules make of all pixels, turned upright. It is made at the first call and
  /// kept. Two tasks that ask at the same time may both make it; one is kept.
  ///
  /// - Throws: `.image`, `.runtime`, `.invalidRequest`.
  package func kept<Value: Sendable>(
    _ make: (_ upright: Image) -> Value
  ) throws(DetectionError) -> Value {
    try kept(making: { _, _, upright throws(DetectionError) in make(try upright()) })
  }

  /// What requests of other modules make of the image, which is made at the first call and kept.
  ///
  /// - Parameter make: Gets the image, how it is turned, and what turns all pixels of it upright.
  /// - Throws: `.image`, `.runtime`, `.invalidRequest`.
  package func kept<Value: Sendable>(
    making make: (
      _ source: ImageSource, _ orientation: ImageOrientation,
      _ upright: () throws(DetectionError) -> Image
    ) throws(DetectionError) -> Value
  ) throws(DetectionError) -> Value {
    let key = ObjectIdentifier(Value.self)
    if let kept = memory.withLock({ $0.kept[key] }) as? Value { return kept }
    try DetectionError.checkCancellation()
    let value = try make(source, orientation) { () throws(DetectionError) in
      try decodedPixels(.none).upright(orientation)
    }
    return memory.withLock { memory in
      if let kept = memory.kept[key] as? Value { return kept }
      memory.kept[key] = value
      return value
    }
  }

  private func results(
    of requests: [DetectObjectsRequest], _ jobs: [Detector.Job], on pixels: DecodedPixels
  ) throws(DetectionError) -> [DetectObjectsResult] {
    let uses = jobs.reduce(into: [:]) { $0[$1.preparation, default: 0] += 1 }
    var inputs: [InputPreparation: Tensor] = [:]
    var results: [DetectObjectsResult] = []
    for (request, var job) in zip(requests, jobs) {
      let preparation = job.preparation
      let detector = try request.detector(for: preparation)
      let shared = inputs[preparation]
      job.returnsInput = shared == nil && uses[preparation, default: 0] > 1
      let outcome = try detector.detect(job) { session throws(DetectionError) in
        if let shared {
          try DetectionError.translatingRuntime { () throws(FoveaError) in
            try session.setInput(detector.layout.imageInput, to: shared)
          }
        } else {
          memory.withLock { $0.counts.sampled += 1 }
          try detector.fill(session, from: pixels, preparation)
        }
      }
      if let input = outcome.input { inputs[preparation] = input }
      var result = outcome.result
      result.transparentShare = pixels.transparentShare
      results.append(result)
    }
    return results
  }

  /// The pixels that are there already if they are enough; else the image is decoded.
  private func decodedPixels(_ reduction: ImageReduction) throws(DetectionError) -> DecodedPixels {
    try memory.withLock { memory throws(DetectionError) in
      if let pixels = memory.pixels, pixels.isEnough(for: reduction) { return pixels }
      let pixels = try source.decoded(reduction)
      memory.pixels = pixels
      memory.counts.decoded += 1
      return pixels
    }
  }
}
