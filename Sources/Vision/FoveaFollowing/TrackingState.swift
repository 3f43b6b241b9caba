// Fovea - what is believed about a followed object.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaFollow

/// What is believed about a followed object in a picture.
public enum TrackingState: String, Hashable, Codable, Sendable {
  /// The object is seen.
  case following
  /// It is hidden, or gone for a moment. The box is a guess from its motion.
  case uncertain
  /// It has been gone for longer. It is searched for around the last box.
  case lost

  init(_ state: fov_follow_state) {
    self =
      switch state {
      case .following: .following
      case .uncertain: .uncertain
      case .lost: .lost
      }
  }
}
