// Fovea - how stored values become weights.
// SPDX-License-Identifier: Apache-2.0

/// The encoding of stored weights.
///
/// Codes of fewer than 8 bits form one string of bits over the whole array. The first code is in
/// the most significant bits of the first byte. Each code begins with its most significant bit, and
/// may cross a border of bytes.
public enum WeightEncoding: Sendable, Hashable {
  /// Little-endian IEEE 754 binary32.
  case float32
  /// Little-endian IEEE 754 binary16.
  case float16
  /// weight = table[code], codes of 1...8 bits, a table of exactly 2^bits entries.
  case lookupTable(bits: Int, table: [Float])
  /// weight = code * scale[c] + bias[c], codes of 1...8 bits; scale has one entry or one per
  /// channel, bias as many or none.
  case linear(bits: Int, scale: [Float], bias: [Float])
  /// weight = code * scale, codes signed bytes.
  case signedLinear(scale: Float)

  /// The bits of one stored value.
  public var bitsPerValue: Int {
    switch self {
    case .float32: 32
    case .float16: 16
    case .lookupTable(let bits, _), .linear(let bits, _, _): bits
    case .signedLinear: 8
    }
  }

  /// Whether values are stored as codes.
  public var isQuantized: Bool {
    switch self {
    case .float32, .float16: false
    case .lookupTable, .linear, .signedLinear: true
    }
  }

  /// A readable name.
  public var name: String {
    switch self {
    case .float32: "float32"
    case .float16: "float16"
    case .lookupTable(let bits, _): "\(bits)-bit lookup table"
    case .linear(let bits, _, _): "\(bits)-bit linear"
    case .signedLinear: "signed 8-bit linear"
    }
  }

  /// The number of bytes of `count` values, rounded up; `nil` on overflow.
  public func byteCount(_ count: Int) -> Int? {
    let (bits, overflow) = count.multipliedReportingOverflow(by: bitsPerValue)
    return overflow || count < 0 ? nil : bits / 8 + (bits % 8 == 0 ? 0 : 1)
  }
}
