// Fovea - weights in every encoding, for tests, with the floats that they stand for.
// SPDX-License-Identifier: Apache-2.0
import CFovea

/// Weights as a file would hold them, and an independent account of their values.
struct StoredWeights {
  var encoding: fov_weight_encoding
  var bits: UInt32 = 0
  var data: [UInt8]
  var table: [Float] = []
  var scale: [Float] = []
  var bias: [Float] = []
  var parts = (0, 0, 0, 0)
  var vector = 0
  var vectorAxis = 0
  /// What the stored weights mean, in row-major order.
  var values: [Float]

  static func float32(_ values: [Float]) -> StoredWeights {
    StoredWeights(
      encoding: .float32, data: values.withUnsafeBytes { [UInt8]($0) }, values: values)
  }

  static func float16(_ values: [Float16]) -> StoredWeights {
    let data = values.flatMap { [UInt8($0.bitPattern & 0xFF), UInt8($0.bitPattern >> 8)] }
    return StoredWeights(encoding: .float16, data: data, values: values.map(Float.init))
  }

  static func table(_ codes: [UInt8], bits: Int, table: [Float]) -> StoredWeights {
    StoredWeights(
      encoding: .lookup_table, bits: UInt32(bits), data: pack(codes, bits: bits), table: table,
      values: codes.map { table[Int($0)] })
  }

  /// channel gives the scale's index for the position of a weight.
  static func linear(
    _ codes: [UInt8], bits: Int, scale: [Float], bias: [Float], channel: (Int) -> Int
  ) -> StoredWeights {
    let values = codes.enumerated().map { i, code in
      let c = scale.count == 1 ? 0 : channel(i)
      return Float(Double(code) * Double(scale[c]) + (bias.isEmpty ? 0 : Double(bias[c])))
    }
    return StoredWeights(
      encoding: .linear, bits: UInt32(bits), data: pack(codes, bits: bits), scale: scale,
      bias: bias, values: values)
  }

  /// Tables of parts; an entry is as many numbers as a code stands for.
  static func tables(
    _ codes: [UInt8], bits: Int, tables: [Float], _ cutting: WeightCutting
  ) -> StoredWeights {
    let values = cutting.map { code, part, neighbor in
      tables[(part << bits + Int(codes[code])) * cutting.vector + neighbor]
    }
    return StoredWeights(
      encoding: .lookup_table, bits: UInt32(bits), data: pack(codes, bits: bits), table: tables,
      parts: cutting.tuple, vector: cutting.vector, vectorAxis: cutting.vectorAxis, values: values)
  }

  /// Scales of parts.
  static func blocks(
    _ codes: [UInt8], bits: Int, scale: [Float], bias: [Float], _ cutting: WeightCutting
  ) -> StoredWeights {
    let values = cutting.map { code, part, _ in
      Float(Double(codes[code]) * Double(scale[part]) + (bias.isEmpty ? 0 : Double(bias[part])))
    }
    return StoredWeights(
      encoding: .linear, bits: UInt32(bits), data: pack(codes, bits: bits), scale: scale,
      bias: bias, parts: cutting.tuple, values: values)
  }

  /// One string of bits, most significant first, written bit by bit.
  static func pack(_ codes: [UInt8], bits: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (codes.count * bits + 7) / 8)
    for (i, code) in codes.enumerated() {
      for k in 0..<bits where code >> (bits - 1 - k) & 1 == 1 {
        let position = i * bits + k
        bytes[position / 8] |= 0x80 >> (position % 8)
      }
    }
    return bytes
  }

  /// Lends the C description for the duration of the call.
  func withDescription<R>(_ body: (UnsafePointer<fov_weights>) -> R) -> R {
    data.withUnsafeBytes { data in
      table.withUnsafeBufferPointer { table in
        scale.withUnsafeBufferPointer { scale in
          bias.withUnsafeBufferPointer { bias in
            var description = fov_weights(
              encoding: encoding, bits: bits, data: data.baseAddress!, data_bytes: data.count,
              table: table.baseAddress, table_count: table.count, scale: scale.baseAddress,
              scale_count: scale.count, bias: bias.baseAddress, bias_count: bias.count,
              parts: parts, vector: vector, vector_axis: vectorAxis)
            return body(&description)
          }
        }
      }
    }
  }
}
