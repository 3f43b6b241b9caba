// Fovea - the number of a constant that has one.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension TensorConstant {
  /// The element of a constant that has one; `nil` for others, and for types that are no usual ones.
  var onlyNumber: Double? {
    guard count == 1, case .bytes(let bytes) = content, bytes.count * 8 >= element.bits else {
      return nil
    }
    let word = bytes.array.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    switch element {
    case .float32: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
    case .float64: return Double(bitPattern: word)
    case .float16: return Double(Float(halfPrecisionBits: UInt16(truncatingIfNeeded: word)))
    case .int32: return Double(Int32(truncatingIfNeeded: word))
    case .int64: return Double(Int64(truncatingIfNeeded: word))
    default: return nil
    }
  }
}
