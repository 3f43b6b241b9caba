// Fovea - several objects, each with a follower of its own, in one sequence of pictures.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// Several objects, each with a follower of its own, in one sequence of pictures.
///
/// It takes the place of Vision's `SequenceRequestHandler` for tracking: a box begins an object, its
/// number continues it, and `isLastFrame` gives its place back. Numbers are never used again.
package struct FollowedSequence: ~Copyable {
  private var followers: [Int: FollowerPlace] = [:]
  private var nextNumber = 1

  package init() {}

  /// Numbers of the objects that are followed, in the order in which they were begun.
  package var numbers: [Int] { followers.keys.sorted() }

  /// Begins to follow what is in `box` and returns its number.
  package mutating func begin(
    in picture: FollowedPicture, box: ImageRect, level: FollowingLevel = .fast
  ) throws(FollowingError) -> Int {
    let taken = followers.values.count { $0.follower.level == level }
    guard taken < FollowingLevel.supportedCount else {
      throw .tooManyObjects(level, limit: FollowingLevel.supportedCount)
    }
    let place = FollowerPlace(try ObjectFollower(level: level))
    try place.follower.start(in: picture, box: box)
    defer { nextNumber += 1 }
    followers[nextNumber] = place
    return nextNumber
  }

  /// Finds an object in the next picture. With `isLastFrame`, its place is free afterwards.
  package mutating func follow(
    _ number: Int, in picture: FollowedPicture, seconds: Double? = nil, isLastFrame: Bool = false
  ) throws(FollowingError) -> FollowedObject {
    guard let place = followers[number] else { throw .unknownObject(number) }
    let object = try place.follower.step(in: picture, seconds: seconds)
    if isLastFrame { followers[number] = nil }
    return object
  }

  /// Corrects an object by detections of the same picture; see `ObjectFollower.anchor`.
  package mutating func anchor(
    _ number: Int, in picture: FollowedPicture, to detections: [ImageRect]
  ) throws(FollowingError) -> (index: Int?, object: FollowedObject) {
    guard let place = followers[number] else { throw .unknownObject(number) }
    return try place.follower.anchor(in: picture, to: detections)
  }
}

/// A dictionary holds copyable values only: this holds a follower for it.
private final class FollowerPlace {
  var follower: ObjectFollower

  init(_ follower: consuming ObjectFollower) { self.follower = follower }
}
