// Fovea - the builtin operations of TensorFlow Lite and their options.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// An option of an operation of TensorFlow Lite.
struct TensorFlowLiteAttribute {
  /// How the option is stored.
  enum Form {
    /// A byte: a choice, or a truth value.
    case byte
    /// A 32-bit integer.
    case integer
    /// A number of 32 bits.
    case float
    /// A list of 32-bit integers.
    case integers
  }

  let field: Int
  let name: String
  let form: Form
  let standard: Int

  private init(_ field: Int, _ name: String, _ form: Form, _ standard: Int = 0) {
    (self.field, self.name, self.form, self.standard) = (field, name, form, standard)
  }

  /// The option as a constant.
  func constant(in options: FlatTable?) throws(ModelFormatError) -> TensorConstant {
    switch form {
    case .byte: return .integers([try options?.byte(field) ?? standard], shape: [])
    case .integer:
      return .integers([try options?.integer(field, default: standard) ?? standard], shape: [])
    case .float: return .floats([try options?.float(field) ?? Float(standard)], shape: [])
    case .integers:
      let list = try options?.integers(field) ?? []
      return .integers(list, shape: [list.count])
    }
  }

  // MARK: Operations

  /// The name of a builtin operation; `nil` for a number that is not known.
  static func kind(_ number: Int) -> String? {
    names.indices.contains(number) ? names[number] : nil
  }

  /// The number of operations that are named in the file.
  static let custom = 32

  private static let names: [String] = """
    ADD AVERAGE_POOL_2D CONCATENATION CONV_2D DEPTHWISE_CONV_2D DEPTH_TO_SPACE DEQUANTIZE
    EMBEDDING_LOOKUP FLOOR FULLY_CONNECTED HASHTABLE_LOOKUP L2_NORMALIZATION L2_POOL_2D
    LOCAL_RESPONSE_NORMALIZATION LOGISTIC LSH_PROJECTION LSTM MAX_POOL_2D MUL RELU RELU_N1_TO_1
    RELU6 RESHAPE RESIZE_BILINEAR RNN SOFTMAX SPACE_TO_DEPTH SVDF TANH CONCAT_EMBEDDINGS SKIP_GRAM
    CALL CUSTOM EMBEDDING_LOOKUP_SPARSE PAD UNIDIRECTIONAL_SEQUENCE_RNN GATHER BATCH_TO_SPACE_ND
    SPACE_TO_BATCH_ND TRANSPOSE MEAN SUB DIV SQUEEZE UNIDIRECTIONAL_SEQUENCE_LSTM STRIDED_SLICE
    BIDIRECTIONAL_SEQUENCE_RNN EXP TOPK_V2 SPLIT LOG_SOFTMAX DELEGATE BIDIRECTIONAL_SEQUENCE_LSTM
    CAST PRELU MAXIMUM ARG_MAX MINIMUM LESS NEG PADV2 GREATER GREATER_EQUAL LESS_EQUAL SELECT SLICE
    SIN TRANSPOSE_CONV SPARSE_TO_DENSE TILE EXPAND_DIMS EQUAL NOT_EQUAL LOG SUM SQRT RSQRT SHAPE
    POW ARG_MIN FAKE_QUANT REDUCE_PROD REDUCE_MAX PACK LOGICAL_OR ONE_HOT LOGICAL_AND LOGICAL_NOT
    UNPACK REDUCE_MIN FLOOR_DIV REDUCE_ANY SQUARE ZEROS_LIKE FILL FLOOR_MOD RANGE
    RESIZE_NEAREST_NEIGHBOR LEAKY_RELU SQUARED_DIFFERENCE MIRROR_PAD ABS SPLIT_V UNIQUE CEIL
    REVERSE_V2 ADD_N GATHER_ND COS WHERE RANK ELU REVERSE_SEQUENCE MATRIX_DIAG QUANTIZE
    MATRIX_SET_DIAG ROUND HARD_SWISH IF WHILE NON_MAX_SUPPRESSION_V4 NON_MAX_SUPPRESSION_V5
    SCATTER_ND SELECT_V2 DENSIFY SEGMENT_SUM BATCH_MATMUL PLACEHOLDER CUMSUM CALL_ONCE BROADCAST_TO
    RFFT2D CONV_3D IMAG REAL COMPLEX_ABS HASHTABLE HASHTABLE_FIND HASHTABLE_IMPORT HASHTABLE_SIZE
    REDUCE_ALL CONV_3D_TRANSPOSE VAR_HANDLE READ_VARIABLE ASSIGN_VARIABLE BROADCAST_ARGS
    RANDOM_STANDARD_NORMAL BUCKETIZE RANDOM_UNIFORM MULTINOMIAL GELU DYNAMIC_UPDATE_SLICE
    RELU_0_TO_1 UNSORTED_SEGMENT_PROD UNSORTED_SEGMENT_MAX UNSORTED_SEGMENT_SUM ATAN2
    UNSORTED_SEGMENT_MIN SIGN BITCAST BITWISE_XOR RIGHT_SHIFT STABLEHLO_LOGISTIC STABLEHLO_ADD
    STABLEHLO_DIVIDE STABLEHLO_MULTIPLY STABLEHLO_MAXIMUM STABLEHLO_RESHAPE STABLEHLO_CLAMP
    STABLEHLO_CONCATENATE STABLEHLO_BROADCAST_IN_DIM STABLEHLO_CONVOLUTION STABLEHLO_SLICE
    STABLEHLO_CUSTOM_CALL STABLEHLO_REDUCE STABLEHLO_ABS STABLEHLO_AND STABLEHLO_COSINE
    STABLEHLO_EXPONENTIAL STABLEHLO_FLOOR STABLEHLO_LOG STABLEHLO_MINIMUM STABLEHLO_NEGATE
    STABLEHLO_OR STABLEHLO_POWER STABLEHLO_REMAINDER STABLEHLO_RSQRT STABLEHLO_SELECT
    STABLEHLO_SUBTRACT STABLEHLO_TANH STABLEHLO_SCATTER STABLEHLO_COMPARE STABLEHLO_CONVERT
    STABLEHLO_DYNAMIC_SLICE STABLEHLO_DYNAMIC_UPDATE_SLICE STABLEHLO_PAD STABLEHLO_IOTA
    STABLEHLO_DOT_GENERAL STABLEHLO_REDUCE_WINDOW STABLEHLO_SORT STABLEHLO_WHILE STABLEHLO_GATHER
    STABLEHLO_TRANSPOSE DILATE STABLEHLO_RNG_BIT_GENERATOR REDUCE_WINDOW STABLEHLO_COMPOSITE
    STABLEHLO_SHIFT_LEFT STABLEHLO_CBRT STABLEHLO_CASE
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  /// The options of an operation.
  static func attributes(of kind: String) -> [TensorFlowLiteAttribute] { table[kind] ?? [] }

  private static let activation = "fused_activation_function"

  private static let table: [String: [TensorFlowLiteAttribute]] = {
    let activated = [Self(0, activation, .byte)]
    let axis = [Self(0, "axis", .integer)]
    let blocks = [Self(0, "block_size", .integer)]
    let reducer = [Self(0, "keep_dims", .byte)]
    let window = [
      Self(0, "padding", .byte), Self(1, "stride_w", .integer), Self(2, "stride_h", .integer),
    ]
    let dilations = { (first: Int) in
      [
        Self(first, "dilation_w_factor", .integer, 1),
        Self(first + 1, "dilation_h_factor", .integer, 1),
      ]
    }
    let pool =
      window + [
        Self(3, "filter_width", .integer), Self(4, "filter_height", .integer),
        Self(5, activation, .byte),
      ]
    return [
      "ADD": activated, "SUB": activated, "MUL": activated, "DIV": activated,
      "L2_NORMALIZATION": activated,
      "CONV_2D": window + [Self(3, activation, .byte)] + dilations(4),
      "DEPTHWISE_CONV_2D": window + [Self(4, activation, .byte)] + dilations(5),
      "TRANSPOSE_CONV": window + [Self(3, activation, .byte)],
      "AVERAGE_POOL_2D": pool, "MAX_POOL_2D": pool, "L2_POOL_2D": pool,
      "FULLY_CONNECTED": activated + [
        Self(1, "weights_format", .byte), Self(2, "keep_num_dims", .byte),
      ],
      "SOFTMAX": [Self(0, "beta", .float, 1)],
      "CONCATENATION": axis + [Self(1, activation, .byte)],
      "RESHAPE": [Self(0, "new_shape", .integers)],
      "SQUEEZE": [Self(0, "squeeze_dims", .integers)],
      "STRIDED_SLICE": [
        Self(0, "begin_mask", .integer), Self(1, "end_mask", .integer),
        Self(2, "ellipsis_mask", .integer), Self(3, "new_axis_mask", .integer),
        Self(4, "shrink_axis_mask", .integer), Self(5, "offset", .byte),
      ],
      "GATHER": axis + [Self(1, "batch_dims", .integer)],
      "MIRROR_PAD": [Self(0, "mode", .byte)],
      "RESIZE_BILINEAR": [
        Self(2, "align_corners", .byte), Self(3, "half_pixel_centers", .byte),
      ],
      "RESIZE_NEAREST_NEIGHBOR": [
        Self(0, "align_corners", .byte), Self(1, "half_pixel_centers", .byte),
      ],
      "MEAN": reducer, "SUM": reducer, "REDUCE_MAX": reducer, "REDUCE_MIN": reducer,
      "REDUCE_PROD": reducer, "REDUCE_ANY": reducer, "REDUCE_ALL": reducer,
      "PACK": [Self(1, "axis", .integer)], "UNPACK": [Self(1, "axis", .integer)],
      "CAST": [Self(1, "out_data_type", .byte)],
      "BATCH_MATMUL": [Self(0, "adj_x", .byte), Self(1, "adj_y", .byte)],
      "SPACE_TO_DEPTH": blocks, "DEPTH_TO_SPACE": blocks,
      "LOCAL_RESPONSE_NORMALIZATION": [
        Self(0, "radius", .integer), Self(1, "bias", .float), Self(2, "alpha", .float),
        Self(3, "beta", .float),
      ],
      "LEAKY_RELU": [Self(0, "alpha", .float)],
      "GELU": [Self(0, "approximate", .byte)],
      "CUMSUM": [Self(0, "exclusive", .byte), Self(1, "reverse", .byte)],
      "ONE_HOT": axis,
    ]
  }()
}
