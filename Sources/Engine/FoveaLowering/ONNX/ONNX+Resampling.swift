// Fovea - operations of ONNX that change the size of planes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// Enlargement, resizing, and samples at computed places.
  static let onnxResamplingRules: [String: ONNXRule] = [
    "Resize": { node throws(FoveaError) in try node.resize() },
    "Upsample": { node throws(FoveaError) in
      let scales = try node.floats(ofInput: 1)
      let mode = try node.choice(
        "mode", default: "nearest",
        ["nearest": ONNXResize.Mode.nearest, "linear": .linear, "bilinear": .linear])
      try node.resize(
        ONNXResize(mode: mode, coordinates: .asymmetric, rounding: .floor), byScales: scales,
        axes: Array(0..<node.shape(0).count))
    },
    "GridSample": { node throws(FoveaError) in
      let mode = try node.choice(
        "mode", default: node.version >= 20 ? "linear" : "bilinear",
        ["linear": "bilinear", "bilinear": "bilinear", "nearest": "nearest"])
      let padding = try node.choice(
        "padding_mode", default: "zeros",
        ["zeros": "constant", "border": "border", "reflection": "reflection"])
      try node.give(
        "resample",
        [
          "x": node.input(0), "coordinates": node.input(1), "sampling_mode": .string(mode),
          "padding_mode": .string(padding), "padding_value": .float(0),
          "coordinates_mode": .string("normalized_minus_one_to_one"),
          "align_corners": .boolean(node.integer("align_corners", default: 0) != 0),
        ])
    },
  ]

  // MARK: What is asked for

  private func resize() throws(FoveaError) {
    let shape = try shape(0)
    let axes = try axes(
      integers("axes") ?? Array(0..<shape.count), ofRank: shape.count)
    guard version >= 11 else {
      let mode = try choice(
        "mode", default: "nearest", ["nearest": ONNXResize.Mode.nearest, "linear": .linear])
      return try resize(
        ONNXResize(mode: mode, coordinates: .asymmetric, rounding: .floor),
        byScales: floats(ofInput: 1), axes: axes)
    }
    var parameters = ONNXResize(
      mode: try choice(
        "mode", default: "nearest", ["nearest": .nearest, "linear": .linear, "cubic": .cubic]),
      coordinates: try choice(
        "coordinate_transformation_mode", default: "half_pixel",
        [
          "half_pixel": .halfPixel, "pytorch_half_pixel": .pytorchHalfPixel,
          "asymmetric": .asymmetric, "align_corners": .alignCorners,
          "half_pixel_symmetric": .halfPixelSymmetric,
          "tf_half_pixel_for_nn": .halfPixelOfNearest,
        ]),
      rounding: try choice(
        "nearest_mode", default: "round_prefer_floor",
        [
          "round_prefer_floor": .preferFloor, "round_prefer_ceil": .preferCeil,
          "floor": .floor, "ceil": .ceil,
        ]))
    parameters.cubicFactor = try float("cubic_coeff_a", default: -0.75)
    parameters.excludesOutside = try integer("exclude_outside", default: 0) != 0
    parameters.isSmoothed = try integer("antialias", default: 0) != 0
    // An input without elements counts as absent.
    if has(2), try !self.shape(2).contains(0) {
      return try resize(parameters, byScales: floats(ofInput: 2), axes: axes)
    }
    guard has(3) else { throw mismatch("it has neither scales nor sizes") }
    try resize(parameters, toSizes: integers(ofInput: 3), axes: axes)
  }

  private func resize(
    _ parameters: ONNXResize, toSizes sizes: [Int], axes: [Int]
  ) throws(FoveaError) {
    let shape = try shape(0)
    guard sizes.count == axes.count, sizes.allSatisfy({ $0 >= 1 && $0 <= 1 << 20 }),
      axes.allSatisfy({ shape[$0] >= 1 })
    else {
      throw mismatch("sizes of \(sizes.prefix(20)) for \(axes.count) dimensions of shape \(shape)")
    }
    var scales = zip(sizes, axes).map { Float($0) / Float(shape[$1]) }
    var sizes = sizes
    let policy = try choice(
      "keep_aspect_ratio_policy", default: "stretch",
      ["stretch": 0, "not_larger": -1, "not_smaller": 1])
    if policy != 0, let scale = policy < 0 ? scales.min() : scales.max() {
      scales = scales.map { _ in scale }
      sizes = axes.map { Int((scale * Float(shape[$0])).rounded(.toNearestOrAwayFromZero)) }
      guard sizes.allSatisfy({ $0 >= 1 && $0 <= 1 << 20 }) else {
        throw mismatch("sizes of \(sizes)")
      }
    }
    let grids = axes.indices.map {
      ONNXResizeAxis(
        axis: axes[$0], size: shape[axes[$0]], output: sizes[$0], scale: scales[$0])
    }
    try resize(parameters, grids)
  }

  private func resize(
    _ parameters: ONNXResize, byScales scales: [Float], axes: [Int]
  ) throws(FoveaError) {
    let shape = try shape(0)
    guard scales.count == axes.count else {
      throw mismatch("\(scales.count) scales for \(axes.count) dimensions of shape \(shape)")
    }
    var grids: [ONNXResizeAxis] = []
    for (scale, axis) in zip(scales, axes) {
      // Rounded in single precision: 10 rows times 0.7 are 7, not 6.
      let wanted = Float(shape[axis]) * scale
      let output = wanted.rounded(.down)
      guard output >= 1, output <= Float(1 << 20) else {
        throw mismatch("a scale of \(scale) for \(shape[axis]) elements")
      }
      // The standard spreads the corners over the size before rounding, ONNX Runtime and the exporters
      // over the size after it.
      guard parameters.coordinates != .alignCorners || wanted == output else {
        throw unsupported(
          "corners are aligned, and a scale of \(scale) gives no whole number of elements, for which"
            + " runtimes take different samples; export the model with sizes")
      }
      grids.append(
        ONNXResizeAxis(axis: axis, size: shape[axis], output: Int(output), scale: scale))
    }
    try resize(parameters, grids)
  }

  // MARK: How it is done

  /// Planes are resized by operations of ML Programs where these mean the same; else nearest
  /// elements are picked by their indices, and interpolation is a product with its weights.
  private func resize(_ parameters: ONNXResize, _ grids: [ONNXResizeAxis]) throws(FoveaError) {
    let grids = grids.filter { $0.output != $0.size || $0.scale != 1 }
    guard !grids.isEmpty else { return handOn(try input(0)) }
    // The place of every element is computed several times.
    for grid in grids { try spend(8 * grid.output) }
    let shape = try shape(0)
    if shape.count >= 3, grids.allSatisfy({ $0.axis >= shape.count - 2 }),
      let mode = parameters.planeMode(grids)
    {
      var (rows, columns) = (shape[shape.count - 2], shape[shape.count - 1])
      for grid in grids {
        if grid.axis == shape.count - 1 { columns = grid.output } else { rows = grid.output }
      }
      var arguments: [String: TensorProgram.Argument] = [
        "x": try input(0), "target_size_height": .integer(rows),
        "target_size_width": .integer(columns),
      ]
      if mode.isEmpty { return try give("resize_nearest_neighbor", arguments) }
      arguments["sampling_mode"] = .string(mode)
      return try give("resize_bilinear", arguments)
    }
    var value = try input(0)
    for grid in grids { value = try resized(value, parameters, grid) }
    handOn(value)
  }

  private func resized(
    _ value: TensorProgram.Argument, _ parameters: ONNXResize, _ grid: ONNXResizeAxis
  ) throws(FoveaError) -> TensorProgram.Argument {
    if parameters.mode == .nearest {
      let indices = (0..<grid.output).map { parameters.nearest($0, grid) }
      return try step(
        "gather", ["x": value, "indices": .integers(indices), "axis": .integer(grid.axis)])
    }
    let (count, overflow) = grid.size.multipliedReportingOverflow(by: grid.output)
    guard !overflow, count <= 1 << 24 else {
      throw unsupported("\(grid.size) elements become \(grid.output) by interpolation")
    }
    try spend(count)
    let weights = TensorProgram.Argument.floats(
      parameters.weights(grid), shape: [grid.output, grid.size])
    let rank = try shape(of: value).count
    if grid.axis == rank - 1 { return try step("linear", ["x": value, "weight": weights]) }
    if grid.axis == rank - 2 { return try step("matmul", ["x": weights, "y": value]) }
    var order = Array(0..<rank)
    order.swapAt(grid.axis, rank - 1)
    let turned = try step("transpose", ["x": value, "perm": .integers(order)])
    let resized = try step("linear", ["x": turned, "weight": weights])
    return try step("transpose", ["x": resized, "perm": .integers(order)])
  }
}
