// Fovea - where a followed object is in the stored picture, and how sure that is.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaFollow
package import FoveaGeometry

/// Where a followed object is in the stored picture, and how sure that is.
package struct FollowedObject: Equatable, Sendable {
  /// The object's frame in pixels, from the upper left. It may reach beyond the picture.
  package var box: ImageRect
  /// From 0 to 1; below 0.3 where the object was not seen.
  package var confidence: Double
  /// How far the object has turned since it was begun, in radians clockwise.
  package var angle: Double
  /// Whether it is seen.
  package var state: TrackingState

  init(_ result: fov_follow_result) {
    box = ImageRect(
      x: Double(result.box.left), y: Double(result.box.top), width: Double(result.box.width),
      height: Double(result.box.height), origin: .upperLeft)
    confidence = Double(result.confidence)
    angle = Double(result.angle)
    state = TrackingState(result.state)
  }
}
