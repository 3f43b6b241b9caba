// Fovea - weights as a file stores them.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// The weights of a convolution as a file stores them, so that they can be written as small again.
package struct FileWeights: Sendable {
  enum Form {
    /// Two bytes for each weight, the lower one first.
    case halves
    /// A byte for each weight, which chooses from a table of 2^bits numbers.
    case table(bits: Int, [Float])
    /// A byte for each weight, which is multiplied and shifted: alike, or by numbers of its row.
    case linear(scale: [Float], bias: [Float])
  }

  private(set) var form: Form
  private(set) var bytes: [UInt8]
  /// What multiplies each row; `nil` for 1.
  private(set) var factor: [Float]?

  /// What a graph says; `nil` for floats, and for forms that are written as floats.
  init?(_ reading: fov_weights_reading, _ bytes: [UInt8]) {
    func numbers(_ start: UnsafePointer<Float>?, _ count: Int) -> [Float] {
      Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
    }
    let (bits, rows) = (Int(reading.bits), reading.rows)
    switch reading.encoding {
    case .float16: form = .halves
    case .lookup_table: form = .table(bits: bits, numbers(reading.table, 1 << bits))
    case .linear:
      let count = reading.scale_count
      let (scale, bias) = (numbers(reading.scale, count), numbers(reading.bias, count))
      let places = count == 1 ? [0] : (0..<rows).map { $0 * count / rows }
      form = .linear(scale: places.map { scale[$0] }, bias: places.map { bias[$0] })
    default: return nil
    }
    self.bytes = bytes
    factor = reading.factor.map { numbers($0, rows) }
  }

  /// Chosen rows.
  ///
  /// - Parameter length: The weights of a row.
  func rows(_ rows: [Int], length: Int) -> FileWeights {
    var chosen = self
    var size = length
    switch form {
    case .halves: size *= 2
    case .table: break
    case .linear(let scale, let bias):
      if scale.count > 1 {
        chosen.form = .linear(scale: rows.map { scale[$0] }, bias: rows.map { bias[$0] })
      }
    }
    chosen.bytes = rows.flatMap { bytes[$0 * size..<($0 + 1) * size] }
    chosen.factor = factor.map { factor in rows.map { factor[$0] } }
    return chosen
  }
}
