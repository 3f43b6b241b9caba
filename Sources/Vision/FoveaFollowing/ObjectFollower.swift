// Fovea - following one object from picture to picture.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaFollow
package import FoveaGeometry
internal import FoveaRuntime

/// Follows one object from picture to picture. All memory is allocated when it is created.
package struct ObjectFollower: ~Copyable {
  private let core: OpaquePointer

  package init(level: TrackingLevel = .fast) throws(FollowingError) {
    var created: OpaquePointer?
    try FollowingError.check(
      fov_follower_create(level.core, InstructionSet.avx2.isAvailable, &created))
    guard let created else { throw .outOfMemory }
    core = created
  }

  deinit { fov_follower_destroy(core) }

  /// Begins to follow what is in `box`. Forgets what was followed before.
  package mutating func start(
    in picture: FollowedImage, box: ImageRect
  ) throws(FollowingError) {
    var (picture, coreBox) = (picture.core, Self.box(box, in: picture))
    try FollowingError.check(fov_follower_start(core, &picture, &coreBox), box: box)
  }

  /// Finds the object in the next picture, `seconds` after the one before; nil if that is unknown.
  package mutating func step(
    in picture: FollowedImage, seconds: Double? = nil
  ) throws(FollowingError) -> FollowedObject {
    var (picture, result) = (picture.core, fov_follow_result())
    try FollowingError.check(fov_follower_step(core, &picture, seconds ?? 0, &result))
    return FollowedObject(result)
  }

  /// Corrects place and size by detections of the same picture, after a step.
  ///
  /// Takes the detection that overlaps the object most, if by more than 0.5; of an object that is
  /// not seen, the one that looks like it. Returns its index, or nil if none is the object. Leave
  /// out detections with other labels.
  package mutating func anchor(
    in picture: FollowedImage, to detections: [ImageRect]
  ) throws(FollowingError) -> (index: Int?, object: FollowedObject) {
    let boxes = detections.map { Self.box($0, in: picture) }
    var (picture, result, index) = (picture.core, fov_follow_result(), 0)
    let status = boxes.withUnsafeBufferPointer {
      fov_follower_anchor(core, &picture, $0.baseAddress, $0.count, &index, &result)
    }
    try FollowingError.check(status)
    return (index < boxes.count ? index : nil, FollowedObject(result))
  }

  private static func box(_ box: ImageRect, in picture: FollowedImage) -> fov_follow_box {
    let size = ImageSize(width: picture.core.luma.width, height: picture.core.luma.height)
    let upper = box.converted(to: .upperLeft, in: size)
    return fov_follow_box(
      left: Float(upper.x), top: Float(upper.y), width: Float(upper.width),
      height: Float(upper.height))
  }
}
