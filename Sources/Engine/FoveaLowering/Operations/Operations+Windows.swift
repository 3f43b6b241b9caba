// Fovea - convolutions and pooling of programs.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension OperationLowering {
  /// Operations on windows of one or two spatial dimensions.
  static let windowRules: [String: OperationRule] = [
    "conv": { op throws(FoveaError) in try op.convolution() },
    "conv_transpose": { op throws(FoveaError) in try op.transposedConvolution() },
    "avg_pool": { op throws(FoveaError) in try op.pooling(.average) },
    "max_pool": { op throws(FoveaError) in try op.pooling(.maximum) },
    "l2_pool": { op throws(FoveaError) in try op.pooling(.l2) },
  ]

  // MARK: Convolutions

  private func convolution() throws(FoveaError) -> [ProgramValue] {
    let groups = try positive("groups", default: 1)
    let (planes, factors) = try windowInput(groups: groups)
    let weight = try kernel(for: planes)
    let channels = planes.value.shape[1]
    let outputs = weight.shape[0]
    guard outputs % groups == 0, channels % groups == 0, weight.shape[1] == channels / groups
    else {
      throw mismatch(
        "weights of shape \(weight.shape) in \(groups) groups for \(channels) channels")
    }
    let kernel = planes.pair(Array(weight.shape[2...]), filling: 1)
    let windows = try Windows(self, planes, kernel: kernel)
    let extents = try windows.extents()
    let parameters = fov_convolution(
      output_channels: outputs, groups: groups, kernel: (kernel[0], kernel[1]),
      stride: windows.stridePair, dilation: windows.dilationPair,
      before: (extents[0].before, extents[1].before),
      after: (extents[0].after, extents[1].after), output_extension: (0, 0))
    let weights =
      if let factors {
        WeightData(try weight.floats(multipliedBy: factors))
      } else {
        try weight.weights(channelAxis: 0)
      }
    let value = try graph.convolution(
      planes.value, parameters, weights: weights, bias: try bias(outputs))
    return result(try planes.restored(value, in: graph))
  }

  /// What a convolution reads, and factors for its channels that belong into the weights. Coded
  /// weights stay codes: then the planes are multiplied.
  private func windowInput(groups: Int) throws(FoveaError) -> (Planes, factors: [Float]?) {
    guard case .image(let image) = try argument("x"), let factors = image.weightFactors,
      groups == 1,
      !(try constant("weight").isCoded)
    else { return (try Planes(self), nil) }
    let planes = try image.factoredPlanes(in: graph)
    try graph.setLabel(label)
    return (Planes(planes), factors)
  }

  /// A transposed convolution writes (size - 1) * stride + kernel rows before anything is cut off.
  /// `output_shape` says how many are kept behind the cut; where fewer were written, the bias alone
  /// follows.
  private func transposedConvolution() throws(FoveaError) -> [ProgramValue] {
    let planes = try Planes(self)
    let weight = try kernel(for: planes)
    let groups = try positive("groups", default: 1)
    guard weight.shape[0] == planes.value.shape[1], weight.shape[0] % groups == 0 else {
      throw mismatch(
        "weights of shape \(weight.shape) in \(groups) groups for \(planes.value.shape[1])"
          + " channels")
    }
    let kernel = planes.pair(Array(weight.shape[2...]), filling: 1)
    let windows = try Windows(self, planes, kernel: kernel)
    guard windows.dilations.allSatisfy({ $0 == 1 }) else {
      throw unsupported("transposed convolutions can be run with a dilation of 1 only")
    }
    let wanted = try wantedSizes(planes)
    var cuts: [TransposedExtent] = []
    for axis in 0..<2 { cuts.append(try windows.transposed(axis, wanted: wanted?[axis])) }
    let outputs = weight.shape[1] * groups
    let parameters = fov_convolution(
      output_channels: outputs, groups: groups, kernel: (kernel[0], kernel[1]),
      stride: windows.stridePair, dilation: (1, 1), before: (cuts[0].before, cuts[1].before),
      after: (cuts[0].after, cuts[1].after),
      output_extension: (cuts[0].extension, cuts[1].extension))
    let value = try graph.convolution(
      planes.value, parameters, weights: weight.weights(channelAxis: 1), bias: bias(outputs),
      isTransposed: true)
    return result(try planes.restored(value, in: graph))
  }

  /// The spatial sizes of "output_shape", which may state all dimensions.
  private func wantedSizes(_ planes: Planes) throws(FoveaError) -> [Int]? {
    guard has("output_shape") else { return nil }
    let sizes = Array(try sizes("output_shape").suffix(planes.dimensions))
    guard sizes.count == planes.dimensions, sizes.allSatisfy({ $0 >= 1 }) else {
      throw mismatch("\"output_shape\" is \(sizes)")
    }
    return planes.pair(sizes, filling: 1)
  }

  private func kernel(for planes: Planes) throws(FoveaError) -> ConstantValue {
    let weight = try constant("weight")
    guard weight.shape.count == planes.dimensions + 2, weight.count > 0 else {
      throw mismatch(
        "weights of shape \(weight.shape) for an input of \(planes.dimensions + 2) dimensions")
    }
    return weight
  }

  private func bias(_ count: Int) throws(FoveaError) -> WeightData? {
    guard has("bias") else { return nil }
    let bias = try constant("bias")
    guard bias.count == count else { throw mismatch("\(bias.count) biases for \(count) channels") }
    return try bias.weights(channelAxis: 0)
  }

  func positive(_ name: String, default value: Int) throws(FoveaError) -> Int {
    let number = try integer(name, default: value)
    guard number >= 1 else { throw mismatch("\"\(name)\" is \(number)") }
    return number
  }

  // MARK: Pooling

  private func pooling(_ function: fov_pooling_function) throws(FoveaError) -> [ProgramValue] {
    let planes = try Planes(self)
    let kernel = planes.pair(
      try integers("kernel_sizes", count: planes.dimensions, default: 1), filling: 1)
    let windows = try Windows(self, planes, kernel: kernel)
    let extents = try boolean("ceil_mode") ? windows.coveringExtents() : windows.extents()
    var parameters = fov_pooling()
    parameters.function = function
    parameters.kernel = (kernel[0], kernel[1])
    parameters.stride = windows.stridePair
    parameters.before = (extents[0].before, extents[1].before)
    parameters.output = (extents[0].output, extents[1].output)
    parameters.exclude_padding = try boolean("exclude_padding_from_average")
    let value: GraphValue
    if function == .average, !parameters.exclude_padding {
      value = try averageWithPadding(planes.value, parameters, extents)
    } else {
      value = try graph.pooling(planes.value, parameters)
    }
    return result(try planes.restored(value, in: graph))
  }

  /// An average in which stated padding counts. What rounding up adds beyond it never does: then the
  /// padding becomes elements of the image, and the average goes over the elements inside.
  private func averageWithPadding(
    _ input: GraphValue, _ parameters: fov_pooling, _ extents: [SpatialExtent]
  ) throws(FoveaError) -> GraphValue {
    let (height, width) = input.plane
    let reachesBeyond =
      extents[0].reachesBeyond(height, kernel: parameters.kernel.0, stride: parameters.stride.0)
      || extents[1].reachesBeyond(width, kernel: parameters.kernel.1, stride: parameters.stride.1)
    guard reachesBeyond else { return try graph.pooling(input, parameters) }
    let lead = Array(repeating: 0, count: input.rank - 2)
    let padded = try graph.padding(
      input, mode: .constant, before: lead + extents.map(\.before),
      after: lead + extents.map(\.after))
    var parameters = parameters
    parameters.before = (0, 0)
    parameters.exclude_padding = true
    return try graph.pooling(padded, parameters)
  }
}

/// The input of an operation on windows as planes: a signal becomes one row.
struct Planes {
  /// The planes, [batch, channels, rows, columns].
  let value: GraphValue
  /// The number of spatial dimensions, 1 or 2.
  let dimensions: Int

  /// Planes as they are.
  init(_ planes: GraphValue) {
    value = planes
    dimensions = 2
  }

  init(_ operation: OperationLowering) throws(FoveaError) {
    let x = try operation.tensor("x")
    switch x.rank {
    case 3:
      value = try operation.graph.reshape(x, to: [x.shape[0], x.shape[1], 1, x.shape[2]])
      dimensions = 1
    case 4:
      value = x
      dimensions = 2
    default:
      throw operation.unsupported(
        "its input has shape \(x.shape); windows of one and two dimensions can be run")
    }
  }

  /// Numbers for rows and columns; a signal has no numbers for rows.
  func pair(_ numbers: [Int], filling: Int) -> [Int] {
    dimensions == 1 ? [filling] + numbers : numbers
  }

  /// A result with the dimensions that the program's input has.
  func restored(_ value: GraphValue, in graph: GraphBuilder) throws(FoveaError) -> GraphValue {
    guard dimensions == 1 else { return value }
    return try graph.reshape(value, to: [value.shape[0], value.shape[1], value.shape[3]])
  }
}
