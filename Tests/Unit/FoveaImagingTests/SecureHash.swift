// Fovea - SHA-256, to compare pixels with stored answers.
// SPDX-License-Identifier: Apache-2.0
import Foundation

/// SHA-256 (FIPS 180-4), with its constants computed from their definition.
enum SecureHash {
  private static let primes: [Double] = (2...311).filter { candidate in
    !(2..<candidate).contains { candidate % $0 == 0 }
  }.map(Double.init)

  /// The first 32 bits of the fraction of each root.
  private static func fractions(_ roots: [Double]) -> [UInt32] {
    roots.map { UInt32(($0 - $0.rounded(.down)) * 4_294_967_296) }
  }

  private static let roundConstants = fractions(primes.map { cbrt($0) })

  static func hexadecimal(of bytes: [UInt8]) -> String {
    var state = fractions(primes.prefix(8).map { $0.squareRoot() })
    let padding = [UInt8](repeating: 0, count: (119 - bytes.count % 64) % 64)
    let bits = UInt64(bytes.count) * 8
    let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
    let message = bytes + [0x80] + padding + length
    for start in stride(from: 0, to: message.count, by: 64) {
      absorb(message[start..<start + 64], into: &state)
    }
    return state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private static func absorb(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words = [UInt32](repeating: 0, count: 64)
    for (index, byte) in block.enumerated() {
      words[index / 4] = words[index / 4] << 8 | UInt32(byte)
    }
    for t in 16..<64 {
      let (w15, w2) = (words[t - 15], words[t - 2])
      let s0 = turned(w15, 7) ^ turned(w15, 18) ^ w15 >> 3
      let s1 = turned(w2, 17) ^ turned(w2, 19) ^ w2 >> 10
      words[t] = words[t - 16] &+ s0 &+ words[t - 7] &+ s1
    }
    var v = state
    for t in 0..<64 {
      let s1 = turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)
      let choice = v[4] & v[5] ^ ~v[4] & v[6]
      let first = v[7] &+ s1 &+ choice &+ roundConstants[t] &+ words[t]
      let s0 = turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)
      let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
      v = [first &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
    }
    for index in 0..<8 { state[index] &+= v[index] }
  }

  private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }
}
