// Fovea - the request for people's pixels, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
package import FoveaAppleVision
internal import FoveaLibc

/// A request for the pixels of people, by the network of `VisionModels.personSegmentation`. Without it
/// the request fails with `dataUnavailable`. Each picture is looked at by itself.
public final class GeneratePersonSegmentationRequest: ImageProcessingRequest, PictureRequest,
  StatefulRequest
{
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision1 = 1

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public enum QualityLevel: Codable, Hashable, Sendable, CaseIterable {
    case accurate, balanced, fast
  }

  /// A mask of the upright picture's size.
  public typealias Result = PixelBufferObservation

  public let revision: Revision
  public let frameAnalysisSpacing: CMTime
  private let settings = Locked(Settings())

  private struct Settings {
    var region = NormalizedRect.fullImage
    var quality = QualityLevel.accurate
    var format = kCVPixelFormatType_OneComponent8
  }

  public init(_ revision: Revision? = nil, frameAnalysisSpacing: CMTime? = nil) {
    self.revision = revision ?? .revision1
    self.frameAnalysisSpacing = frameAnalysisSpacing ?? .zero
  }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .generatePersonSegmentationRequest(revision) }
  public var minimumLatencyFrameCount: Int { 1 }
  public var supportedOutputPixelFormats: [OSType] { MaskBuffer.formats }

  public var regionOfInterest: NormalizedRect {
    get { settings.withLock { $0.region } }
    set { settings.withLock { $0.region = newValue } }
  }

  /// What the network of the program makes of it: nothing, as it has one quality.
  public var qualityLevel: QualityLevel {
    get { settings.withLock { $0.quality } }
    set { settings.withLock { $0.quality = newValue } }
  }

  /// `kCVPixelFormatType_OneComponent8` (255 for people), or `OneComponent16Half` and
  /// `OneComponent32Float` (1 for people).
  public var outputPixelFormatType: OSType {
    get { settings.withLock { $0.format } }
    set { settings.withLock { $0.format = newValue } }
  }

  package func found(in picture: VisionImage) throws -> PixelBufferObservation {
    let people = try picture.people(in: regionOfInterest.cgRect, format: outputPixelFormatType)
    return PixelBufferObservation(nil, people, by: descriptor, at: picture.time)
  }

  public static func == (
    left: GeneratePersonSegmentationRequest, right: GeneratePersonSegmentationRequest
  ) -> Bool {
    left === right
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
