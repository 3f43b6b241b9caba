// Fovea - a followed object: its follower, and its place among those of its handler.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaLibc
internal import FoveaVision

/// A followed object: its follower, and its place among those of its handler. Used by one picture at
/// a time.
final class Tracker {
  /// Where the object is, as of the last picture.
  private(set) var object: FollowedObject?
  private var follower: ObjectFollower
  /// Keeps the place taken.
  private let place: TrackerPlace
  /// The last picture's, in seconds.
  private var time: Double?

  /// Begins in a picture. The time is that of the picture, in seconds, if known.
  init(
    _ level: TrackingLevel, _ places: TrackerPlaces, in picture: FollowedImage, box: ImageRect,
    time: Double?
  ) throws(FollowingError) {
    place = try places.take(level)
    follower = try ObjectFollower(level: level)
    try follower.start(in: picture, box: box)
    self.time = time
  }

  /// Finds the object in the next picture.
  func step(in picture: FollowedImage, time: Double?) throws(FollowingError) -> FollowedObject {
    let seconds = if let time, let before = self.time { time - before } else { Double?.none }
    let object = try follower.step(in: picture, seconds: seconds)
    self.time = time
    self.object = object
    return object
  }

  /// Corrects the object by detections of the same picture; see `ObjectFollower.anchor`.
  func anchor(
    in picture: FollowedImage, to detections: [ImageRect]
  ) throws(FollowingError) -> Int? {
    let anchored = try follower.anchor(in: picture, to: detections)
    object = anchored.object
    return anchored.index
  }
}

/// The places of a handler: how many objects of each level are followed.
final class TrackerPlaces: Sendable {
  private let taken = Locked([TrackingLevel: Int]())

  /// Takes a place, which is free again when the value is gone.
  func take(_ level: TrackingLevel) throws(FollowingError) -> TrackerPlace {
    try taken.withLock { taken throws(FollowingError) in
      let limit = TrackingLevel.supportedTrackerCount
      guard taken[level, default: 0] < limit else { throw .tooManyObjects(level, limit: limit) }
      taken[level, default: 0] += 1
    }
    return TrackerPlace(self, level)
  }

  fileprivate func free(_ level: TrackingLevel) {
    taken.withLock { $0[level, default: 1] -= 1 }
  }
}

/// One place, taken as long as the value is there.
final class TrackerPlace: Sendable {
  private let places: TrackerPlaces
  private let level: TrackingLevel

  fileprivate init(_ places: TrackerPlaces, _ level: TrackingLevel) {
    (self.places, self.level) = (places, level)
  }

  deinit { places.free(level) }
}
