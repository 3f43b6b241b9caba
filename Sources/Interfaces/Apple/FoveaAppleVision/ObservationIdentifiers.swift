// Fovea - identifiers of observations.
// SPDX-License-Identifier: Apache-2.0
package import FoveaApple
internal import FoveaLibc

extension UUID {
  private static let state = Locked(
    (first: UInt64.random(in: 0 ... .max), second: UInt64.random(in: 0 ... .max)))

  /// Another identifier. The system is asked for random bits once: a picture may have thousands of
  /// observations, and asking for each would take longer than finding them.
  package static func next() -> UUID {
    let (high, low) = state.withLock { state in
      // Both step through all numbers; the golden ratio keeps neighbors far apart.
      state.first &+= 0x9E37_79B9_7F4A_7C15
      state.second &+= 0xD1B5_4A32_D192_ED03
      return (mixed(state.first), mixed(state.second))
    }
    // Version 4, variant 1.
    let words = (high & ~0xF000 | 0x4000, low & ~(3 << 62) | 2 << 62)
    func byte(_ word: UInt64, _ place: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * place))
    }
    let (a, b) = words
    return UUID(
      uuid: (
        byte(a, 0), byte(a, 1), byte(a, 2), byte(a, 3), byte(a, 4), byte(a, 5), byte(a, 6),
        byte(a, 7), byte(b, 0), byte(b, 1), byte(b, 2), byte(b, 3), byte(b, 4), byte(b, 5),
        byte(b, 6), byte(b, 7)
      ))
  }

  /// A number for each number, none twice (SplitMix64).
  private static func mixed(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
