// Fovea - codes in the order of bits that the core reads.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// Programs store the lowest bits of a byte first, the core reads the highest first.
enum CodePacking {
  /// The bits of the codes of a table; `nil` for a number of entries that no table has.
  static func bits(ofTable entries: Int) -> Int? {
    [2: 1, 4: 2, 8: 3, 16: 4, 64: 6, 256: 8][entries]
  }

  /// Whether codes and numbers of their tables or scales take less memory than floats.
  static func pays(bits: Int, codes: Int, numbers: Int, weights: Int) -> Bool {
    codes / 8 * bits + 4 * numbers < 4 * weights
  }

  /// The same codes in the core's order, with a number added to each; a code has no more bits after.
  static func highBitsFirst(
    _ bytes: StoredBytes, bits: Int, count: Int, adding offset: Int = 0
  ) -> StoredBytes {
    let codes = bytes.codes(bits: bits, count)
    let mask = UInt8(truncatingIfNeeded: 1 << bits - 1)
    var packed: [UInt8] = []
    packed.reserveCapacity((count * bits + 7) / 8)
    var (window, filled) = (UInt32(0), 0)
    for code in codes {
      let code = (code &+ UInt8(truncatingIfNeeded: offset)) & mask
      window = window << UInt32(bits) | UInt32(code)
      filled += bits
      if filled >= 8 {
        filled -= 8
        packed.append(UInt8(truncatingIfNeeded: window >> UInt32(filled)))
      }
    }
    if filled > 0 { packed.append(UInt8(truncatingIfNeeded: window << UInt32(8 - filled))) }
    return StoredBytes(packed)
  }
}

extension ConstantValue {
  /// Codes that are entries of this table.
  func lookedUp(
    _ codes: StoredBytes, bits: Int, shape: [Int]
  ) throws(FoveaError) -> ConstantValue {
    let count = shape.reduce(1, *)
    let codes = bits == 8 ? codes : CodePacking.highBitsFirst(codes, bits: bits, count: count)
    return ConstantValue(
      WeightData(codes, encoding: .lookupTable(bits: bits, table: try floats())), axis: nil,
      shape: shape)
  }
}
