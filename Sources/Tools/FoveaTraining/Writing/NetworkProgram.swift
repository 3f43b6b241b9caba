// Fovea - a trained network as an ML Program.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaModelValues

/// Writes a network, up to its boxes, as the operations of an ML Program.
struct NetworkProgram {
  static let inputName = "image"
  private let network: TrainableNetwork
  private var writer = OperationWriter()
  private var values: [OperationWriter.Value] = []

  /// The detector without suppression: "confidence" [N, C] and "coordinates" [N, 4].
  ///
  /// - Throws: `.unsuitableStart` for a resizing that Core ML has no words for.
  static func detector(_ network: TrainableNetwork) throws(TrainingError) -> ModelDescription {
    var program = NetworkProgram(network: network)
    return try program.detector()
  }

  private init(network: TrainableNetwork) { self.network = network }

  private mutating func detector() throws(TrainingError) -> ModelDescription {
    let picture = network.picture
    let shape = [1, picture.channels, picture.height, picture.width]
    addPicture(picture, shape)
    for (index, node) in network.nodes.enumerated() {
      values.append(try write(node, to: "v\(index + 1)", sizes: network.sizes))
    }
    let boxes = HeadWriter.write(network, values, &writer)
    let input = TensorProgram.Value(
      name: Self.inputName, type: .tensor(TensorType(element: .float32, shape: shape)))
    let function = TensorProgram.Function(
      inputs: [input], operationSet: "CoreML7", operations: writer.operations,
      outputs: SuppressedDetector.outputNames)
    let color: ImageFeature.ColorSpace =
      picture.channels == 1 ? .grayscale : picture.isReversed ? .bgr : .rgb
    return ModelDescription(
      specificationVersion: 0,
      inputs: [
        FeatureDescription(
          name: Self.inputName,
          type: .image(
            ImageFeature(width: picture.width, height: picture.height, colorSpace: color)))
      ],
      outputs: zip(SuppressedDetector.outputNames, [boxes.confidence, boxes.coordinates]).map {
        FeatureDescription(
          name: $0, type: .multiArray(MultiArrayFeature(shape: $1.shape, dataType: .float32)))
      },
      body: .program(TensorProgram(functions: ["main": function])))
  }

  private mutating func addPicture(_ picture: TrainableNetwork.Picture, _ shape: [Int]) {
    var value = OperationWriter.Value(argument: .value(Self.inputName), shape: shape)
    if picture.scale != 1 {
      value = writer.binary("mul", value, .float(picture.scale), to: "scaled")
    }
    if picture.bias.contains(where: { $0 != 0 }) {
      value = writer.binary(
        "add", value, .floats(picture.bias, shape: [1, picture.channels, 1, 1]), to: "shifted")
    }
    values.append(value)
  }

  private mutating func write(
    _ node: TrainableNetwork.Node, to name: String, sizes: [TrainableNetwork.Size]
  ) throws(TrainingError) -> OperationWriter.Value {
    let inputs = node.inputs.map { values[$0] }
    let size = sizes[values.count]
    let shape = [1, size.channels, size.height, size.width]
    switch node.operation {
    case .convolution(let own): return write(own, inputs[0], to: name, shape)
    case .function(let function): return write(function, inputs[0], to: name)
    case .binary(let function):
      let kind = function == .add ? "add" : function == .subtract ? "sub" : "mul"
      return writer.write(
        kind, ["x": inputs[0].argument, "y": inputs[1].argument], to: name, shape)
    case .affine(let scale, let bias):
      let factors: [Int] = [1, scale.count, 1, 1]
      let scaled = writer.binary(
        "mul", inputs[0], .floats(scale, shape: factors), to: name + "_scaled")
      return writer.binary("add", scaled, .floats(bias, shape: factors), to: name)
    case .pooling(let pooling): return write(pooling, node, inputs[0], to: name, shape)
    case .resize(let resize):
      return try write(resize, inputs[0], to: name, shape, label: node.label)
    case .concat: return writer.concat(inputs, axis: 1, to: name)
    case .arrangement(let movements): return write(movements, inputs[0], to: name)
    case .given: throw TrainingError(.unsuitableStart, "\"\(node.label)\" cannot be written anew")
    }
  }

  // MARK: Convolutions and functions

  private mutating func write(
    _ own: TrainableNetwork.Convolution, _ input: OperationWriter.Value, to name: String,
    _ shape: [Int]
  ) -> OperationWriter.Value {
    let geometry = own.geometry
    let convolved = writer.convolution(
      own, named: name,
      [
        "x": input.argument, "strides": .integers([geometry.stride.0, geometry.stride.1]),
        "dilations": .integers([geometry.dilation.0, geometry.dilation.1]),
        "pad_type": .string("custom"),
        "pad": .integers([
          geometry.before.0, geometry.after.0, geometry.before.1, geometry.after.1,
        ]), "groups": .integer(geometry.groups),
      ], to: own.activation == nil ? name : name + "_conv", shape)
    guard let activation = own.activation else { return convolved }
    return write(activation, convolved, to: name)
  }

  private mutating func write(
    _ function: fov_unary, _ x: OperationWriter.Value, to name: String
  ) -> OperationWriter.Value {
    let (alpha, beta) = (function.alpha, function.beta)
    func one(_ kind: String, _ more: [String: TensorProgram.Argument]) -> OperationWriter.Value {
      writer.write(kind, more.merging(["x": x.argument]) { first, _ in first }, to: name, x.shape)
    }
    switch function.function {
    case .relu: return one("relu", [:])
    case .leaky_relu: return one("leaky_relu", ["alpha": .float(alpha)])
    case .clip: return one("clip", ["alpha": .float(alpha), "beta": .float(beta)])
    case .clamped_relu: return one("clamped_relu", ["alpha": .float(alpha), "beta": .float(beta)])
    case .sigmoid: return one("sigmoid", [:])
    case .hard_sigmoid: return one("sigmoid_hard", ["alpha": .float(alpha), "beta": .float(beta)])
    case .tanh: return one("tanh", [:])
    case .elu: return one("elu", ["alpha": .float(alpha)])
    case .softplus: return one("softplus", [:])
    case .silu: return one("silu", [:])
    case .hard_silu:
      let gate = writer.write(
        "sigmoid_hard", ["x": x.argument, "alpha": .float(alpha), "beta": .float(0.5)],
        to: name + "_gate", x.shape)
      return writer.binary("mul", x, gate.argument, to: name)
    default:
      return one("linear_activation", ["alpha": .float(alpha), "beta": .float(beta)])
    }
  }

  // MARK: Windows and movements

  private mutating func write(
    _ pooling: fov_pooling, _ node: TrainableNetwork.Node, _ input: OperationWriter.Value,
    to name: String, _ shape: [Int]
  ) -> OperationWriter.Value {
    func after(_ output: Int, _ size: Int, _ kernel: Int, _ stride: Int, _ before: Int) -> Int {
      max((output - 1) * stride + kernel - before - size, 0)
    }
    let bottom = after(
      shape[2], input.shape[2], pooling.kernel.0, pooling.stride.0, pooling.before.0)
    let right = after(
      shape[3], input.shape[3], pooling.kernel.1, pooling.stride.1, pooling.before.1)
    var arguments: [String: TensorProgram.Argument] = [
      "x": input.argument, "kernel_sizes": .integers([pooling.kernel.0, pooling.kernel.1]),
      "strides": .integers([pooling.stride.0, pooling.stride.1]), "pad_type": .string("custom"),
      "pad": .integers([pooling.before.0, bottom, pooling.before.1, right]),
      "ceil_mode": .boolean(false),
    ]
    guard pooling.function == .average else {
      return writer.write("max_pool", arguments, to: name, shape)
    }
    arguments["exclude_padding_from_average"] = .boolean(pooling.exclude_padding)
    return writer.write("avg_pool", arguments, to: name, shape)
  }

  private mutating func write(
    _ resize: fov_resize, _ x: OperationWriter.Value, to name: String, _ shape: [Int], label: String
  ) throws(TrainingError) -> OperationWriter.Value {
    let factors = (shape[2] / x.shape[2], shape[3] / x.shape[3])
    let isWhole = shape[2] % x.shape[2] == 0 && shape[3] % x.shape[3] == 0
    if resize.filter == .nearest, isWhole, resize.step.0 * Double(factors.0) == 1,
      resize.step.1 * Double(factors.1) == 1, abs(resize.offset.0) < resize.step.0,
      abs(resize.offset.1) < resize.step.1, resize.offset.0 >= 0, resize.offset.1 >= 0
    {
      return writer.write(
        "upsample_nearest_neighbor",
        [
          "x": x.argument, "scale_factor_height": .integer(factors.0),
          "scale_factor_width": .integer(factors.1),
        ], to: name, shape)
    }
    // The middles of pixels lie on one another.
    let isCentered = [(resize.step.0, resize.offset.0), (resize.step.1, resize.offset.1)]
      .allSatisfy { abs(($0 - 1) / 2 - $1) < 1e-6 }
    guard resize.filter == .bilinear, isCentered else {
      throw TrainingError(
        .unsuitableStart,
        "\"\(label)\" resizes in a way that Core ML has no operation for; start from a detector"
          + " that resizes by nearest pixels")
    }
    return writer.write(
      "resize_bilinear",
      [
        "x": x.argument, "target_size_height": .integer(shape[2]),
        "target_size_width": .integer(shape[3]), "sampling_mode": .string("UNALIGN_CORNERS"),
      ], to: name, shape)
  }

  private mutating func write(
    _ movements: [ImageMovement], _ input: OperationWriter.Value, to name: String
  ) -> OperationWriter.Value {
    var value = input
    for (step, movement) in movements.enumerated() {
      let own = step == movements.count - 1 ? name : "\(name)_\(step)"
      switch movement {
      case .reshape(let shape): value = writer.reshape(value, shape, to: own)
      case .transpose(let axes): value = writer.transpose(value, axes, to: own)
      case .slice(let begin, let count, let stride):
        let end = zip(zip(begin, count), stride).map { $0.0 + ($0.1 - 1) * $1 + ($1 < 0 ? -1 : 1) }
        value = writer.write(
          "slice_by_index",
          [
            "x": value.argument, "begin": .integers(begin), "end": .integers(end),
            "stride": .integers(stride), "end_mask": .booleans(end.map { $0 < 0 }),
          ], to: own, count)
      }
    }
    return value
  }
}
