// Fovea - random numbers that follow from what they are for.
// SPDX-License-Identifier: Apache-2.0

/// Random numbers that follow from a key: the seed of a run, a step and a picture.
///
/// Whoever resumes a run draws the same numbers, whatever was drawn before.
struct CounterRandom: RandomNumberGenerator {
  private var state: UInt64

  /// The numbers of a key.
  init(_ key: UInt64...) {
    state = 0x9E37_79B9_7F4A_7C15
    for part in key { state = Self.mixed(state ^ Self.mixed(part)) }
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func next() -> UInt64 {
    state = state &+ 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// A number in 0..<1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number in `range`.
  mutating func number(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }

  /// A number of the normal distribution.
  mutating func normal() -> Double {
    // The sum of twelve numbers has the variance 1.
    (0..<12).reduce(-6) { sum, _ in sum + unit() }
  }

  /// A number in 0..<count.
  mutating func place(_ count: Int) -> Int { Int(unit() * Double(count)) }
}
