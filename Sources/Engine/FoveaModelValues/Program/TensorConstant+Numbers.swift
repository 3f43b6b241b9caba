// Fovea - constants of programs made of numbers.
// SPDX-License-Identifier: Apache-2.0

extension TensorConstant {
  /// A constant of 32-bit floats.
  package static func floats(_ values: [Float], shape: [Int]) -> TensorConstant {
    TensorConstant(
      element: .float32, shape: shape, content: .bytes(bytes(values.map(\.bitPattern))))
  }

  /// A constant of 32-bit integers. Greater ones become the greatest, as ends of slices that mean
  /// "up to the end" do.
  package static func integers(_ values: [Int], shape: [Int]) -> TensorConstant {
    TensorConstant(
      element: .int32, shape: shape, content: .bytes(bytes(values.map { Int32(clamping: $0) })))
  }

  /// A constant of truth values.
  package static func booleans(_ values: [Bool], shape: [Int]) -> TensorConstant {
    TensorConstant(
      element: .bool, shape: shape, content: .bytes(StoredBytes(values.map { $0 ? 1 : 0 })))
  }

  /// Codes packed one after another, each least significant bit first, as programs store them; the
  /// last byte is filled with zero bits.
  package static func packed(_ codes: [UInt8], bits: Int) -> [UInt8] {
    if bits == 8 { return codes }
    var bytes: [UInt8] = []
    bytes.reserveCapacity((codes.count * bits + 7) / 8)
    var (window, held) = (0, 0)
    for code in codes {
      window |= Int(code) << held
      held += bits
      if held >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: window))
        window >>= 8
        held -= 8
      }
    }
    if held > 0 { bytes.append(UInt8(truncatingIfNeeded: window)) }
    return bytes
  }

  private static func bytes(_ words: [some FixedWidthInteger]) -> StoredBytes {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(words.count * 4)
    for word in words { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    return StoredBytes(bytes)
  }
}
