// Fovea - requests that follow an object through a sequence.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaFollowing
internal import FoveaGeometry
internal import FoveaStills

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

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    guard let sequence = picture.sequence else {
      throw VisionFailure(
        .invalidOperation, "objects are followed by a VNSequenceRequestHandler, in its pictures")
    }
    let follower = follower(for: inputObservation)
    follower.isLastFrame = isLastFrame
    let found = try picture.followed(follower, by: sequence)
    if isLastFrame { self.follower = nil }
    return [
      VNDetectedObjectObservation(
        CGRect(found.boundingBox), confidence: found.confidence, uuid: inputObservation.uuid)
    ]
  }

  private func follower(for observation: VNDetectedObjectObservation) -> TrackObjectRequest {
    if let follower, identifier == observation.uuid { return follower }
    let made = TrackObjectRequest(
      boundingBox: NormalizedRect(observation.boundingBox),
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

/// A request that follows a rectangle. Its corners keep their places in the box that is followed: how
/// the rectangle turns is not seen.
public final class VNTrackRectangleRequest: VNTrackingRequest {
  public convenience init(rectangleObservation observation: VNRectangleObservation) {
    self.init(rectangleObservation: observation, completionHandler: nil)
  }

  public init(
    rectangleObservation observation: VNRectangleObservation,
    completionHandler: VNRequestCompletionHandler? = nil
  ) { super.init(observation, completionHandler) }

  public override class var supportedRevisions: IndexSet { IndexSet(integer: 1) }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    guard let rectangle = inputObservation as? VNRectangleObservation else {
      throw VisionFailure(.invalidArgument, "inputObservation has no corners")
    }
    let old = rectangle.boundingBox
    guard old.width > 0, old.height > 0 else {
      throw VisionFailure(.invalidArgument, "inputObservation is empty: \(old)")
    }
    return try super.observations(in: picture).compactMap { $0 as? VNDetectedObjectObservation }
      .map { found in
        let box = found.boundingBox
        func moved(_ corner: CGPoint) -> NormalizedPoint {
          NormalizedPoint(
            x: box.minX + (corner.x - old.minX) / old.width * box.width,
            y: box.minY + (corner.y - old.minY) / old.height * box.height)
        }
        let corners = Quadrilateral(
          topLeft: moved(rectangle.topLeft), topRight: moved(rectangle.topRight),
          bottomRight: moved(rectangle.bottomRight), bottomLeft: moved(rectangle.bottomLeft))
        return VNRectangleObservation(
          corners, confidence: found.confidence, uuid: found.uuid)
      }
  }
}
