// Fovea - convolutions and dense layers of TensorFlow Lite.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension TensorFlowLiteNode {
  /// What multiplies by weights.
  static let convolutionRules: [String: TensorFlowLiteRule] = [
    "CONV_2D": { node throws(FoveaError) in try node.convolution() },
    "DEPTHWISE_CONV_2D": { node throws(FoveaError) in try node.depthwiseConvolution() },
    "TRANSPOSE_CONV": { node throws(FoveaError) in try node.transposedConvolution() },
    TensorFlowLiteNames.transposedConvolution: { node throws(FoveaError) in
      try node.transposedConvolutionOfMediaPipe()
    },
    "FULLY_CONNECTED": { node throws(FoveaError) in try node.dense() },
    "BATCH_MATMUL": { node throws(FoveaError) in try node.matrixProduct() },
  ]

  // MARK: Convolutions

  /// Weights are [outputs, rows, columns, inputs]; fewer inputs than the image has channels make
  /// groups.
  private func convolution() throws(FoveaError) {
    let sizes = try weightSizes(1)
    let channels = try imageSizes(0)[3]
    guard sizes[3] >= 1, channels % sizes[3] == 0 else {
      throw operation.mismatch("weights of shape \(sizes) for \(channels) channels")
    }
    let weights = try values.weights(name(1), as: .weights, outputAxis: 0) {
      constant throws(FoveaError) in
      try constant.turned(
        matrices: sizes[0], rows: sizes[1] * sizes[2], columns: sizes[3],
        shape: [sizes[0], sizes[3], sizes[1], sizes[2]], axis: 0)
    }
    try give(convolution: weights, groups: channels / sizes[3], outputs: sizes[0])
  }

  /// Weights are [1, rows, columns, channels * multiplier].
  private func depthwiseConvolution() throws(FoveaError) {
    let sizes = try weightSizes(1)
    let channels = try imageSizes(0)[3]
    guard sizes[0] == 1, channels >= 1, sizes[3] % channels == 0 else {
      throw operation.mismatch("weights of shape \(sizes) for each of \(channels) channels")
    }
    let weights = try values.weights(name(1), as: .depthwise, outputAxis: 3) {
      constant throws(FoveaError) in
      try constant.turned(
        matrices: 1, rows: sizes[1] * sizes[2], columns: sizes[3],
        shape: [sizes[3], 1, sizes[1], sizes[2]], axis: 0)
    }
    try give(convolution: weights, groups: channels, outputs: sizes[3])
  }

  private func give(
    convolution weights: TensorProgram.Argument, groups: Int, outputs: Int
  ) throws(FoveaError) {
    var arguments = try windowArguments(0, border: 0)
    arguments["weight"] = [weights]
    if let bias = try bias(2, count: outputs, input: 0, weights: 1) { arguments["bias"] = [bias] }
    arguments["groups"] = [.integer(groups)]
    arguments["dilations"] = [
      .integers([
        try operation.integer("dilation_h_factor", default: 1),
        try operation.integer("dilation_w_factor", default: 1),
      ])
    ]
    try give([Step("conv", arguments)], in: .planes)
  }

  func weightSizes(_ index: Int) throws(FoveaError) -> [Int] {
    let shape = try shape(index)
    guard shape.count == 4, !shape.contains(0) else {
      throw operation.mismatch("weights of shape \(shape)")
    }
    return shape
  }

  func imageSizes(_ index: Int) throws(FoveaError) -> [Int] {
    let shape = try shape(index)
    guard shape.count == 4 else {
      throw operation.mismatch("an input of shape \(shape), where images were expected")
    }
    return shape
  }

  /// Biases as numbers. Those of integers have the scale of the input times those of the weights.
  private func bias(
    _ index: Int, count: Int, input: Int, weights: Int
  ) throws(FoveaError) -> TensorProgram.Argument? {
    guard operation.has(index) else { return nil }
    let name = try name(index)
    var constant = try values.constant(name)
    guard constant.shape.reduce(1, *) == count else {
      throw operation.mismatch("biases of shape \(constant.shape) for \(count) outputs")
    }
    if ElementClass(constant.elements.element) == .integer, constant.scales.isEmpty {
      let scales = try values.constant(self.name(weights)).scales
      guard let scale = try value(input).codes?.scale, scales.count == 1 || scales.count == count
      else { throw operation.mismatch("biases of integers without a scale") }
      let factor = try ConstantValue(scale).floats()[0]
      constant.scales = scales.map { $0 * factor }
      constant.zeroPoints = scales.map { _ in 0 }
    }
    constant.axis = 0
    constant.elements.shape = [count]
    let numbers = constant
    return try values.weights(name, as: .bias, outputAxis: 0) { _ throws(FoveaError) in
      numbers.scales.isEmpty
        ? numbers
        : try TensorFlowLiteConstant(ConstantValue(numbers.numbers().floats(), shape: [count]))
    }
  }

  // MARK: Transposed convolutions

  /// Weights are [outputs, rows, columns, inputs]. The sizes of the result are an input.
  private func transposedConvolution() throws(FoveaError) {
    let wanted = try integers(0)
    guard wanted.count == 4 else { throw operation.mismatch("a result of shape \(wanted)") }
    try give(transposedConvolutionOf: 2, weights: 1, bias: 3, wanted: [wanted[1], wanted[2]])
  }

  /// The same as MediaPipe writes it: the result is as large as the strides say.
  private func transposedConvolutionOfMediaPipe() throws(FoveaError) {
    try give(transposedConvolutionOf: 0, weights: 1, bias: 2, wanted: nil)
  }

  private func give(
    transposedConvolutionOf input: Int, weights: Int, bias biasInput: Int, wanted: [Int]?
  ) throws(FoveaError) {
    let sizes = try weightSizes(weights)
    _ = try imageSizes(input)
    let kernel = try values.weights(name(weights), as: .transposed, outputAxis: 0) {
      constant throws(FoveaError) in
      try constant.turned(
        matrices: 1, rows: sizes[0] * sizes[1] * sizes[2], columns: sizes[3],
        shape: [sizes[3], sizes[0], sizes[1], sizes[2]], axis: 1)
    }
    var arguments: [String: [TensorProgram.Argument]] = [
      "x": [try argument(input, as: .planes)], "weight": [kernel],
      "strides": [.integers(try strides())],
      "pad_type": [.string(try isSame() ? "same" : "valid")],
    ]
    if let wanted { arguments["output_shape"] = [.integers(wanted)] }
    if let bias = try bias(biasInput, count: sizes[0], input: input, weights: weights) {
      arguments["bias"] = [bias]
    }
    try give([Step("conv_transpose", arguments)], in: .planes)
  }

  // MARK: Products of matrices

  /// Weights are [outputs, inputs]. Without `keep_num_dims` all dimensions but the last become one.
  private func dense() throws(FoveaError) {
    guard try operation.integer("weights_format", default: 0) == 0 else {
      throw operation.unsupported("its weights are shuffled for another processor")
    }
    let sizes = try shape(1)
    let given = try shape(0)
    let count = given.reduce(1, *)
    guard sizes.count == 2, sizes[1] >= 1, count % sizes[1] == 0 else {
      throw operation.mismatch("weights of shape \(sizes) for an input of shape \(given)")
    }
    let keeps = try flag("keep_num_dims") && given.last == sizes[1]
    var x = try argument(0, as: .file)
    if !keeps && given.count != 2 || given.last != sizes[1] {
      x = try step("reshape", ["x": [x], "shape": [.integers([count / sizes[1], sizes[1]])]])
    }
    guard try value(1).constant != nil else { return try product(of: x, sizes) }
    let weights = try values.weights(name(1), as: .weights, outputAxis: 0) {
      constant throws(FoveaError) in
      var constant = constant
      constant.axis = 0
      return constant
    }
    var arguments = ["x": [x], "weight": [weights]]
    if let bias = try bias(2, count: sizes[0], input: 0, weights: 1) { arguments["bias"] = [bias] }
    try give([Step("linear", arguments)], in: .file)
  }

  /// A dense layer whose weights are computed.
  private func product(of x: TensorProgram.Argument, _ sizes: [Int]) throws(FoveaError) {
    var steps = [
      Step(
        "matmul",
        ["x": [x], "y": [try argument(1, as: .file)], "transpose_y": [.boolean(true)]])
    ]
    if operation.has(2) { steps.append(Step("add", ["y": [try argument(2, as: .file)]])) }
    try give(steps, in: .file)
  }

  private func matrixProduct() throws(FoveaError) {
    let arguments: [String: [TensorProgram.Argument]] = [
      "x": [try argument(0, as: .file)], "y": [try argument(1, as: .file)],
      "transpose_x": [.boolean(try flag("adj_x"))],
      "transpose_y": [.boolean(try flag("adj_y"))],
    ]
    try give([Step("matmul", arguments)], in: .file)
  }
}
