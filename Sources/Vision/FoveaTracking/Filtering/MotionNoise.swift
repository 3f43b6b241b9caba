// Fovea - how boxes move, and how exactly they are measured.
// SPDX-License-Identifier: Apache-2.0

/// Variances of a box filter, in squares of the width (x) or the height (y) of the box. Times are
/// seconds, so that the numbers hold for every frame rate.
///
/// Benchmarks/History/tracking.md has the measurements. Detectors of 1 to 100 million weights put
/// centers 3 to 15 % and sizes 6 to 19 % of the box off, more than half of it for many frames alike.
package struct MotionNoise: Hashable, Sendable {
  /// What center and size gain in a second beside their velocity: 5 % in a thirtieth of a second.
  package var drift = 0.075
  /// What the velocity of the center gains in a second.
  package var acceleration = 0.7
  /// What the velocity of the size gains in a second.
  package var sizeAcceleration = 0.4
  /// Of a measured center: 17 %.
  package var measuredCenter = 0.17 * 0.17
  /// Of a measured size: 20 %.
  package var measuredSize = 0.2 * 0.2
  /// Of the first box: 20 %.
  package var firstBox = 0.2 * 0.2
  /// Of the unknown first velocity: 1.5 widths or heights in a second.
  package var firstVelocity = 1.5 * 1.5

  /// The variances that suit people and things in the video of most cameras.
  package init() {}
}
