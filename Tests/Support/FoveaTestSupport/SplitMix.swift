// Fovea - reproducible random numbers for tests.
// SPDX-License-Identifier: Apache-2.0

/// The generator of the same name (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014): the same sequence on every machine.
public struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  /// A generator whose sequence depends on the seed alone.
  public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number in 0..<bound; the bias is below bound / 2^64.
  public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// A linear congruential generator (Knuth, MMIX). Its high bits are the good ones. Tests whose numbers
/// are written down use it; new tests use `SplitMix`.
public struct MMIXGenerator {
  private var state: UInt64

  /// A generator that begins after `state`.
  public init(state: UInt64) { self.state = state }

  /// The next state.
  public mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}
