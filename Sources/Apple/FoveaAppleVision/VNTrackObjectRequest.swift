// Fovea - requests that follow an object through a sequence.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaFollowing
internal import FoveaGeometry
internal import FoveaRuntime

public enum VNRequestTrackingLevel: UInt, Sendable {
  case accurate, fast
}

/// A request that follows something through the pictures of a sequence.
open class VNTrackingRequest: VNImageBasedRequest {
  /// Where the object was last. One that the request itself gave goes on with it; another begins
  /// with another object.
  public var inputObservation: VNDetectedObjectObservation
  public var trackingLevel = VNRequestTrackingLevel.fast
  /// Whether the next picture is the last one. The request's memory is free after it.
  public var isLastFrame = false
  private var follower: TrackObjectRequest?
  private var identifier: UUID?

  fileprivate init(
    _ observation: VNDetectedObjectObservation, _ handler: VNRequestCompletionHandler?
  ) {
    inputObservation = observation
    super.init(completionHandler: handler)
  }

  open override class var supportedRevisions: IndexSet { IndexSet(1...2) }

  package override func observations(in picture: VisionPicture) throws -> [VNObservation] {
    guard let sequence = picture.sequence else {
      throw VisionFailure(
        .invalidOperation, "objects are followed by a VNSequenceRequestHandler, in its pictures")
    }
    let follower = follower(for: inputObservation)
    follower.isLastFrame = isLastFrame
    let found = try picture.withPlanes { planes in
      try sequence.handler.perform(
        [follower], onPlanes: planes, orientation: picture.orientation)[0]
    }
    if isLastFrame { self.follower = nil }
    return [
      VNDetectedObjectObservation(
        CGRect(found.boundingBox), confidence: found.confidence, uuid: inputObservation.uuid)
    ]
  }

  private func follower(for observation: VNDetectedObjectObservation) -> TrackObjectRequest {
    if let follower, identifier == observation.uuid { return follower }
    let box = observation.boundingBox
    let made = TrackObjectRequest(
      boundingBox: NormalizedRect(x: box.minX, y: box.minY, width: box.width, height: box.height),
      trackingLevel: trackingLevel == .fast ? .fast : .accurate)
    (follower, identifier) = (made, observation.uuid)
    return made
  }
}

/// A request that follows an object.
public final class VNTrackObjectRequest: VNTrackingRequest {
  public convenience init(detectedObjectObservation observation: VNDetectedObjectObservation) {
    self.init(detectedObjectObservation: observation, completionHandler: nil)
  }

  public init(
    detectedObjectObservation observation: VNDetectedObjectObservation,
    completionHandler: VNRequestCompletionHandler? = nil
  ) { super.init(observation, completionHandler) }
}
