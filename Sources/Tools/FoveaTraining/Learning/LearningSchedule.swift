// Fovea - how fast a network learns, and when.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaTrain
internal import FoveaLibc

/// How fast a network learns, by the share of the run that has passed.
///
/// A run of minutes follows its elapsed share: a slower minute takes fewer steps and leaves the
/// schedule as it is.
struct LearningSchedule: Sendable {
  /// The greatest learning rate.
  var rate: Double
  var weightDecay = 0.01
  var clip = 10.0
  /// The first steps, in which the rate grows.
  private static let warmUp = 20.0
  /// The rate at the end, as a part of the greatest.
  private static let last = 0.02
  /// From this share of the run on no pictures are put side by side.
  private static let mosaicEnd = 0.8

  /// The rates of a step.
  ///
  /// - Parameters:
  ///   - step: Its place, from 0.
  ///   - share: The part of the run that has passed.
  func rates(step: Int, share: Double) -> fov_train_rates {
    let warm = min(Double(step + 1) / Self.warmUp, 1)
    let cosine = Self.last + (1 - Self.last) * (1 + cos(.pi * min(max(share, 0), 1))) / 2
    let average = min(0.98, Double(step + 1) / Double(step + 11))
    return fov_train_rates(
      rate: Float(rate * warm * cosine), weight_decay: Float(weightDecay), clip: Float(clip),
      average: Float(average))
  }

  /// Whether four pictures may stand side by side.
  func usesMosaic(share: Double) -> Bool { share < Self.mosaicEnd }
}
