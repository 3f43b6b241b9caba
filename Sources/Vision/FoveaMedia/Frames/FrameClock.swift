// Fovea - times of pictures that never fall.
// SPDX-License-Identifier: Apache-2.0

/// Makes times that never fall of those that a source states.
///
/// A source may state none, jump back where two recordings were joined, jump ahead, or begin anew
/// after 33 bits. A jump back, or one of more than ten seconds ahead, becomes a step of the nominal
/// duration; what follows keeps its distance from there.
package struct FrameClock: Sendable {
  /// The longest step ahead that is believed, in seconds.
  static let longestStep = 10.0

  /// The nominal duration of a picture, in seconds.
  private let duration: Double
  /// What is added to stated times.
  private var offset: Double?
  private var last: Double?

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - start: The time in seconds that the source states for its start, which becomes 0; `nil`
  ///     lets the first picture begin at 0.
  ///   - duration: How long a picture is seen, in seconds; 1/25 where that is unknown or senseless.
  package init(start: Double?, duration: Double?) {
    offset = start.map { $0.isFinite ? -$0 : 0 }
    let isUsable = duration.map { $0.isFinite && $0 > 0 && $0 <= 60 } ?? false
    self.duration = isUsable ? duration ?? 0.04 : 0.04
  }

  /// The time of the next picture, which states `stated`.
  ///
  /// - Returns: The time, and whether it is a guess.
  package mutating func time(of stated: Double?) -> (seconds: Double, isEstimated: Bool) {
    guard let stated, stated.isFinite else {
      let next = last.map { $0 + duration } ?? 0
      last = next
      return (next, true)
    }
    let shift = offset ?? -stated
    offset = shift
    let time = stated + shift
    guard let last else {
      // What comes before the stated start begins at 0, as what states no start does.
      let first = time < 0 || time > Self.longestStep ? 0 : time
      offset = first - stated
      self.last = first
      return (first, first != time)
    }
    // A guess may have run ahead of what is stated, by less than a picture.
    if time > last - duration, time <= last { return (last, true) }
    if time > last, time - last <= Self.longestStep { return (step(to: time, stated), false) }
    return (step(to: last + duration, stated), true)
  }

  private mutating func step(to time: Double, _ stated: Double) -> Double {
    offset = time - stated
    last = time
    return time
  }
}
