// Fovea - the request that follows an object, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
package import FoveaAppleVision
internal import FoveaFollowing
internal import FoveaGeometry

/// A request that follows an object. It remembers the object, so it is performed on the pictures of
/// one sequence, in their order.
public final class TrackObjectRequest: ImageProcessingRequest, PictureRequest, StatefulRequest,
  TargetedRequest, @unchecked Sendable  // because the lock guards what changes
{
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision1 = 1
    case revision2

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public enum TrackingLevel: Hashable, Codable, Sendable, CaseIterable {
    case accurate, fast
  }

  public typealias Result = DetectedObjectObservation?

  public let revision: Revision
  public let frameAnalysisSpacing: CMTime
  private let lock = NSLock()
  private let handler = SequenceRequestHandler()
  private var follower: FoveaFollowing.TrackObjectRequest?
  private var input: DetectedObjectObservation
  private var region = NormalizedRect.fullImage
  private var level = TrackingLevel.fast

  /// - Parameter detectedObject: Where the object is in the first picture.
  public init(
    detectedObject: any BoundingBoxProviding & VisionObservation, _ revision: Revision? = nil,
    frameAnalysisSpacing: CMTime? = nil
  ) {
    self.revision = revision ?? .revision2
    self.frameAnalysisSpacing = frameAnalysisSpacing ?? .zero
    input = DetectedObjectObservation(
      sighting: Sighting(
        detectedObject.boundingBox, confidence: detectedObject.confidence,
        uuid: detectedObject.uuid))
  }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .trackObjectRequest(revision) }
  public var minimumLatencyFrameCount: Int { 1 }
  /// Where the object was last.
  public var inputObservation: DetectedObjectObservation { lock.withLock { input } }

  /// How much work a picture is worth. It is chosen before the first one.
  public var trackingLevel: TrackingLevel {
    get { lock.withLock { level } }
    set { lock.withLock { level = newValue } }
  }

  public var regionOfInterest: NormalizedRect {
    get { lock.withLock { region } }
    set { lock.withLock { region = newValue } }
  }

  package func found(in picture: VisionImage) throws -> DetectedObjectObservation? {
    try lock.withLock {
      let follower =
        follower
        ?? FoveaFollowing.TrackObjectRequest(
          boundingBox: .init(input.boundingBox.cgRect),
          trackingLevel: level == .fast ? .fast : .accurate)
      self.follower = follower
      let found = try picture.followed(follower, by: handler)
      input = DetectedObjectObservation(
        sighting: Sighting(
          NormalizedRect(found.boundingBox), confidence: found.confidence, uuid: input.uuid,
          by: descriptor, at: picture.time))
      return input
    }
  }

  public static func == (left: TrackObjectRequest, right: TrackObjectRequest) -> Bool {
    left === right
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
