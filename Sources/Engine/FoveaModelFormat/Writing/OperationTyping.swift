// Fovea - which types the arguments of operations have.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Which types the arguments of an operation have to have, as far as programs of other formats may
/// get them wrong: there, types are mixed freely, since all numbers are floats when they are run.
struct OperationTyping {
  /// The arguments of one type.
  var shared: [String] = []
  /// The least and the greatest class of these.
  var classes: ClosedRange<ElementClass> = .boolean ... .float
  /// Arguments of a class of their own.
  var fixed: [String: ElementClass] = [:]
  /// The class of the results, where it does not follow from the shared arguments.
  var results: [ElementClass?] = []

  /// The rule for a kind of operations; `nil` where all types are right.
  init?(_ kind: String) {
    switch kind {
    case "add", "sub", "mul", "real_div", "floor_div", "mod", "pow", "maximum", "minimum":
      shared = ["x", "y"]
      classes = .integer ... .float
    case "equal", "not_equal", "greater", "greater_equal", "less", "less_equal":
      shared = ["x", "y"]
      classes = .integer ... .float
      results = [.boolean]
    case "logical_and", "logical_or", "logical_xor", "logical_not":
      shared = ["x", "y"]
      classes = .boolean ... .boolean
    case "select":
      shared = ["a", "b"]
      fixed = ["cond": .boolean]
    case "concat", "stack": shared = ["values"]
    case "gather", "gather_along_axis", "gather_nd":
      shared = ["x"]
      classes = .integer ... .float
      fixed = ["indices": .integer]
    case "reduce_argmax", "reduce_argmin", "argsort":
      shared = ["x"]
      classes = .integer ... .float
      results = [.integer]
    case "topk":
      shared = ["x"]
      classes = .integer ... .float
      results = [nil, .integer]
    case "abs", "sign", "square", "cumsum":
      shared = ["x"]
      classes = .integer ... .float
    case "matmul", "linear":
      shared = ["x", "y", "weight", "bias"]
      classes = .integer ... .float
    case "non_maximum_suppression":
      shared = ["boxes", "scores", "iou_threshold", "score_threshold"]
      classes = .float ... .float
      results = [nil, nil, .integer, .integer]
    case "quantize", "dequantize":
      fixed = kind == "quantize" ? ["input": .float, "scale": .float] : ["scale": .float]
    case "resample":
      shared = ["x", "padding_value"]
      classes = .float ... .float
      fixed = ["coordinates": .float]
    case _ where kind.hasPrefix("reduce_"):
      shared = ["x"]
      classes = .integer ... .float
    case _ where Self.floatKinds.contains(kind):
      shared = [
        "x", "weight", "bias", "alpha", "beta", "epsilon", "gamma", "mean", "variance",
        "constant_val", "query", "key", "value", "scale_factor_height", "scale_factor_width", "k",
      ]
      classes = .float ... .float
    default: return nil
    }
  }

  private static let floatKinds: Set<String> = [
    "acos", "asin", "atan", "atanh", "avg_pool", "batch_norm", "ceil", "clamped_relu", "clip",
    "conv", "conv_transpose", "cos", "cosh", "crop", "depth_to_space", "elu", "erf", "exp", "floor",
    "gelu", "instance_norm", "inverse", "l2_norm", "l2_pool", "layer_norm", "leaky_relu",
    "linear_activation", "local_response_norm", "log", "max_pool", "pad", "pixel_shuffle",
    "pixel_unshuffle", "prelu", "relu", "relu6", "resize_bilinear", "resize_nearest_neighbor",
    "round", "rsqrt", "scaled_dot_product_attention", "scaled_tanh", "sigmoid", "sigmoid_hard",
    "silu", "sin", "sinh", "softmax", "softplus", "softplus_parametric", "softsign",
    "space_to_depth", "sqrt", "tan", "tanh", "threshold", "thresholded_relu", "upsample_bilinear",
    "upsample_nearest_neighbor", "resize", "exp2",
  ]

  /// Operations that move elements, also codes of 8 bits.
  static let movingKinds: Set<String> = [
    "reshape", "transpose", "expand_dims", "squeeze", "slice_by_index", "slice_by_size", "reverse",
    "identity", "split", "tile", "concat", "stack", "gather", "gather_along_axis", "gather_nd",
    "max_pool", "select",
  ]
}
