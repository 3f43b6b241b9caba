// Fovea - weights as they go into a Core ML file.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelFormat

/// An array of weights on its way into a file.
///
/// The counterpart of `WeightData`: what is written here is what the reader finds again.
package enum WrittenWeights: Sendable, Equatable {
  /// IEEE 754 binary32.
  case float32([Float])
  /// IEEE 754 binary16; values are rounded to nearest, ties to even.
  case float16([Float])
  /// weight = table[code]; the table has 2^bits entries.
  case table(bits: Int, table: [Float], codes: [UInt8])
  /// weight = code * scale[c] + bias[c].
  case linear(bits: Int, scale: [Float], bias: [Float], codes: [UInt8])
  /// weight = (code - zero[c]) * scale[c], one scale and zero or one of each for every channel.
  case shifted(bits: Int, scale: [Float], zero: [UInt8], codes: [UInt8])

  /// The fields of a Core ML `WeightParams` message, without those that are kept.
  ///
  /// Codes of fewer than 8 bits are one string of bits, most significant bit first.
  var fields: [UInt8] {
    var message = WireWriter()
    switch self {
    case .float32(let values): message.floats(1, values)
    case .float16(let values):
      var halves: [UInt8] = []
      halves.reserveCapacity(2 * values.count)
      for value in values {
        let half = HalfPrecision.pattern(of: value)
        halves.append(UInt8(truncatingIfNeeded: half))
        halves.append(UInt8(truncatingIfNeeded: half >> 8))
      }
      message.bytes(2, halves)
    case .table(let bits, let table, let codes):
      message.bytes(30, Self.packed(codes, bits: bits))
      var lookup = WireWriter()
      lookup.floats(1, table)
      var quantization = WireWriter()
      quantization.integer(1, bits)
      quantization.bytes(102, lookup.output)
      message.bytes(40, quantization.output)
    case .shifted(let bits, let scale, let zero, let codes):
      let bias = zip(scale, zero).map { -$0 * Float($1) }
      return WrittenWeights.linear(bits: bits, scale: scale, bias: bias, codes: codes).fields
    case .linear(let bits, let scale, let bias, let codes):
      message.bytes(30, Self.packed(codes, bits: bits))
      var linear = WireWriter()
      linear.floats(1, scale)
      linear.floats(2, bias)
      var quantization = WireWriter()
      quantization.integer(1, bits)
      quantization.bytes(101, linear.output)
      message.bytes(40, quantization.output)
    }
    return message.output
  }

  /// Whether the weights are codes.
  var isCoded: Bool {
    switch self {
    case .float32, .float16: false
    case .table, .linear, .shifted: true
    }
  }

  /// The first version of the specification that has such weights; 0 for those that all have.
  var leastVersion: Int {
    switch self {
    case .float32: 0
    case .float16: 2  // iOS 11.2, macOS 10.13.2
    case .table, .linear, .shifted: 3  // iOS 12, macOS 10.14
    }
  }

  /// The weights that a reader finds.
  package func decoded(_ layout: WeightLayout) -> [Float] {
    func channel(_ index: Int, of count: Int) -> Int {
      count == 1 ? 0 : index / layout.channelStride % layout.channelCount
    }
    switch self {
    case .float32(let values): return values
    case .float16(let values): return values.map(HalfPrecision.rounded)
    case .table(_, let table, let codes): return codes.map { table[Int($0)] }
    case .linear(_, let scale, let bias, let codes):
      return codes.enumerated().map { index, code in
        let channel = channel(index, of: scale.count)
        return Float(Double(code) * Double(scale[channel]) + Double(bias[channel]))
      }
    case .shifted(_, let scale, let zero, let codes):
      return codes.enumerated().map { index, code in
        let channel = channel(index, of: scale.count)
        return Float(Int(code) - Int(zero[channel])) * scale[channel]
      }
    }
  }

  /// Codes packed one after another, each most significant bit first; the last byte is filled
  /// with zero bits.
  static func packed(_ codes: [UInt8], bits: Int) -> [UInt8] {
    if bits == 8 { return codes }
    var bytes: [UInt8] = []
    bytes.reserveCapacity((codes.count * bits + 7) / 8)
    var (window, held) = (0, 0)
    for code in codes {
      window = window << bits | Int(code)
      held += bits
      if held >= 8 {
        held -= 8
        bytes.append(UInt8(truncatingIfNeeded: window >> held))
        window &= (1 << held) - 1
      }
    }
    if held > 0 { bytes.append(UInt8(truncatingIfNeeded: window << (8 - held))) }
    return bytes
  }
}
