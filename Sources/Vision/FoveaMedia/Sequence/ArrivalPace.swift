// Fovea - how fast the pictures of a live source come.
// SPDX-License-Identifier: Apache-2.0

/// How fast the pictures of a live source come, and whether the next one is due.
///
///     pictures   a---------b---------c--------(d)- - - - - - - - - -
///     age of c                       0       0.9                  3.0  intervals
///     who asks                       |gets c |waits for d         |gets c
///
/// Whoever takes a picture just before the next one comes would look at what is one interval old.
package struct ArrivalPace {
  /// The mean of the last intervals in seconds; `nil` before the second picture.
  package private(set) var interval: Double?
  private var last: UInt64?

  /// In intervals: the age from which on the next picture is due, and that at which it is not waited
  /// for any longer.
  private static let waitedFor = 0.9..<3.0
  /// Of sources that are slower, in seconds, a late picture is not waited for.
  private static let longestInterval = 0.1

  package init() {}

  /// Notes that a picture is there.
  ///
  /// - Parameter arrival: When, in nanoseconds of the monotonic clock.
  package mutating func note(_ arrival: UInt64) {
    defer { last = arrival }
    guard let last, arrival > last else { return }
    let seconds = Double(arrival - last) / 1e9
    guard let interval else {
      interval = seconds
      return
    }
    // A source that stopped for a while is not slower from now on.
    self.interval = interval + (min(seconds, 2 * interval) - interval) / 8
  }

  /// For how many seconds it is worth waiting for a picture newer than the last; 0 for not at all.
  ///
  /// - Parameter now: Nanoseconds of the monotonic clock.
  package func patience(at now: UInt64) -> Double {
    guard let interval, interval <= Self.longestInterval, let last, now > last else { return 0 }
    let age = Double(now - last) / 1e9
    guard age >= Self.waitedFor.lowerBound * interval else { return 0 }
    return max(0, Self.waitedFor.upperBound * interval - age)
  }
}
