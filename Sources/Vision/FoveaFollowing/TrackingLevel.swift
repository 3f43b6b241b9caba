// Fovea - how much work following an object is worth.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaFollow

/// How much work following an object is worth, as in Vision's `VNRequestTrackingLevel`.
///
/// Times are those of one object in one picture on one core of a desktop computer. They do not
/// depend on the sizes of the object and the picture. While an object is not seen, a picture takes up
/// to three times as long, because other places are looked at.
public enum TrackingLevel: String, CaseIterable, Hashable, Codable, Sendable {
  /// 64 x 64 cells of 32 channels around the object: about 1.4 ms, and 4.6 MB for each object.
  /// Confuses similar objects less often.
  case accurate
  /// 32 x 32 cells of 16 channels around the object: about 0.35 ms, and 1.3 MB for each object. The
  /// default, as in Vision.
  case fast

  /// The greatest number of objects of one level that a `SequenceRequestHandler` follows at a time.
  ///
  /// Vision has 16 places for each level, and reports an error beyond. So does Fovea: objects that
  /// a program forgets would otherwise take time and memory in every picture.
  public static let supportedTrackerCount = 16

  var core: fov_follow_level {
    switch self {
    case .accurate: .accurate
    case .fast: .fast
    }
  }
}
