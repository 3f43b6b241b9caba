// Fovea - one picture for several requests of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaAppleVision
internal import FoveaVision

/// One picture for several requests. Files are decoded once.
public final class ImageRequestHandler: @unchecked Sendable {  // because the lock guards it
  private let lock = NSLock()
  private let picture: Result<VisionImage, VisionFailure>

  private init(_ make: () throws(VisionFailure) -> VisionImage) {
    picture = Result { () throws(VisionFailure) in try make() }
  }

  /// The picture of a file, turned as the file says unless an orientation is given.
  public convenience init(_ url: URL, orientation: CGImagePropertyOrientation? = nil) {
    self.init { () throws(VisionFailure) in
      try VisionImage(path: url.path, orientation?.imageOrientation)
    }
  }

  /// The picture in the bytes of a file.
  public convenience init(_ data: Data, orientation: CGImagePropertyOrientation? = nil) {
    self.init { () throws(VisionFailure) in
      try VisionImage(bytes: [UInt8](data), orientation?.imageOrientation)
    }
  }

  public convenience init(_ image: CGImage, orientation: CGImagePropertyOrientation? = nil) {
    self.init { VisionImage(.image(image), orientation?.imageOrientation) }
  }

  public convenience init(_ image: CIImage, orientation: CGImagePropertyOrientation? = nil) {
    self.init { () throws(VisionFailure) in
      try VisionImage(image, orientation?.imageOrientation)
    }
  }

  /// A buffer, which must not change while requests are performed.
  public convenience init(
    _ pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation? = nil
  ) {
    self.init { VisionImage(.buffer(pixelBuffer), orientation?.imageOrientation) }
  }

  public convenience init(
    _ sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation? = nil
  ) {
    self.init { () throws(VisionFailure) in
      try VisionImage(sampleBuffer, orientation?.imageOrientation)
    }
  }

  /// What a request finds, found by a thread of Fovea's.
  ///
  /// - Throws: `VisionError`; `requestCancelled` in a task that is cancelled before it begins.
  public func perform<T: VisionRequest>(_ request: T) async throws -> T.Result {
    try await found(request)
  }

  /// What several requests find.
  ///
  /// - Throws: The error of the first request that fails.
  public func perform<each T: VisionRequest>(
    _ request: repeat each T
  ) async throws -> (repeat (each T).Result) {
    (repeat try await found(each request))
  }

  /// What each request finds or why it failed, one after the other.
  public func performAll(
    _ requests: some Collection<any VisionRequest>
  ) -> some AsyncSequence<VisionResult, Never> {
    let requests = Array(requests)
    return AsyncStream { continuation in
      let task = Task {
        for request in requests { continuation.yield(await VisionResult(request, self)) }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func found<T: VisionRequest>(_ request: T) async throws -> T.Result {
    try await InferenceThreads.shared.run { () throws(VisionError) in try result(of: request) }
  }

  private func result<T: VisionRequest>(of request: T) throws(VisionError) -> T.Result {
    if Task.isCancelled { throw .requestCancelled("the task was cancelled") }
    lock.lock()
    defer { lock.unlock() }
    return try request.result(in: picture)
  }

  /// Lends the picture to an observation that needs its pixels again.
  func withPicture<Made>(_ body: (VisionImage) throws -> Made) throws -> Made {
    lock.lock()
    defer { lock.unlock() }
    return try body(picture.get())
  }
}

/// What a request found, or why it failed.
public enum VisionResult: Sendable {
  case classifyImage(ClassifyImageRequest, [ClassificationObservation])
  case coreML(CoreMLRequest, [any VisionObservation])
  case detectBarcodes(DetectBarcodesRequest, [BarcodeObservation])
  case detectDocumentSegmentation(DetectDocumentSegmentationRequest, DetectedDocumentObservation?)
  case detectFaceLandmarks(DetectFaceLandmarksRequest, [FaceObservation])
  case detectFaceRectangles(DetectFaceRectanglesRequest, [FaceObservation])
  case detectHumanBodyPose(DetectHumanBodyPoseRequest, [HumanBodyPoseObservation])
  case detectRectangles(DetectRectanglesRequest, [RectangleObservation])
  case detectTextRectangles(DetectTextRectanglesRequest, [TextObservation])
  case generateForegroundInstanceMask(
    GenerateForegroundInstanceMaskRequest, InstanceMaskObservation?)
  case generateImageFeaturePrint(GenerateImageFeaturePrintRequest, FeaturePrintObservation)
  case generatePersonInstanceMask(GeneratePersonInstanceMaskRequest, InstanceMaskObservation?)
  case generatePersonSegmentation(GeneratePersonSegmentationRequest, PixelBufferObservation)
  case recognizeText(RecognizeTextRequest, [RecognizedTextObservation])
  case trackObject(TrackObjectRequest, DetectedObjectObservation?)
  case error(any VisionRequest, any Error)

  init(_ request: any VisionRequest, _ handler: ImageRequestHandler) async {
    do {
      switch request {
      case let request as ClassifyImageRequest:
        self = .classifyImage(request, try await handler.perform(request))
      case let request as CoreMLRequest:
        self = .coreML(request, try await handler.perform(request))
      case let request as DetectBarcodesRequest:
        self = .detectBarcodes(request, try await handler.perform(request))
      case let request as DetectDocumentSegmentationRequest:
        self = .detectDocumentSegmentation(request, try await handler.perform(request))
      case let request as DetectFaceLandmarksRequest:
        self = .detectFaceLandmarks(request, try await handler.perform(request))
      case let request as DetectFaceRectanglesRequest:
        self = .detectFaceRectangles(request, try await handler.perform(request))
      case let request as DetectHumanBodyPoseRequest:
        self = .detectHumanBodyPose(request, try await handler.perform(request))
      case let request as DetectRectanglesRequest:
        self = .detectRectangles(request, try await handler.perform(request))
      case let request as DetectTextRectanglesRequest:
        self = .detectTextRectangles(request, try await handler.perform(request))
      case let request as GenerateForegroundInstanceMaskRequest:
        self = .generateForegroundInstanceMask(request, try await handler.perform(request))
      case let request as GenerateImageFeaturePrintRequest:
        self = .generateImageFeaturePrint(request, try await handler.perform(request))
      case let request as GeneratePersonInstanceMaskRequest:
        self = .generatePersonInstanceMask(request, try await handler.perform(request))
      case let request as GeneratePersonSegmentationRequest:
        self = .generatePersonSegmentation(request, try await handler.perform(request))
      case let request as RecognizeTextRequest:
        self = .recognizeText(request, try await handler.perform(request))
      case let request as TrackObjectRequest:
        self = .trackObject(request, try await handler.perform(request))
      default: throw VisionError.unsupportedRequest("\(request) is no request of Fovea")
      }
    } catch {
      self = .error(request, error)
    }
  }
}
