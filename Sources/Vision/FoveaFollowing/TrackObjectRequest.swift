// Fovea - the request to follow one object from picture to picture.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
internal import FoveaLibc
public import FoveaVision

/// A request that follows one object from picture to picture.
///
/// Create one for each object and perform it on every picture of a sequence, with one
/// `SequenceRequestHandler`. The box says where the object is in the first of these pictures.
///
///     let handler = SequenceRequestHandler()
///     let request = TrackObjectRequest(detectedObject: dog)
///     for frame in frames {
///       let object = try handler.perform(request, on: frame)
///       if object.confidence >= 0.3 { print(object.boundingBox) }
///     }
///
/// A request remembers how its object looks, so it is a reference, and belongs to the handler that
/// performs it first. Its memory is allocated at the first picture, and freed after the last one, or
/// with the request.
public final class TrackObjectRequest: Sendable {
  /// Where the object is in the first picture: fractions of the upright picture, from the lower left.
  public let boundingBox: NormalizedRect
  /// The class of the object. Only detections of this class correct its box. `nil`: detections of
  /// all classes do.
  public let label: String?
  /// How much work a picture is worth.
  public let trackingLevel: TrackingLevel

  private let state = Locked(State())

  /// What changes from picture to picture.
  private struct State {
    var isLastFrame = false
    var isFinished = false
    /// The places of the handler that performed the request first.
    var owner: TrackerPlaces?
    var tracker: Tracker?
  }

  /// A request for an object that a detector has found.
  public convenience init(
    detectedObject: RecognizedObjectObservation, trackingLevel: TrackingLevel = .fast
  ) {
    self.init(
      boundingBox: detectedObject.boundingBox, label: detectedObject.bestLabel?.identifier,
      trackingLevel: trackingLevel)
  }

  /// A request for what is in a box, such as one that a person has drawn.
  ///
  /// - Parameters:
  ///   - boundingBox: Fractions of the upright picture, from the lower left. Its sides must be 3
  ///     pixels or more and at most twice the picture's; a tenth of it must lie in the picture.
  ///   - label: The class of detections that may correct the box; `nil` for all.
  ///   - trackingLevel: How much work a picture is worth.
  public init(
    boundingBox: NormalizedRect, label: String? = nil, trackingLevel: TrackingLevel = .fast
  ) {
    self.boundingBox = boundingBox
    self.label = label
    self.trackingLevel = trackingLevel
  }

  /// Whether the next picture is the last one. After it, the place and the memory of the object are
  /// free, and the request is refused (`FollowingError.finished`).
  public var isLastFrame: Bool {
    get { state.withLock { $0.isLastFrame } }
    set { state.withLock { $0.isLastFrame = newValue } }
  }

  // MARK: For the handler

  /// The tracker of the object; `nil` before the first picture.
  ///
  /// - Throws: `.finished`, or `.otherSequence` if another handler performed the request first.
  func tracker(for places: TrackerPlaces) throws(FollowingError) -> Tracker? {
    try state.withLock { state throws(FollowingError) in
      if state.isFinished { throw .finished }
      let owner = state.owner ?? places
      guard owner === places else { throw .otherSequence }
      state.owner = owner
      return state.tracker
    }
  }

  /// Keeps the tracker after a picture, or ends with it.
  func keep(_ tracker: Tracker) {
    state.withLock { state in
      state.isFinished = state.isLastFrame
      state.tracker = state.isFinished ? nil : tracker
    }
  }
}
