// Fovea - lending stored weights to the core.
// SPDX-License-Identifier: Apache-2.0
package import CFovea
package import FoveaModelValues

extension WeightData {
  /// Lends the weights to the core as the file stores them: codes, tables and halves stay what
  /// they are. The pointer is valid only inside `body`.
  package func withCoreWeights<Result>(
    _ body: (UnsafePointer<fov_weights>) throws(FoveaError) -> Result
  ) throws(FoveaError) -> Result {
    let stored = contiguousBytes()
    let encoding = CoreEncoding(encoding)
    return try stored.withBytes { (bytes) throws(FoveaError) in
      try encoding.table.lending { (table) throws(FoveaError) in
        try encoding.scale.lending { (scale) throws(FoveaError) in
          try encoding.bias.lending { (bias) throws(FoveaError) in
            guard let data = bytes.baseAddress else {
              throw FoveaError(.invalidWeights, "the weights are empty")
            }
            var weights = fov_weights(
              encoding: encoding.encoding, bits: encoding.bits, data: data,
              data_bytes: bytes.count, table: table.baseAddress, table_count: table.count,
              scale: scale.baseAddress, scale_count: scale.count, bias: bias.baseAddress,
              bias_count: bias.count, parts: encoding.parts, vector: encoding.vector,
              vector_axis: encoding.vectorAxis)
            return try body(&weights)
          }
        }
      }
    }
  }
}

extension [Float] {
  /// Lends floats to the core as weights. The pointer is valid only inside `body`.
  package func withCoreWeights<Result>(
    _ body: (UnsafePointer<fov_weights>) throws(FoveaError) -> Result
  ) throws(FoveaError) -> Result {
    try lending { (floats) throws(FoveaError) in
      guard let data = floats.baseAddress else {
        throw FoveaError(.invalidWeights, "the weights are empty")
      }
      var weights = fov_weights(
        encoding: .float32, bits: 0, data: data,
        data_bytes: floats.count * MemoryLayout<Float>.size, table: nil, table_count: 0,
        scale: nil, scale_count: 0, bias: nil, bias_count: 0, parts: (0, 0, 0, 0), vector: 0,
        vector_axis: 0)
      return try body(&weights)
    }
  }
}

/// The parts of an encoding as the core wants them.
private struct CoreEncoding {
  var encoding: fov_weight_encoding
  var bits: UInt32 = 0
  var table: [Float] = []
  var scale: [Float] = []
  var bias: [Float] = []
  var parts = (0, 0, 0, 0)
  var vector = 0
  var vectorAxis = 0

  init(_ encoding: WeightEncoding) {
    switch encoding {
    case .float32: self.encoding = .float32
    case .float16: self.encoding = .float16
    case .lookupTable(let bits, let table):
      self.encoding = .lookup_table
      self.bits = UInt32(clamping: bits)
      self.table = table
    case .linear(let bits, let scale, let bias):
      self.encoding = .linear
      self.bits = UInt32(clamping: bits)
      self.scale = scale
      self.bias = bias
    case .signedLinear(let scale):
      // The core knows no signed codes; as entries of a table they are exact and stay codes.
      self.encoding = .lookup_table
      bits = 8
      table = (0...255).map { Float(Int8(bitPattern: UInt8($0))) * scale }
    case .lookupTables(let bits, let tables, let parts):
      self.encoding = .lookup_table
      self.bits = UInt32(clamping: bits)
      table = tables
      cut(parts)
    case .linearParts(let bits, let scale, let bias, let parts):
      self.encoding = .linear
      self.bits = UInt32(clamping: bits)
      self.scale = scale
      self.bias = bias
      cut(parts)
    }
  }

  /// The core's weights have two axes of channels and two of a kernel.
  private mutating func cut(_ weights: WeightParts) {
    let counts = weights.counts
    parts = (
      counts[0], counts.count > 1 ? counts[1] : 1, counts.count > 3 ? counts[2] : 1,
      counts.count > 2 ? counts[counts.count - 1] : 1
    )
    vector = weights.vector
    vectorAxis = weights.vectorAxis == 2 && counts.count == 3 ? 3 : weights.vectorAxis
  }
}

extension [Float] {
  /// `withUnsafeBufferPointer`; an empty array lends no address.
  fileprivate func lending<Result>(
    _ body: (UnsafeBufferPointer<Float>) throws(FoveaError) -> Result
  ) throws(FoveaError) -> Result {
    let result = withUnsafeBufferPointer { floats in
      Swift.Result { () throws(FoveaError) in
        try body(isEmpty ? UnsafeBufferPointer(start: nil, count: 0) : floats)
      }
    }
    return try result.get()
  }
}
