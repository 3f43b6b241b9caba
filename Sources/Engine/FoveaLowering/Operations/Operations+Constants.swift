// Fovea - operations of programs that give constants.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension OperationLowering {
  /// Encoded weights, and arrays that follow from shapes.
  static let constantRules: [String: OperationRule] = [
    "constexpr_affine_dequantize": { op throws(FoveaError) in try op.affineDequantize() },
    "constexpr_lut_to_dense": { op throws(FoveaError) in try op.lookUpDense() },
    "constexpr_lut_to_sparse": { op throws(FoveaError) in try op.lookUpSparse() },
    "constexpr_blockwise_shift_scale": { op throws(FoveaError) in try op.blockwiseShiftScale() },
    "constexpr_sparse_blockwise_shift_scale": { op throws(FoveaError) in
      try op.sparseBlockwiseShiftScale()
    },
    "constexpr_sparse_to_dense": { op throws(FoveaError) in try op.sparseToDense() },
    "constexpr_cast": { op throws(FoveaError) in
      let value = try op.constant("source_val")
      return [.constant(ConstantValue(try value.floats(), shape: value.shape))]
    },
    "shape": { op throws(FoveaError) in
      [.constant(ConstantValue(integers: try op.argument("x").shape))]
    },
    "range_1d": { op throws(FoveaError) in try op.range() },
    "fill": { op throws(FoveaError) in try op.fill(op.sizes("shape")) },
    "fill_like": { op throws(FoveaError) in try op.fill(op.argument("ref_tensor").shape) },
  ]

  /// start, start + step, ... below end.
  private func range() throws(FoveaError) -> [ProgramValue] {
    let start = Double(try float("start"))
    let end = Double(try float("end"))
    let step = Double(try float("step"))
    let count = ((end - start) / step).rounded(.up)
    guard step != 0, count >= 0, count <= Double(Self.largestFill) else {
      throw mismatch("a range from \(start) to \(end) in steps of \(step)")
    }
    let values = (0..<Int(count)).map { Float(start + Double($0) * step) }
    let elementClass = try argument("start").elementClass ?? .float
    return [.constant(ConstantValue(values, shape: [values.count], as: elementClass))]
  }

  /// An array of one value.
  private func fill(_ shape: [Int]) throws(FoveaError) -> [ProgramValue] {
    let count = try elementCount(shape)
    guard count <= Self.largestFill, shape.count <= ReadingLimits().rank else {
      throw mismatch("an array of shape \(shape) filled with one value")
    }
    let elementClass = try has("value") ? argument("value").elementClass ?? .float : .float
    return [
      .constant(
        ConstantValue(
          Array(repeating: try float("value", default: 0), count: count), shape: shape,
          as: elementClass))
    ]
  }

  /// A few bytes of a file can ask for any number of elements; no grid of a detector has more.
  private static let largestFill = 1 << 24
}
