// Fovea - small packages that hold every kind of operation, as seeds for mutations.
// SPDX-License-Identifier: Apache-2.0

/// Packages in memory, written from formulas.
public enum ProgramExamples {
  /// A package that is valid.
  public struct Package: Sendable {
    /// What is in it.
    public var name: String
    /// The files by path.
    public var files: [String: [UInt8]]
    /// The kinds of its operations.
    public var kinds: [String]
  }

  /// Where the model is in a package.
  public static let modelPath = "Data/com.apple.CoreML/model.mlmodel"
  /// Where the constants are.
  public static let weightsPath = "Data/com.apple.CoreML/weights/weight.bin"
  /// What says where the model is.
  public static let manifestPath = "Manifest.json"

  /// One package for each operation, and some of many operations.
  public static var all: [Package] {
    (pointwise + weighted + spatial + shaping + picking).map(package) + [network] + encodings
  }

  /// The manifest of a package.
  public static let manifest = """
    {
      "fileFormatVersion": "1.0.0",
      "itemInfoEntries": {
        "22BD5A04-w": {"author": "com.apple.CoreML", "description": "weights", "name": "weights", \
    "path": "com.apple.CoreML/weights"},
        "ED03C43A-m": {"author": "com.apple.CoreML", "description": "model", \
    "name": "model.mlmodel", "path": "com.apple.CoreML/model.mlmodel"}
      },
      "rootModelIdentifier": "ED03C43A-m"
    }
    """

  /// The files of a package.
  public static func files(model: [UInt8], weights: [UInt8]? = nil) -> [String: [UInt8]] {
    var files = [manifestPath: Array(manifest.utf8), modelPath: model]
    files[weightsPath] = weights
    return files
  }

  // MARK: Single operations

  /// An operation with what it is given.
  struct Case {
    var kind: String
    var arguments: KeyValuePairs<String, ProgramWriter.Argument>
    var type = 11
    var results = ["y"]
    var operationSet = "CoreML8"

    init(
      _ kind: String,
      _ arguments: KeyValuePairs<String, ProgramWriter.Argument> = ["x": .value("x")],
      type: Int = 11, results: [String] = ["y"], operationSet: String = "CoreML8"
    ) {
      (self.kind, self.arguments, self.type) = (kind, arguments, type)
      (self.results, self.operationSet) = (results, operationSet)
    }
  }

  private static func package(_ example: Case) -> Package {
    var writer = ProgramWriter(operationSet: example.operationSet)
    let isOfPositive = example.arguments.contains {
      if case .value("positive") = $0.value { true } else { false }
    }
    if isOfPositive { writer.add("sigmoid", ["x": .value("x")], results: ["positive"]) }
    writer.add(example.kind, example.arguments, results: example.results, type: example.type)
    return Package(
      name: example.kind,
      files: files(model: writer.model(outputs: example.results.filter { $0 != "label" })),
      kinds: [example.kind])
  }

  /// Numbers between -2 and 2, the same every time.
  static func numbers(_ count: Int) -> [Float] {
    (0..<count).map { Float(($0 * 7919 + 13) % 31 - 15) / 8 }
  }

  /// Numbers in a shape.
  static func array(_ shape: [Int]) -> ProgramWriter.Argument {
    .constant(.floats(numbers(shape.reduce(1, *)), shape))
  }

  private static var pointwise: [Case] {
    let functions = [
      "relu", "relu6", "clamped_relu", "elu", "gelu", "sigmoid", "sigmoid_hard", "silu", "softplus",
      "softsign", "scaled_tanh", "thresholded_relu", "abs", "acos", "asin", "atan", "ceil",
      "cos", "cosh", "erf", "exp", "exp2", "floor", "inverse", "round", "sign",
      "sin", "sinh", "square", "tan", "tanh", "identity", "softmax",
    ].map { Case($0) }
    let ofPositive = ["atanh", "log", "rsqrt", "sqrt", "reduce_log_sum"].map {
      Case($0, ["x": .value("positive")])
    }
    let pairs = ["add", "sub", "mul", "real_div", "floor_div", "mod", "maximum", "minimum"]
      .map { Case($0, ["x": .value("x"), "y": array([4, 1, 1])]) }
    let comparisons = [
      "equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "logical_and",
      "logical_or", "logical_xor",
    ].map { Case($0, ["x": .value("x"), "y": array([8])], type: 1) }
    let x = ProgramWriter.Argument.value("x")
    return functions + ofPositive + pairs + comparisons + [
      Case("leaky_relu", ["x": x, "alpha": .float(0.125)]),
      Case("prelu", ["x": x, "alpha": .floats(numbers(4))]),
      Case(
        "softplus_parametric",
        ["x": x, "alpha": .floats([1, 2, 3, 4]), "beta": .floats([1, 1, 2, 2])]),
      Case("linear_activation", ["x": x, "alpha": .float(2), "beta": .float(-1)]),
      Case("clip", ["x": x, "alpha": .float(-0.5), "beta": .float(0.5)]),
      Case("threshold", ["x": x, "alpha": .float(0.25)]),
      Case("pow", ["x": .value("positive"), "y": array([4, 1, 1])]),
      Case("logical_not", type: 1),
      Case("cast", ["x": x, "dtype": .text("int32")], type: 23),
      Case(
        "select",
        ["cond": .constant(.bools((0..<8).map { $0 % 3 == 0 }, [8])), "a": x, "b": array([8])]),
      Case(
        "quantize",
        [
          "input": x, "scale": .float(0.0625), "zero_point": .constant(.raw(type: 21, [3], [])),
          "output_dtype": .text("int8"),
        ], type: 21),
      Case("dequantize", ["input": x, "scale": .floats([0.5, 0.25, 2, 1]), "axis": .int(1)]),
    ]
  }

  private static var weighted: [Case] {
    let x = ProgramWriter.Argument.value("x")
    return [
      Case(
        "conv",
        [
          "x": x, "weight": array([4, 2, 3, 3]), "bias": array([4]), "strides": .ints([1, 1]),
          "pad_type": .text("custom"), "pad": .ints([1, 1, 1, 1]), "dilations": .ints([1, 1]),
          "groups": .int(2),
        ]),
      Case(
        "conv_transpose",
        [
          "x": x, "weight": array([4, 3, 2, 2]), "bias": array([3]), "strides": .ints([2, 2]),
          "pad_type": .text("valid"), "output_shape": .ints([1, 3, 12, 16]),
        ]),
      Case("linear", ["x": x, "weight": array([3, 8]), "bias": array([3])]),
      Case(
        "matmul",
        ["x": x, "y": array([8, 3]), "transpose_x": .bool(false), "transpose_y": .bool(false)]),
      Case(
        "scaled_dot_product_attention",
        [
          "query": x, "key": x, "value": x,
          "attn_mask": .constant(.bools((0..<36).map { $0 % 5 != 1 }, [6, 6])),
        ]),
      Case(
        "batch_norm",
        [
          "x": x, "mean": array([4]), "variance": .floats([1, 2, 0.5, 4]), "gamma": array([4]),
          "beta": array([4]), "epsilon": .float(1e-3),
        ]),
      Case("instance_norm", ["x": x, "gamma": array([4]), "beta": array([4])]),
      Case(
        "layer_norm",
        [
          "x": x, "axes": .ints([-1]), "gamma": array([8]), "beta": array([8]),
          "epsilon": .float(1e-5),
        ]),
      Case("l2_norm", ["x": x, "epsilon": .float(1e-6)]),
      Case(
        "local_response_norm",
        ["x": x, "size": .int(3), "alpha": .float(1e-4), "beta": .float(0.75), "k": .float(1)]),
    ]
  }

  private static var spatial: [Case] {
    let x = ProgramWriter.Argument.value("x")
    let windows: KeyValuePairs<String, ProgramWriter.Argument> = [
      "x": x, "kernel_sizes": .ints([3, 3]), "strides": .ints([2, 2]), "pad_type": .text("custom"),
      "pad": .ints([1, 1, 1, 1]), "ceil_mode": .bool(true),
    ]
    return ["avg_pool", "max_pool", "l2_pool"].map { Case($0, windows) } + [
      Case(
        "max_pool",
        [
          "x": x, "kernel_sizes": .ints([2, 2]), "strides": .ints([1, 1]),
          "pad_type": .text("same"),
        ]),
      Case(
        "upsample_nearest_neighbor",
        ["x": x, "scale_factor_height": .float(2), "scale_factor_width": .float(2)]),
      Case(
        "upsample_bilinear",
        [
          "x": x, "scale_factor_height": .float(2), "scale_factor_width": .float(1.5),
          "align_corners": .bool(false),
        ]),
      Case(
        "resize_nearest_neighbor",
        ["x": x, "target_size_height": .int(9), "target_size_width": .int(4)]),
      Case(
        "resize_bilinear",
        [
          "x": x, "target_size_height": .int(9), "target_size_width": .int(4),
          "sampling_mode": .text("UNALIGN_CORNERS"),
        ]),
      Case(
        "resize",
        [
          "x": x, "shape": .ints([0, 12]), "resized_dims": .int(2),
          "interpolation_mode": .text("LINEAR"), "sampling_mode": .text("ALIGN_CORNERS"),
        ], operationSet: "CoreML7"),
      Case(
        "resample",
        [
          "x": x, "coordinates": .constant(.floats(numbers(24).map { $0 / 2 }, [1, 3, 4, 2])),
          "sampling_mode": .text("bilinear"), "padding_mode": .text("constant"),
          "padding_value": .float(0), "coordinates_mode": .text("normalized_minus_one_to_one"),
          "align_corners": .bool(false),
        ]),
      Case(
        "crop_resize",
        [
          "x": x, "boxes": .constant(.floats([0.1, 0.2, 0.8, 0.9, 0, 0, 1, 1], [2, 4])),
          "box_indices": .ints([0, 0]), "target_height": .int(3), "target_width": .int(2),
          "normalized_coordinates": .bool(true), "sampling_mode": .text("ALIGN_CORNERS"),
          "box_coordinate_mode": .text("CORNERS_HEIGHT_FIRST"),
        ], operationSet: "CoreML7"),
      Case(
        "crop_resize",
        [
          "x": x, "roi": .constant(.floats([0, 1, 1, 4, 5], [1, 1, 5, 1, 1])),
          "target_height": .int(3), "target_width": .int(2),
        ], operationSet: "CoreML5"),
      Case("depth_to_space", ["x": x, "block_size": .int(2)]),
      Case("space_to_depth", ["x": x, "block_size": .int(2)]),
      Case("pixel_shuffle", ["x": x, "upscale_factor": .int(2)]),
      Case("pixel_unshuffle", ["x": x, "downscale_factor": .int(2)], operationSet: "CoreML6"),
      Case("crop", ["x": x, "crop_height": .ints([1, 2]), "crop_width": .ints([0, 3])]),
      Case(
        "pad",
        [
          "x": x, "pad": .ints([0, 1, 2, 0]), "mode": .text("constant"),
          "constant_val": .float(0.5),
        ]),
      Case("pad", ["x": x, "pad": .ints([1, 1]), "mode": .text("reflect")]),
    ]
  }

  private static var shaping: [Case] {
    let x = ProgramWriter.Argument.value("x")
    return [
      Case("concat", ["values": .values(["x", "x"]), "axis": .int(1), "interleave": .bool(true)]),
      Case(
        "concat", ["values": .values(["x", "x"]), "axis": .int(-1), "interleave": .bool(false)]),
      Case("stack", ["values": .values(["x", "x"]), "axis": .int(0)]),
      Case("expand_dims", ["x": x, "axes": .ints([0, -1])]),
      Case("squeeze", ["x": x, "axes": .ints([0])]),
      Case("flatten2d", ["x": x, "axis": .int(2)]),
      Case("reshape", ["x": x, "shape": .ints([0, -1, 16])]),
      Case(
        "reshape_like",
        [
          "x": x, "ref_tensors": .values(["x", "x"]), "begins": .ints([0, 2]),
          "ends": .ints([2, 4]), "end_masks": .bools([false, true]),
        ]),
      Case("reverse", ["x": x, "axes": .ints([1, -1])]),
      Case("tile", ["x": x, "reps": .ints([1, 2, 1, 3])]),
      Case("transpose", ["x": x, "perm": .ints([0, 2, -1, 1])]),
      Case(
        "slice_by_index",
        [
          "x": x, "begin": .ints([0, 1, -1, 0]), "end": .ints([1, 4, 0, 8]),
          "stride": .ints([1, 2, -1, 3]), "begin_mask": .bools([true, false, false, false]),
          "end_mask": .bools([true, false, true, false]),
          "squeeze_mask": .bools([true, false, false, false]),
        ]),
      Case(
        "slice_by_size", ["x": x, "begin": .ints([0, 1, -3, 0]), "size": .ints([1, 2, -1, 8])]),
      Case(
        "split", ["x": x, "split_sizes": .ints([3, 5]), "axis": .int(-1)], results: ["y", "z"]),
      Case("split", ["x": x, "num_splits": .int(2), "axis": .int(1)], results: ["y", "z"]),
      Case("shape", type: 23),
      Case("range_1d", ["start": .float(0), "end": .float(3), "step": .float(0.5)]),
      Case("fill", ["shape": .ints([2, 3]), "value": .float(0.5)]),
      Case("fill_like", ["ref_tensor": x, "value": .int(7)], type: 23, operationSet: "CoreML6"),
    ]
  }

  private static var picking: [Case] {
    let x = ProgramWriter.Argument.value("x")
    let reductions = [
      "reduce_l1_norm", "reduce_l2_norm", "reduce_log_sum_exp", "reduce_max",
      "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum", "reduce_sum_square",
    ].map { Case($0, ["x": x, "axes": .ints([-1, 1]), "keep_dims": .bool(false)]) }
    let extremes = ["reduce_argmax", "reduce_argmin"].map {
      Case($0, ["x": x, "axis": .int(1), "keep_dims": .bool(true)], type: 23)
    }
    return reductions + extremes + [
      Case("cumsum", ["x": x, "axis": .int(2), "exclusive": .bool(true), "reverse": .bool(true)]),
      Case(
        "gather", ["x": x, "indices": .ints([3, 0, -1]), "axis": .int(1), "batch_dims": .int(0)]),
      Case(
        "gather_along_axis",
        [
          "x": x, "indices": .constant(.ints((0..<96).map { $0 % 6 }, [1, 4, 3, 8])),
          "axis": .int(2),
        ]),
      Case(
        "gather_nd",
        ["x": x, "indices": .constant(.ints([0, 3, 0, 1], [2, 2])), "batch_dims": .int(0)]),
      Case("topk", ["x": x, "k": .int(3), "axis": .int(-1), "ascending": .bool(false)]),
      Case("argsort", ["x": x, "axis": .int(1), "ascending": .bool(true)], type: 23),
      Case(
        "classify", ["probabilities": .value("x"), "classes": .constant(.list(["cat", "dog"]))],
        results: ["label", "y"]),
      Case(
        "non_maximum_suppression",
        [
          "boxes": array([1, 5, 4]), "scores": array([1, 5, 2]), "iou_threshold": .float(0.5),
          "score_threshold": .float(0), "max_boxes": .int(3), "per_class_suppression": .bool(true),
        ], operationSet: "CoreML5"),
      Case(
        "non_maximum_suppression",
        [
          "boxes": array([1, 4, 5]), "scores": array([1, 2, 5]), "iou_threshold": .float(0.5),
          "max_boxes": .int(3),
        ], operationSet: "CoreML7"),
    ]
  }
}
