// Fovea - how much work following an object is worth.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaFollow

/// How much work following an object is worth, as in Vision's `VNRequestTrackingLevel`.
package enum FollowingLevel: String, CaseIterable, Sendable {
  /// 64 x 64 cells of 32 channels around the object. Confuses similar objects less often.
  case accurate
  /// 32 x 32 cells of 16 channels. The default, as in Vision.
  case fast

  /// How many objects of this level a ``FollowedSequence`` follows at once.
  ///
  /// Vision's pool has 16 of each level and reports an error beyond. So does Fovea, because
  /// forgotten objects would otherwise cost time and memory in every picture without being seen.
  package static let supportedCount = 16

  var core: fov_follow_level {
    switch self {
    case .accurate: .accurate
    case .fast: .fast
    }
  }
}
