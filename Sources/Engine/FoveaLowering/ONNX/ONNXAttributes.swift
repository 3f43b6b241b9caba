// Fovea - the attributes of ONNX's operations that rules know.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// The attributes that the operations of ONNX may have: those that rules read, and those that change
/// nothing here, such as seeds of random numbers and the precision of sums.
///
/// Newer operation sets give operations more of them. A rule that never heard of one would give other
/// numbers without a word, so an operation that has one is refused.
enum ONNXAttributes {
  /// Refuses an operation with an attribute that its rule does not know.
  static func check(_ node: ForeignOperation) throws(FoveaError) {
    // Operations of other domains have a dot in their names.
    guard !node.kind.contains("."), node.kind != "const" else { return }
    let known = names[node.kind] ?? []
    let unknown = node.operation.arguments.keys.filter {
      !$0.allSatisfy(\.isNumber) && !known.contains($0) && !ONNXNames.conditions.contains($0)
    }
    guard let name = unknown.min() else { return }
    throw node.unsupported(
      "its attribute \"\(ModelText.readable(name))\" is not known here; export the model"
        + " without it, or update Fovea")
  }

  /// The names by kind.
  private static let names: [String: Set<String>] = {
    var names: [String: Set<String>] = [:]
    for line in table.split(separator: "\n") {
      let sides = line.split(separator: ":")
      for kind in sides[0].split(separator: " ") {
        names[String(kind)] = Set(sides[1].split(separator: " ").map(String.init))
      }
    }
    return names
  }()

  /// Kinds before the colon, names of attributes behind it.
  private static let table = """
    Concat Flatten Gather GatherElements LogSoftmax OneHot Scatter Softmax: axis
    ArgMax ArgMin: axis keepdims select_last_index
    Attention: is_causal kv_num_heads left_window_size q_num_heads qk_matmul_output_mode \
      right_window_size scale softcap softmax_precision
    AveragePool: auto_pad ceil_mode count_include_pad dilations kernel_shape pads strides
    BatchNormalization: epsilon momentum training_mode
    Cast: round_mode saturate to
    CastLike: round_mode saturate
    Celu Elu LeakyRelu Swish ThresholdedRelu: alpha
    Clip: max min
    Constant: sparse_value value value_float value_floats value_int value_ints value_string \
      value_strings
    ConstantOfShape: value
    Conv QLinearConv: auto_pad dilations group kernel_shape pads strides
    ConvTranspose: auto_pad dilations group kernel_shape output_padding output_shape pads strides
    CumSum: exclusive reverse
    DepthToSpace SpaceToDepth: blocksize mode
    DequantizeLinear: axis block_size output_dtype
    Dropout: ratio seed
    Einsum: equation
    GatherND: batch_dims
    Gelu: approximate
    Gemm: alpha beta transA transB
    GlobalLpPool: p
    GridSample: align_corners mode padding_mode
    GroupNormalization: epsilon num_groups stash_type
    HardSigmoid: alpha beta
    InstanceNormalization: epsilon
    LRN: alpha beta bias size
    LayerNormalization RMSNormalization: axis epsilon stash_type
    LpNormalization: axis p
    LpPool: auto_pad ceil_mode dilations kernel_shape p pads strides
    MaxPool: auto_pad ceil_mode dilations kernel_shape pads storage_order strides
    MeanVarianceNormalization Squeeze Unsqueeze: axes
    Mod: fmod
    Pad: mode pads value
    QuantizeLinear: axis block_size output_dtype precision saturate
    Range: stash_type
    ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd \
      ReduceSum ReduceSumSquare: axes keepdims noop_with_empty_axes
    Reshape: allowzero shape
    Resize: antialias axes coordinate_transformation_mode cubic_coeff_a exclude_outside \
      extrapolation_value keep_aspect_ratio_policy mode nearest_mode
    ScatterElements: axis reduction
    ScatterND: reduction
    Selu: alpha gamma
    Shape: end start
    Slice: axes ends starts
    Split: axis num_outputs split
    TopK: axis k largest sorted
    Transpose: perm
    Upsample: mode scales
    """
}
