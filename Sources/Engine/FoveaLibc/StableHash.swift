// Fovea - a hash that is the same in every process.
// SPDX-License-Identifier: Apache-2.0

/// The 64-bit FNV-1a hash of bytes. Swift's own hashes differ from process to process.
package enum StableHash {
  /// Where hashes begin.
  package static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The hash of bytes, or of what came before and of them.
  package static func of(_ bytes: [UInt8], after start: UInt64 = start) -> UInt64 {
    bytes.withUnsafeBufferPointer { bytes in
      var hash = start
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      return hash
    }
  }
}
