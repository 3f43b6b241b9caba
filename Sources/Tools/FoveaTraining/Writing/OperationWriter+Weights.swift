// Fovea - weights of convolutions as constants of ML Programs.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaModelValues

extension OperationWriter {
  /// Writes a convolution.
  ///
  /// - Parameters:
  ///   - name: What the names of its constants begin with.
  ///   - others: Its arguments, but for weights and bias.
  mutating func convolution(
    _ own: TrainableNetwork.Convolution, named name: String,
    _ others: [String: TensorProgram.Argument], to result: String, _ shape: [Int]
  ) -> Value {
    var own = own
    // What multiplies the rows of a product multiplies the bias as well.
    let bias = own.stored?.factor.map { factor in zip(own.bias, factor).map { $0 / $1 } }
    if bias?.allSatisfy(\.isFinite) == false { own.stored = nil }
    let (weights, factor) = weights(of: own, named: name)
    var arguments = others
    arguments["weight"] = weights
    arguments["bias"] = constant(
      factor == nil ? own.bias : bias ?? own.bias, shape: [own.bias.count], named: name + "_bias")
    guard let factor else { return write("conv", arguments, to: result, shape) }
    let product = write("conv", arguments, to: name + "_product", shape)
    return binary("mul", product, .floats(factor, shape: [1, factor.count, 1, 1]), to: result)
  }

  /// Writes the weights of a convolution, as floats or as they were stored.
  ///
  /// - Returns: The weights, and what multiplies the rows of the product; `nil` for nothing.
  private mutating func weights(
    of own: TrainableNetwork.Convolution, named name: String
  ) -> (weights: TensorProgram.Argument, factor: [Float]?) {
    let geometry = own.geometry
    let shape = [
      geometry.output_channels, own.inputs / geometry.groups, geometry.kernel.0, geometry.kernel.1,
    ]
    guard let stored = own.stored else {
      return (constant(own.weights, shape: shape, named: name + "_weights"), nil)
    }
    let weights: Value
    switch stored.form {
    case .halves:
      let halves = Self.constant(stored.bytes, .float16, shape)
      weights = write(
        "constexpr_cast", ["source_val": halves, "output_dtype": .string("fp32")],
        to: name + "_weights", shape)
    case .table(let bits, let table):
      weights = lookedUp(stored.bytes, bits, table, shape, to: name + "_weights")
    case .linear(let scale, let bias):
      // Zero points are integers, and what is added here is none.
      let isShared = scale.count == 1
      let codes = write(
        "constexpr_affine_dequantize",
        [
          "quantized_data": Self.constant(stored.bytes, .uint8, shape), "axis": .integer(0),
          "zero_point": Self.constant([0], .uint8, []),
          "scale": .floats(scale, shape: isShared ? [] : [scale.count]),
        ], to: name + "_codes", shape)
      weights = binary(
        "add", codes, .floats(bias, shape: isShared ? [] : [bias.count, 1, 1, 1]),
        to: name + "_weights")
    }
    return (weights.argument, stored.factor)
  }

  /// Weights that codes choose from a table.
  private mutating func lookedUp(
    _ codes: [UInt8], _ bits: Int, _ table: [Float], _ shape: [Int], to name: String
  ) -> Value {
    // Programs have no codes of other bits.
    let bits = [1, 2, 4, 6].first { $0 >= bits } ?? 8
    let entries = table + Array(repeating: 0, count: (1 << bits) - table.count)
    let packed = TensorConstant.packed(codes, bits: bits)
    let sizes = shape.flatMap { size in
      (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
    }
    return write(
      "constexpr_lut_to_dense",
      [
        "indices": Self.constant(packed, .uint8, [packed.count]),
        "lut": .floats(entries, shape: [entries.count]),
        "shape": Self.constant(sizes, .uint32, [shape.count]),
      ], to: name, shape)
  }

  private static func constant(
    _ bytes: [UInt8], _ element: ElementType, _ shape: [Int]
  ) -> TensorProgram.Argument {
    .constant(TensorConstant(element: element, shape: shape, content: .bytes(StoredBytes(bytes))))
  }
}
