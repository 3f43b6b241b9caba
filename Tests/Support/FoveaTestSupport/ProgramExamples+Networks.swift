// Fovea - packages with a network, and with all encodings of constants.
// SPDX-License-Identifier: Apache-2.0

extension ProgramExamples {
  /// An image, convolutions with weights in a file, a residual sum, and a head.
  static var network: Package {
    var blobs = BlobWriter()
    let stem = blobs.add(type: 1, halves(8 * 3 * 9))
    let wide = blobs.add(type: 2, floats(8 * 8))
    let depth = blobs.add(type: 3, codes(8 * 9))
    var writer = ProgramWriter(inputs: [("image", [1, 3, 8, 8])], operationSet: "CoreML6")
    writer.add("mul", ["x": .value("image"), "y": .float(1 / 255)], results: ["scaled"])
    let bias = writer.constant(.floats([-0.5, 0.25, 0], [1, 3, 1, 1]))
    writer.add("add", ["x": .value("scaled"), "y": .value(bias)], results: ["biased"])
    let first = writer.constant(.blob(type: 10, [8, 3, 3, 3], offset: stem))
    writer.add(
      "conv",
      [
        "x": .value("biased"), "weight": .value(first), "strides": .ints([2, 2]),
        "pad_type": .text("same"), "bias": array([8]),
      ], results: ["stem"])
    writer.add("silu", ["x": .value("stem")], results: ["a"])
    let second = writer.constant(.blob(type: 11, [8, 8, 1, 1], offset: wide))
    writer.add("conv", ["x": .value("a"), "weight": .value(second)], results: ["b"])
    writer.add("relu", ["x": .value("b")], results: ["c"])
    let third = writer.add(
      "constexpr_affine_dequantize", [:], results: ["third"], type: 10,
      attributes: [
        "quantized_data": .blob(type: 31, [8, 1, 3, 3], offset: depth),
        "scale": .raw(type: 10, halves(8), [8]), "zero_point": .raw(type: 31, codes(8), [8]),
        "axis": .ints([0], []),
      ])
    writer.add(
      "conv",
      [
        "x": .value("c"), "weight": .value(third), "groups": .int(8), "pad_type": .text("custom"),
        "pad": .ints([1, 1, 1, 1]),
      ], results: ["d"])
    writer.add("add", ["x": .value("a"), "y": .value("d")], results: ["e"])
    writer.add("concat", ["values": .values(["a", "e"]), "axis": .int(1)], results: ["f"])
    writer.add(
      "upsample_nearest_neighbor",
      [
        "x": .value("f"), "scale_factor_height": .float(2), "scale_factor_width": .float(2),
      ], results: ["g"])
    writer.add("reshape", ["x": .value("g"), "shape": .ints([1, 16, -1])], results: ["h"])
    writer.add(
      "split", ["x": .value("h"), "split_sizes": .ints([4, 12]), "axis": .int(1)],
      results: ["i", "j"])
    writer.add("sigmoid", ["x": .value("j")], results: ["k"])
    writer.add("concat", ["values": .values(["i", "k"]), "axis": .int(1)])
    return Package(
      name: "network",
      files: files(
        model: writer.model(images: ["image": 20], version: 7), weights: blobs.bytes),
      kinds: ["const", "constexpr_affine_dequantize"])
  }

  /// A constant that each operation named "constexpr_" makes, added to the input.
  static var encodings: [Package] {
    var blobs = BlobWriter()
    let codes4 = blobs.add(type: 11, codes(16))
    let codes3 = blobs.add(type: 12, codes(12))
    let codes1 = blobs.add(type: 9, [0b1010_1101, 0x0F, 0x31, 0xC0])
    let table = blobs.add(type: 1, halves(16))
    let weights = blobs.bytes
    func package(
      _ kind: String, set: String, _ arguments: KeyValuePairs<String, ProgramWriter.Argument>,
      _ attributes: KeyValuePairs<String, ProgramWriter.Constant> = [:],
      results: [String] = ["w"]
    ) -> Package {
      var writer = ProgramWriter(operationSet: set)
      writer.add(
        kind, arguments, results: results, types: results.count > 1 ? [37] : [],
        attributes: attributes)
      var weight = "w"
      if results.count > 1 {
        weight = writer.add(
          "constexpr_sparse_to_dense", ["mask": .value("w"), "nonzero_data": .value("v")],
          results: ["dense"])
      }
      writer.add("conv", ["x": .value("x"), "weight": .value(weight)])
      return Package(
        name: kind + "." + set, files: files(model: writer.model(), weights: weights),
        kinds: [kind])
    }
    return [
      package(
        "constexpr_affine_dequantize", set: "CoreML6", [:],
        [
          "quantized_data": .raw(type: 21, codes(32), [8, 4, 1, 1]), "scale": .floats([0.5], []),
          "zero_point": .raw(type: 21, [3], []), "axis": .ints([0], []),
        ]),
      package(
        "constexpr_lut_to_dense", set: "CoreML6", [:],
        [
          "indices": .raw(type: 31, codes(16), [16]), "lut": .raw(type: 10, halves(16), [16]),
          "shape": .raw(type: 33, [8, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], [4]),
        ]),
      package(
        "constexpr_lut_to_dense", set: "CoreML8",
        [
          "indices": .constant(.blob(type: 35, [8, 4, 1, 1], offset: codes4)),
          "lut": .constant(.blob(type: 10, [1, 1, 1, 1, 16, 1], offset: table)),
        ]),
      package(
        "constexpr_lut_to_dense", set: "CoreML8",
        [
          "indices": .constant(.blob(type: 39, [4, 4, 1, 1], offset: codes3)),
          "lut": array([2, 1, 1, 1, 8, 2]), "vector_axis": .int(0),
        ]),
      package(
        "constexpr_sparse_to_dense", set: "CoreML6", [:],
        [
          "nonzero_data": .floats(numbers(4), [4]),
          "mask": .raw(type: 31, [0x11, 0x80, 0x01, 0], [4]),
          "shape": .raw(type: 33, [8, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], [4]),
        ]),
      package(
        "constexpr_blockwise_shift_scale", set: "CoreML8",
        [
          "data": .constant(.raw(type: 25, codes(16), [8, 4, 1, 1])), "scale": array([8, 2, 1, 1]),
          "offset": .constant(.raw(type: 25, codes(8), [8, 2, 1, 1])),
        ]),
      package(
        "constexpr_lut_to_sparse", set: "CoreML8",
        [
          "indices_mask": .constant(.blob(type: 37, [8, 4, 1, 1], offset: codes1)),
          "indices_nonzero_data": .constant(.raw(type: 36, codes(4), [14])),
          "lut": array([1, 1, 1, 1, 4, 1]),
        ], results: ["w", "v"]),
      package(
        "constexpr_sparse_blockwise_shift_scale", set: "CoreML8",
        [
          "data_mask": .constant(.blob(type: 37, [8, 4, 1, 1], offset: codes1)),
          "nonzero_data": .constant(.raw(type: 21, codes(14), [14])),
          "scale": array([8, 1, 1, 1]),
        ], results: ["w", "v"]),
      package(
        "constexpr_cast", set: "CoreML6", [:],
        [
          "source_val": .raw(type: 10, halves(32), [8, 4, 1, 1]),
          "output_dtype": .texts(["fp32"], []),
        ]),
    ]
  }

  /// Halves between 0.5 and 1.
  private static func halves(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { [UInt8(truncatingIfNeeded: $0 &* 37), 0x38 + UInt8($0 % 4)] }
  }

  private static func floats(_ count: Int) -> [UInt8] {
    ProtobufWriter { writer in
      for number in numbers(count) { writer.fixed(number.bitPattern) }
    }.bytes
  }

  private static func codes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
  }
}
