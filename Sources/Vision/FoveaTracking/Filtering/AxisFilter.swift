// Fovea - a Kalman filter of one coordinate and its velocity.
// SPDX-License-Identifier: Apache-2.0

/// A Kalman filter of one coordinate of a box and its velocity.
///
/// The noise of the four coordinates of a box is taken as independent. Four filters of two numbers
/// then do what one of eight does, with a twentieth of the multiplications. Times are seconds.
struct AxisFilter: Sendable {
  /// The coordinate.
  var position: Double
  /// Its change in a second.
  var velocity = 0.0
  /// The variance of the position.
  var positionVariance: Double
  /// The covariance of position and velocity.
  var covariance = 0.0
  /// The variance of the velocity.
  var velocityVariance: Double

  /// A filter that has seen one measurement.
  init(position: Double, variance: Double, velocityVariance: Double) {
    self.position = position
    positionVariance = variance
    self.velocityVariance = velocityVariance
  }

  /// Goes on by `seconds`.
  ///
  /// - Parameters:
  ///   - drift: The variance that the position gains in a second, beside what the velocity brings.
  ///   - acceleration: The variance that the velocity gains in a second.
  @inline(__always)
  mutating func predict(seconds: Double, drift: Double, acceleration: Double) {
    position += velocity * seconds
    let square = seconds * seconds
    positionVariance +=
      2 * seconds * covariance + square * velocityVariance
      + seconds * (acceleration * square / 3 + drift)
    covariance += seconds * velocityVariance + acceleration * square / 2
    velocityVariance += acceleration * seconds
  }

  /// Takes in a measured position of the given variance.
  @inline(__always)
  mutating func update(_ measured: Double, variance: Double) {
    let inverse = 1 / (positionVariance + variance)
    let gain = positionVariance * inverse
    let velocityGain = covariance * inverse
    let surprise = measured - position
    position += gain * surprise
    velocity += velocityGain * surprise
    velocityVariance -= velocityGain * covariance
    covariance -= gain * covariance
    positionVariance -= gain * positionVariance
  }

  /// Multiplies lengths.
  @inline(__always)
  mutating func scale(by factor: Double) {
    position *= factor
    velocity *= factor
    let square = factor * factor
    positionVariance *= square
    covariance *= square
    velocityVariance *= square
  }

  /// What two axes become that a linear map mixes: `first` times `a` plus `second` times `b`.
  ///
  /// What the two know of each other is left out: cameras hardly turn in one frame.
  @inline(__always)
  init(mixing a: AxisFilter, _ first: Double, _ b: AxisFilter, _ second: Double) {
    let (one, two) = (first * first, second * second)
    position = first * a.position + second * b.position
    velocity = first * a.velocity + second * b.velocity
    positionVariance = one * a.positionVariance + two * b.positionVariance
    covariance = one * a.covariance + two * b.covariance
    velocityVariance = one * a.velocityVariance + two * b.velocityVariance
  }
}
