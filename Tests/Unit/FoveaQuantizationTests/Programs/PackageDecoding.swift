// Fovea - tests: weights of a written package, decoded with plain loops.
// SPDX-License-Identifier: Apache-2.0
import FoveaQuantization
import FoveaModelFormat
import Testing

extension PlainPackage {
  /// The operation of a function that computes a value.
  func operation(_ function: String, computing name: String) -> PlainOperation? {
    functions[function]?.first { $0.results.contains { $0.name == name } }
  }

  /// The operation that gives the weights of a layer, or its bias.
  func source(_ function: String, ofLayer name: String, _ argument: String) throws -> PlainOperation
  {
    let layer = try #require(operation(function, computing: name), "\(name)")
    let input = try #require(layer.inputs[argument], "\(name)")
    return try #require(operation(function, computing: input))
  }

  /// The numbers that an operation stands for.
  func floats(_ operation: PlainOperation) throws -> [Float] {
    let (constants, shape) = (operation.constants, operation.results[0].shape)
    let count = shape.reduce(1, *)
    switch operation.kind {
    case "const": return try #require(constants["val"]).floats
    case "constexpr_cast": return try #require(constants["source_val"]).floats
    case "constexpr_lut_to_dense":
      let (table, indices) = try (
        #require(constants["lut"]).floats, #require(constants["indices"])
      )
      let bits = table.count.trailingZeroBitCount
      if let stated = constants["shape"] {
        #expect(stated.integers == shape && indices.type == 31)
        #expect(constants["lut"]?.shape == [table.count])
        #expect(indices.shape == [(count * bits + 7) / 8])
      } else {
        #expect(indices.shape == shape && PlainConstant.bits[indices.type] == bits)
        #expect(constants["lut"]?.shape == shape.map { _ in 1 } + [table.count, 1])
      }
      return (0..<count).map { table[indices.code($0, bits: bits)] }
    case "constexpr_affine_dequantize":
      let axis = try #require(constants["axis"]).integers[0]
      return try linear("quantized_data", zero: "zero_point", axis: axis, operation)
    case "constexpr_blockwise_shift_scale":
      let scale = try #require(constants["scale"])
      #expect(scale.shape.count == shape.count)
      let axis = scale.shape.firstIndex { $0 > 1 } ?? 0
      return try linear("data", zero: "offset", axis: axis, operation)
    default:
      Issue.record("\(operation.kind)")
      return []
    }
  }

  private func linear(
    _ data: String, zero: String, axis: Int, _ operation: PlainOperation
  ) throws -> [Float] {
    let (data, scale, zero) = try (
      #require(operation.constants[data]), #require(operation.constants["scale"]),
      #require(operation.constants[zero])
    )
    let shape = operation.results[0].shape
    #expect(data.shape == shape && zero.shape == scale.shape && data.type == zero.type)
    #expect([1, shape[axis]].contains(scale.count))
    let (scales, zeros, codes) = (scale.floats, zero.integers, data.integers)
    let inner = shape[(axis + 1)...].reduce(1, *)
    return codes.indices.map { index in
      let channel = scales.count == 1 ? 0 : index / inner % shape[axis]
      return scales[channel] * Float(codes[index] - zeros[channel])
    }
  }
}

/// Compares what was written with what was chosen.
enum WrittenPackage {
  /// Every array of a result is in the package, exactly as the quantizer chose it. Returns the kinds of
  /// the operations that give weights.
  @discardableResult static func check(
    _ result: ModelQuantizer.Result, function: String = "main"
  ) throws -> [String] {
    let package = try PlainPackage(model: result.bytes, files: result.constants)
    package.checkFiles()
    var kinds: [String] = []
    for (layer, isBias, weights) in result.weights {
      let source = try package.source(function, ofLayer: layer, isBias ? "bias" : "weight")
      let shape = source.results[0].shape
      let inner =
        package.operation(function, computing: layer)?.kind == "conv_transpose"
        ? shape[2...].reduce(1, *) : shape.dropFirst().reduce(1, *)
      let found = try package.floats(source)
      #expect(found == chosen(weights, shape: shape, inner: inner), "\(layer)")
      if !isBias { kinds.append(source.kind) }
    }
    return kinds
  }

  /// What the codes stand for.
  private static func chosen(_ weights: WrittenWeights, shape: [Int], inner: Int) -> [Float] {
    switch weights {
    case .float32(let values): return values
    case .float16(let values): return values.map(PlainHalf.rounded)
    case .table(_, let table, let codes): return codes.map { table[Int($0)] }
    case .shifted(_, let scale, let zero, let codes):
      return codes.enumerated().map { index, code in
        let channel = scale.count == 1 ? 0 : index / inner % scale.count
        return scale[channel] * Float(Int(code) - Int(zero[channel]))
      }
    case .linear: return []
    }
  }
}
