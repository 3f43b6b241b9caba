// Fovea - what requests of Vision for Swift have in common.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
package import FoveaAppleVision
internal import FoveaGeometry
internal import FoveaVision

/// What is looked for.
public protocol VisionRequest: Hashable, Sendable, CustomStringConvertible {
  associatedtype Result: Sendable

  var descriptor: RequestDescriptor { get }
}

extension VisionRequest {
  public var description: String { "\(Self.self)(\(descriptor))" }
}

/// A request on the pixels of a picture.
public protocol ImageProcessingRequest: VisionRequest {
  /// The part that is looked at: fractions of the upright picture, from the lower left.
  var regionOfInterest: NormalizedRect { get set }
}

/// A request that remembers the pictures before.
public protocol StatefulRequest: VisionRequest, AnyObject {
  /// How much time pictures are apart at least; `zero` for all of them.
  var frameAnalysisSpacing: CMTime { get }
  /// How many pictures the request needs before it gives results.
  var minimumLatencyFrameCount: Int { get }
}

/// A request that looks for something given.
public protocol TargetedRequest: VisionRequest {
}

/// A request as the adapter performs it.
package protocol PictureRequest: ImageProcessingRequest {
  /// What is found in a picture. It may throw anything.
  func found(in picture: VisionImage) throws -> Result
}

extension VisionRequest {
  /// What is found in a picture.
  ///
  /// - Throws: `VisionError`.
  func result(in picture: Swift.Result<VisionImage, VisionFailure>) throws(VisionError) -> Result {
    guard let request = self as? any PictureRequest else {
      throw .unsupportedRequest("\(Self.self) is no request of Fovea")
    }
    return try VisionError.named {
      guard let found = try request.anyFound(in: picture.get()) as? Result else {
        throw VisionError.internalError("\(Self.self) gave something else")
      }
      return found
    }
  }
}

extension PictureRequest {
  fileprivate func anyFound(in picture: VisionImage) throws -> Any { try found(in: picture) }
}

// MARK: Performing

extension ImageProcessingRequest {
  /// Finds it in the picture of a file, turned as the file says unless an orientation is given.
  public func perform(
    on url: URL, orientation: CGImagePropertyOrientation? = nil
  ) async throws -> Result {
    try await ImageRequestHandler(url, orientation: orientation).perform(self)
  }

  /// Finds it in the picture in the bytes of a file.
  public func perform(
    on data: Data, orientation: CGImagePropertyOrientation? = nil
  ) async throws -> Result {
    try await ImageRequestHandler(data, orientation: orientation).perform(self)
  }

  public func perform(
    on image: CGImage, orientation: CGImagePropertyOrientation? = nil
  ) async throws -> Result {
    try await ImageRequestHandler(image, orientation: orientation).perform(self)
  }

  public func perform(
    on image: CIImage, orientation: CGImagePropertyOrientation? = nil
  ) async throws -> Result {
    try await ImageRequestHandler(image, orientation: orientation).perform(self)
  }

  public func perform(
    on pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation? = nil
  ) async throws -> Result {
    try await ImageRequestHandler(pixelBuffer, orientation: orientation).perform(self)
  }

  public func perform(
    on sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation? = nil
  ) async throws -> Result {
    try await ImageRequestHandler(sampleBuffer, orientation: orientation).perform(self)
  }
}

/// Which request an observation comes from.
public enum RequestDescriptor: Codable, Hashable, Sendable {
  case classifyImageRequest(ClassifyImageRequest.Revision)
  case coreMLRequest(CoreMLRequest.Revision)
  case detectBarcodesRequest(DetectBarcodesRequest.Revision)
  case detectDocumentSegmentationRequest(DetectDocumentSegmentationRequest.Revision)
  case detectFaceLandmarksRequest(DetectFaceLandmarksRequest.Revision)
  case detectFaceRectanglesRequest(DetectFaceRectanglesRequest.Revision)
  case detectHumanBodyPoseRequest(DetectHumanBodyPoseRequest.Revision)
  case detectRectanglesRequest(DetectRectanglesRequest.Revision)
  case detectTextRectanglesRequest(DetectTextRectanglesRequest.Revision)
  case generateForegroundInstanceMaskRequest(GenerateForegroundInstanceMaskRequest.Revision)
  case generateImageFeaturePrintRequest(GenerateImageFeaturePrintRequest.Revision)
  case generatePersonInstanceMaskRequest(GeneratePersonInstanceMaskRequest.Revision)
  case generatePersonSegmentationRequest(GeneratePersonSegmentationRequest.Revision)
  case recognizeTextRequest(RecognizeTextRequest.Revision)
  case trackObjectRequest(TrackObjectRequest.Revision)
}
