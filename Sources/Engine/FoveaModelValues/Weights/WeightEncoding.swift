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
  /// The same as a look-up table, with a table for each part; an entry of a table is as many numbers
  /// as a code stands for.
  case lookupTables(bits: Int, tables: [Float], parts: WeightParts)
  /// The same as linear codes, with a scale for each part; as many biases or none.
  case linearParts(bits: Int, scale: [Float], bias: [Float], parts: WeightParts)

  /// The bits of one stored value.
  public var bitsPerValue: Int {
    switch self {
    case .float32: 32
    case .float16: 16
    case .lookupTable(let bits, _), .linear(let bits, _, _): bits
    case .lookupTables(let bits, _, _), .linearParts(let bits, _, _, _): bits
    case .signedLinear: 8
    }
  }

  /// Whether values are stored as codes.
  public var isQuantized: Bool {
    switch self {
    case .float32, .float16: false
    case .lookupTable, .linear, .signedLinear, .lookupTables, .linearParts: true
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
    case .lookupTables(let bits, _, let parts):
      "\(bits)-bit lookup table" + (parts.count > 1 ? ", \(parts.count) groups" : "")
        + (parts.vector > 1 ? ", vectors of \(parts.vector)" : "")
    case .linearParts(let bits, _, _, let parts): "\(bits)-bit linear, \(parts.blockName)"
    }
  }

  /// The number of weights that one stored value stands for.
  var weightsPerValue: Int {
    if case .lookupTables(_, _, let parts) = self { parts.vector } else { 1 }
  }

  /// The number of bytes of `count` weights, rounded up; `nil` on overflow.
  public func byteCount(_ count: Int) -> Int? {
    let (bits, overflow) = (count / weightsPerValue).multipliedReportingOverflow(by: bitsPerValue)
    return overflow || count < 0 ? nil : bits / 8 + (bits % 8 == 0 ? 0 : 1)
  }
}

extension WeightParts {
  /// "blocks of 32" where scales have blocks along one axis, else how many scales there are.
  fileprivate var blockName: String {
    let cut = shape.indices.filter { counts[$0] > 1 && counts[$0] < shape[$0] }
    return cut.count == 1 ? "blocks of \(shape[cut[0]] / counts[cut[0]])" : "\(count) scales"
  }
}
