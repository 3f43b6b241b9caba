// Fovea - the oldest set of operations that a program can be written in.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension TensorProgram.Function {
  /// The oldest set that has all operations with the arguments that they are given.
  var leastOperationSet: String {
    var constants: Set<String> = []
    var least = 5
    for operation in operations {
      if operation.isConstant { constants.formUnion(operation.results.map(\.name)) }
      least = max(least, operation.leastOperationSet(constants: constants))
    }
    return "CoreML\(least)"
  }
}

extension TensorProgram.Operation {
  /// The oldest set that has the operation with its arguments.
  ///
  /// - Parameter constants: The values before it that are constants.
  fileprivate func leastOperationSet(constants: Set<String>) -> Int {
    var least = Self.firstSets[kind] ?? 5
    for argument in arguments.keys {
      let first = Self.firstArguments["\(kind).\(argument)"] ?? Self.firstArguments[argument]
      least = max(least, first ?? 5)
    }
    switch kind {
    // Until iOS 17 these have a shape; since iOS 18 codes are elements.
    case "constexpr_lut_to_dense", "constexpr_sparse_to_dense":
      if arguments["shape"] == nil { least = 8 }
    case "non_maximum_suppression":
      if arguments["score_threshold"] == nil { least = 7 }
    case "conv", "conv_transpose":
      if case .value(let weight)? = arguments["weight"]?.first, !constants.contains(weight) {
        least = max(least, 7)
      }
      if hasText("same_lower") { least = max(least, 6) }
    case "max_pool", "avg_pool", "l2_pool":
      if hasText("same_lower") { least = max(least, 6) }
    default: break
    }
    return isConstant || !hasSmallIntegers ? least : max(least, 7)
  }

  private func hasText(_ text: String) -> Bool {
    guard case .constant(let constant)? = arguments["pad_type"]?.first else { return false }
    return constant.content == .strings([text])
  }

  /// Integers of 8 and 16 bits are computed with since iOS 17.
  private var hasSmallIntegers: Bool {
    results.contains { result in
      guard case .tensor(let type) = result.type else { return false }
      return type.element.isInteger && type.element != .int32
    }
  }

  private static let firstSets: [String: Int] = [
    "constexpr_affine_dequantize": 6, "constexpr_cast": 6, "constexpr_lut_to_dense": 6,
    "constexpr_sparse_to_dense": 6, "fill_like": 6, "pixel_unshuffle": 6, "reshape_like": 6,
    "quantize": 7, "dequantize": 7, "resize": 7, "constexpr_blockwise_shift_scale": 8,
    "constexpr_lut_to_sparse": 8, "constexpr_sparse_blockwise_shift_scale": 8,
    "scaled_dot_product_attention": 8,
  ]

  /// Arguments that came later than their operations.
  private static let firstArguments: [String: Int] = [
    "batch_dims": 6, "sort": 6, "return_indices": 6, "half_pixel_centers": 6, "pad_value": 6,
    "validate_indices": 7, "output_indices_dtype": 7, "crop_resize.boxes": 7,
    "reduce_argmax.output_dtype": 7, "reduce_argmin.output_dtype": 7,
  ]
}
