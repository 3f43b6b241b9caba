// Fovea - programs whose results are the same within rounding.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat

extension TensorProgram {
  /// Whether backends must agree about all functions.
  var hasOneAnswer: Bool { functions.values.allSatisfy(\.hasOneAnswer) }
}

extension TensorProgram.Function {
  /// Whether no rounding error becomes a step. Operations that jump may read what has not been
  /// rounded: inputs, constants, and parts of these.
  fileprivate var hasOneAnswer: Bool {
    var exact = Set(inputs.map(\.name))
    for operation in operations {
      guard operation.constants.allSatisfy(\.isOrdinary), operation.kind != "tan" else {
        return false
      }
      let isExact = operation.arguments.values.joined().allSatisfy { argument in
        if case .value(let name) = argument { exact.contains(name) } else { true }
      }
      if operation.jumps && !isExact { return false }
      if isExact && (operation.jumps || operation.isConstant || operation.moves) {
        exact.formUnion(operation.results.map(\.name))
      }
    }
    return true
  }
}

extension TensorProgram.Operation {
  fileprivate var constants: [TensorConstant] {
    arguments.values.joined().compactMap { argument in
      if case .constant(let constant) = argument { constant } else { nil }
    }
  }

  /// Whether a small change of what is read can become a large one.
  fileprivate var jumps: Bool {
    if kind == "cast" { return !castsToFloats }
    if kind == "resample" { return true }
    return Self.jumping.contains(kind)
  }

  private var castsToFloats: Bool {
    guard case .constant(let constant)? = arguments["dtype"]?.first,
      case .strings(let words) = constant.content
    else { return false }
    return words.allSatisfy { $0.hasPrefix("fp") }
  }

  /// Whether elements stay as they are.
  fileprivate var moves: Bool { Self.moving.contains(kind) }

  private static let jumping: Set<String> = [
    "topk", "argsort", "reduce_argmax", "reduce_argmin", "equal", "not_equal", "greater",
    "greater_equal", "less", "less_equal", "logical_and", "logical_or", "logical_xor",
    "logical_not", "select", "floor", "ceil", "round", "sign", "floor_div", "mod", "quantize",
    "non_maximum_suppression", "gather", "gather_along_axis", "gather_nd", "crop_resize",
    "threshold", "thresholded_relu",
  ]
  private static let moving: Set<String> = [
    "identity", "reshape", "reshape_like", "transpose", "expand_dims", "squeeze", "flatten2d",
    "slice_by_index", "slice_by_size", "split", "concat", "stack", "tile", "reverse", "crop", "pad",
    "shape", "range_1d", "fill", "fill_like", "depth_to_space", "space_to_depth", "pixel_shuffle",
    "pixel_unshuffle", "upsample_nearest_neighbor", "max_pool", "relu", "clip", "cast",
  ]
}

extension TensorConstant {
  /// Whether floats are numbers of a size that networks have.
  fileprivate var isOrdinary: Bool {
    guard case .bytes(let stored) = content else { return true }
    let bytes = stored.array
    func words<Word: FixedWidthInteger>(_ type: Word.Type) -> [Word] {
      stride(from: 0, to: bytes.count - MemoryLayout<Word>.size + 1, by: MemoryLayout<Word>.size)
        .map { start in
          (0..<MemoryLayout<Word>.size).reduce(0) { $0 | Word(bytes[start + $1]) << Word(8 * $1) }
        }
    }
    return switch element {
    case .float32: words(UInt32.self).allSatisfy { abs(Float(bitPattern: $0)) < 1e6 }
    case .float64: words(UInt64.self).allSatisfy { abs(Double(bitPattern: $0)) < 1e6 }
    case .float16: words(UInt16.self).allSatisfy { $0 & 0x7C00 != 0x7C00 }
    case .bfloat16:
      words(UInt16.self).allSatisfy { abs(Float(bitPattern: UInt32($0) << 16)) < 1e6 }
    default: true
    }
  }
}
