// Fovea - convolutions and pooling of ONNX.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// Operations on windows.
  static let onnxWindowRules: [String: ONNXRule] = [
    "Conv": { node throws(FoveaError) in try node.convolution() },
    "ConvTranspose": { node throws(FoveaError) in try node.transposedConvolution() },
    "MaxPool": { node throws(FoveaError) in try node.maximumPooling() },
    "AveragePool": { node throws(FoveaError) in try node.averagePooling() },
    "LpPool": { node throws(FoveaError) in
      guard try node.integer("p", default: 2) == 2 else {
        throw node.unsupported("pooling by a norm can be run for p = 2 only")
      }
      try node.checkDilations()
      try node.give("l2_pool", node.pooling(ceils: true))
    },
    "GlobalAveragePool": { node throws(FoveaError) in try node.globalPooling("reduce_mean") },
    "GlobalMaxPool": { node throws(FoveaError) in try node.globalPooling("reduce_max") },
    "GlobalLpPool": { node throws(FoveaError) in
      guard try node.integer("p", default: 2) == 2 else {
        throw node.unsupported("pooling by a norm can be run for p = 2 only")
      }
      try node.globalPooling("reduce_l2_norm")
    },
    "LRN": { node throws(FoveaError) in
      try node.give(
        "local_response_norm",
        [
          "x": node.input(0), "size": .integer(node.integer("size", default: 1)),
          "alpha": .float(node.float("alpha", default: 1e-4)),
          "beta": .float(node.float("beta", default: 0.75)),
          "k": .float(node.float("bias", default: 1)),
        ])
    },
  ]

  // MARK: Windows

  /// The number of dimensions that windows move along.
  private func spatialRank() throws(FoveaError) -> Int {
    let shape = try shape(0)
    guard shape.count >= 3 else { throw mismatch("an input of shape \(shape)") }
    return shape.count - 2
  }

  /// As many integers as there are spatial dimensions.
  func spatial(_ name: String, _ count: Int, default value: Int = 1) throws(FoveaError) -> [Int] {
    let numbers = try integers(name) ?? Array(repeating: value, count: count)
    guard numbers.count == count else {
      throw mismatch("\"\(name)\" has \(numbers.count) numbers, not \(count)")
    }
    return numbers
  }

  /// The padding as ML Programs state it: ONNX lists all begins before all ends.
  private func padding(_ count: Int) throws(FoveaError) -> [String: TensorProgram.Argument] {
    switch try string("auto_pad", default: "NOTSET") {
    case "SAME_UPPER": return ["pad_type": .string("same")]
    case "SAME_LOWER": return ["pad_type": .string("same_lower")]
    case "VALID": return ["pad_type": .string("valid")]
    case "NOTSET", "":
      let pads = try statedPads(count)
      let pairs = (0..<count).flatMap { [pads[$0], pads[count + $0]] }
      return pairs.allSatisfy { $0 == 0 }
        ? ["pad_type": .string("valid")]
        : ["pad_type": .string("custom"), "pad": .integers(pairs)]
    case let word: throw mismatch("\"auto_pad\" is \"\(ModelText.readable(word))\"")
    }
  }

  private func statedPads(_ count: Int) throws(FoveaError) -> [Int] {
    let pads = try integers("pads") ?? Array(repeating: 0, count: 2 * count)
    guard pads.count == 2 * count else {
      throw mismatch("\"pads\" has \(pads.count) numbers, not \(2 * count)")
    }
    return pads
  }

  // MARK: Convolutions

  private func convolution() throws(FoveaError) {
    let count = try spatialRank()
    var arguments = try padding(count)
    arguments["x"] = try input(0)
    arguments["weight"] = try input(1)
    if has(2) { arguments["bias"] = try input(2) }
    try checkKernel(count)
    arguments["strides"] = .integers(try spatial("strides", count))
    arguments["dilations"] = .integers(try spatial("dilations", count))
    arguments["groups"] = .integer(try integer("group", default: 1))
    try give("conv", arguments)
  }

  /// The stated size of the kernel has to be that of the weights.
  private func checkKernel(_ count: Int) throws(FoveaError) {
    guard let stated = try integers("kernel_shape") else { return }
    let weights = try shape(1)
    guard Array(weights.dropFirst(2)) == stated else {
      throw mismatch("\"kernel_shape\" is \(stated) for weights of shape \(weights)")
    }
  }

  /// What is kept of the full result, which has (size - 1) * stride + kernel rows, follows from the
  /// padding, or the padding from the wanted size.
  private func transposedConvolution() throws(FoveaError) {
    let count = try spatialRank()
    try checkKernel(count)
    let (shape, weights) = (try shape(0), try shape(1))
    guard weights.count == shape.count else {
      throw mismatch("weights of shape \(weights) for an input of shape \(shape)")
    }
    let strides = try spatial("strides", count)
    let dilations = try spatial("dilations", count)
    let extra = try spatial("output_padding", count, default: 0)
    let numbers = weights + shape + strides + dilations + extra
    guard numbers.allSatisfy({ $0 >= 0 && $0 <= 1 << 20 }) else {
      throw mismatch("strides of \(strides), dilations of \(dilations) and padding of \(extra)")
    }
    let word = try string("auto_pad", default: "NOTSET")
    let wanted = try integers("output_shape").map { Array($0.suffix(count)) }
    var pads = try statedPads(count)
    var sizes: [Int] = []
    for axis in 0..<count {
      let full =
        (shape[axis + 2] - 1) * strides[axis] + (weights[axis + 2] - 1) * dilations[axis] + 1
        + extra[axis]
      let isSame = word.hasPrefix("SAME")
      if wanted != nil || isSame {
        let size = wanted?[axis] ?? shape[axis + 2] * strides[axis]
        let cut = max(full - size, 0)
        pads[axis] = word == "SAME_UPPER" ? cut / 2 : cut - cut / 2
        sizes.append(size)
      } else {
        if word == "VALID" { (pads[axis], pads[count + axis]) = (0, 0) }
        sizes.append(full - pads[axis] - pads[count + axis])
      }
    }
    guard sizes.allSatisfy({ $0 >= 1 }), pads.allSatisfy({ $0 >= 0 }) else {
      throw mismatch("its result would have sizes \(sizes)")
    }
    let groups = try integer("group", default: 1)
    var arguments: [String: TensorProgram.Argument] = [
      "x": try input(0), "weight": try input(1), "strides": .integers(strides),
      "dilations": .integers(dilations), "groups": .integer(groups),
      "pad_type": .string("custom"),
      "pad": .integers((0..<count).flatMap { [pads[$0], 0] }),
    ]
    guard groups >= 1, weights[1] <= Int(Int32.max) / groups else {
      throw mismatch("\(groups) groups")
    }
    arguments["output_shape"] = .integers([shape[0], weights[1] * groups] + sizes)
    if has(2) { arguments["bias"] = try input(2) }
    try give("conv_transpose", arguments)
  }

  // MARK: Pooling

  private func pooling(ceils: Bool) throws(FoveaError) -> [String: TensorProgram.Argument] {
    let count = try spatialRank()
    guard has("kernel_shape") else { throw mismatch("it has no \"kernel_shape\"") }
    var arguments = try padding(count)
    arguments["x"] = try input(0)
    arguments["kernel_sizes"] = .integers(try spatial("kernel_shape", count))
    arguments["strides"] = .integers(try spatial("strides", count))
    // Automatic padding leaves no part of a window over.
    let isAutomatic = try string("auto_pad", default: "NOTSET").hasPrefix("SAME")
    if ceils, !isAutomatic, try integer("ceil_mode", default: 0) != 0 {
      arguments["ceil_mode"] = .boolean(true)
    }
    return arguments
  }

  private func checkDilations() throws(FoveaError) {
    guard try spatial("dilations", spatialRank()).allSatisfy({ $0 == 1 }) else {
      throw unsupported("windows with a dilation can be run for maxima only")
    }
  }

  private func maximumPooling() throws(FoveaError) {
    let count = try spatialRank()
    guard try spatial("dilations", count).allSatisfy({ $0 == 1 }) else {
      return try dilatedMaximum(count)
    }
    try give("max_pool", pooling(ceils: true))
  }

  private func averagePooling() throws(FoveaError) {
    try checkDilations()
    var arguments = try pooling(ceils: true)
    arguments["exclude_padding_from_average"] = .boolean(
      try integer("count_include_pad", default: 0) == 0)
    try give("avg_pool", arguments)
  }

  /// ML Programs have no maxima over windows with gaps: they are maxima of strided parts of the
  /// padded input, along one dimension after another.
  private func dilatedMaximum(_ count: Int) throws(FoveaError) {
    let shape = try shape(0)
    let kernel = try spatial("kernel_shape", count)
    let strides = try spatial("strides", count)
    let dilations = try spatial("dilations", count)
    guard (kernel + strides + dilations).allSatisfy({ (1...1 << 20).contains($0) }),
      kernel.allSatisfy({ $0 <= 64 })
    else {
      throw mismatch("windows of \(kernel), strides of \(strides), dilations of \(dilations)")
    }
    let word = try string("auto_pad", default: "NOTSET")
    let pads = try statedPads(count)
    let ceils = try integer("ceil_mode", default: 0) != 0
    var value = try input(0)
    for axis in 0..<count {
      let reach = (kernel[axis] - 1) * dilations[axis] + 1
      let extent: SpatialExtent? =
        switch word {
        case "SAME_UPPER", "SAME_LOWER":
          .same(
            size: shape[axis + 2], kernel: reach, stride: strides[axis],
            heaviness: word == "SAME_UPPER" ? .bottomRight : .topLeft)
        case "VALID":
          .valid(size: shape[axis + 2], kernel: reach, stride: strides[axis], before: 0, after: 0)
        default:
          ceils
            ? .covering(
              size: shape[axis + 2], kernel: reach, stride: strides[axis], before: pads[axis],
              after: pads[count + axis], dropsPadding: true)
            : .valid(
              size: shape[axis + 2], kernel: reach, stride: strides[axis], before: pads[axis],
              after: pads[count + axis])
        }
      guard let extent, extent.before >= 0 else {
        throw mismatch("a window of \(reach) in \(shape[axis + 2]) elements")
      }
      let needed = (extent.output - 1) * strides[axis] + reach
      let after = max(needed - extent.before - shape[axis + 2], 0)
      var amounts = Array(repeating: 0, count: 2 * count)
      (amounts[2 * axis], amounts[2 * axis + 1]) = (extent.before, after)
      if extent.before + after > 0 {
        value = try step(
          "pad",
          [
            "x": value, "pad": .integers(amounts), "mode": .string("constant"),
            "constant_val": .float(-.infinity),
          ])
      }
      value = try taps(
        of: value, axis: axis + 2, count: kernel[axis], gap: dilations[axis],
        stride: strides[axis], outputs: extent.output)
    }
    handOn(value)
  }

  /// The maxima of `count` elements, `gap` apart, for each of the outputs along an axis.
  private func taps(
    of value: TensorProgram.Argument, axis: Int, count: Int, gap: Int, stride: Int, outputs: Int
  ) throws(FoveaError) -> TensorProgram.Argument {
    let shape = try shape(of: value)
    var maximum: TensorProgram.Argument?
    for tap in 0..<count {
      // A few bytes ask for many taps.
      try spend(1024)
      var (begin, end, strides) = (shape.map { _ in 0 }, shape, shape.map { _ in 1 })
      (begin[axis], strides[axis]) = (tap * gap, stride)
      end[axis] = tap * gap + (outputs - 1) * stride + 1
      let part = try step(
        "slice_by_index",
        [
          "x": value, "begin": .integers(begin), "end": .integers(end),
          "stride": .integers(strides),
        ])
      maximum =
        try maximum.map { value throws(FoveaError) in
          try step("maximum", ["x": value, "y": part])
        } ?? part
    }
    return maximum ?? value
  }

  private func globalPooling(_ kind: String) throws(FoveaError) {
    let rank = try spatialRank() + 2
    try give(
      kind,
      [
        "x": input(0), "axes": .integers(Array(2..<rank)), "keep_dims": .boolean(true),
      ])
  }
}
