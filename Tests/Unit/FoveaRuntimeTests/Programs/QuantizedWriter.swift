// Fovea - programs whose activations and weights are quantized, written layer by layer.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport

/// Writes operations around layers of 8 bits.
struct QuantizedWriter {
  var writer = ProgramWriter()

  /// The number of the element type of codes.
  private static func type(_ codes: IntegerCodes) -> Int { codes.isSigned ? 21 : 31 }

  private static func zero(_ codes: IntegerCodes) -> ProgramWriter.Argument {
    .constant(.raw(type: type(codes), [UInt8(truncatingIfNeeded: codes.zero)], []))
  }

  /// A value as codes, named after the result with "q" behind it, and what these stand for.
  mutating func pair(_ value: String, _ codes: IntegerCodes, _ result: String) {
    writer.add(
      "quantize",
      [
        "input": .value(value), "scale": .float(codes.scale), "zero_point": Self.zero(codes),
        "output_dtype": .text(codes.isSigned ? "int8" : "uint8"),
      ], results: [result + "q"], type: Self.type(codes))
    dequantize(result + "q", codes, result)
  }

  mutating func dequantize(_ value: String, _ codes: IntegerCodes, _ result: String) {
    writer.add(
      "dequantize",
      ["input": .value(value), "scale": .float(codes.scale), "zero_point": Self.zero(codes)],
      results: [result])
  }

  /// A convolution with weights that are codes; with one scale, those of the older operation.
  mutating func convolve(_ value: String, _ layer: IntegerConvolution, _ result: String) {
    let outputs = layer.scales.count, inputs = layer.weights.count / outputs / 9
    let codes = ProgramWriter.Constant.raw(
      type: 21, layer.weights.map { UInt8(truncatingIfNeeded: $0) }, [outputs, inputs, 3, 3])
    if layer.isDepthwise {
      writer.add(
        "constexpr_affine_dequantize", [:], results: [result + "w"],
        attributes: [
          "quantized_data": codes, "axis": .ints([0], []), "zero_point": .raw(type: 21, [0], []),
          "scale": .floats([layer.scales[0]], []),
        ])
    } else {
      writer.add(
        "constexpr_blockwise_shift_scale",
        ["data": .constant(codes), "scale": .constant(.floats(layer.scales, [outputs, 1, 1, 1]))],
        results: [result + "w"])
    }
    convolve(
      value, weights: .value(result + "w"), bias: layer.bias,
      groups: layer.isDepthwise ? outputs : 1, result)
  }

  mutating func convolve(
    _ value: String, weights: ProgramWriter.Argument, bias: [Float], groups: Int = 1,
    _ result: String
  ) {
    writer.add(
      "conv",
      [
        "x": .value(value), "weight": weights, "bias": .floats(bias), "pad_type": .text("same"),
        "groups": .int(groups), "strides": .ints([1, 1]), "dilations": .ints([1, 1]),
        "pad": .ints([0, 0, 0, 0]),
      ], results: [result])
  }

  mutating func pool(_ value: String, _ kind: String, size: Int, _ result: String) {
    let arguments: KeyValuePairs<String, ProgramWriter.Argument> = [
      "x": .value(value), "kernel_sizes": .ints([size, size]), "strides": .ints([1, 1]),
      "pad_type": .text("same"), "pad": .ints([0, 0, 0, 0]), "ceil_mode": .bool(false),
      "exclude_padding_from_average": .bool(false),
    ]
    writer.add(kind, arguments, results: [result])
  }

  mutating func concat(_ values: [String], _ result: String) {
    writer.add(
      "concat", ["values": .values(values), "axis": .int(1), "interleave": .bool(false)],
      results: [result])
  }
}
