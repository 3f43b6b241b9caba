// Fovea - what stands for the tensors of a TensorFlow Lite file.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// The order of elements in which a value of a program stands for a tensor.
enum TensorFlowLiteForm: String {
  /// As the file says: channels last.
  case file
  /// Planes: [images, channels, rows, columns] for [images, rows, columns, channels].
  case planes
  /// As the weights of a convolution, of one for each channel, and of a transposed one.
  case weights, depthwise, transposed
  /// As the biases of a convolution.
  case bias
}

/// What the codes of a tensor mean.
struct TensorFlowLiteCodes: Equatable {
  var scale: TensorConstant
  var zeroPoint: TensorConstant
}

/// What stands for one tensor.
struct TensorFlowLiteValue {
  /// The sizes in the order of the file.
  var shape: [Int]
  /// The values that were written for it.
  var forms: [TensorFlowLiteForm: TensorProgram.Argument] = [:]
  /// The elements, if the file has them.
  var constant: TensorFlowLiteConstant?
  /// What its codes mean; `nil` for numbers that are no codes.
  var codes: TensorFlowLiteCodes?
  /// The border around another tensor that it consists of, before anything has been written.
  var border: TensorFlowLiteBorder?
  /// Whether it is on the way to channels that are mixed.
  var shuffle: TensorFlowLiteShuffle?
  /// Whether it may be read as planes or as the file has it, both at a cost: an array that is given.
  var isGiven = false

  /// Whether the tensor is at hand as planes, or soon will be: arrays with few channels are pictures.
  var isPlanes: Bool {
    guard constant == nil, shape.count == 4 else { return false }
    return forms[.planes] != nil || border != nil || (isGiven && shape[3] <= 4)
  }
}

/// Rows and columns around a tensor.
struct TensorFlowLiteBorder {
  /// The tensor inside.
  var tensor: String
  /// Rows before and behind, columns before and behind.
  var amounts: [Int]
  /// The number outside.
  var value: Float
  /// Whether no number inside is less.
  var isLeast: Bool
}

/// The values that stand for tensors, by the names that the reader gives.
final class TensorFlowLiteValues {
  let program: ProgramTranslation
  private var table: [String: TensorFlowLiteValue] = [:]
  private let outputs: Set<String>
  /// Names of the file that values of the program have.
  private var used: Set<String>

  init(_ function: TensorProgram.Function, _ program: ProgramTranslation) throws(FoveaError) {
    self.program = program
    outputs = Set(function.outputs)
    used = Set(function.inputs.map(\.name))
    for input in function.inputs {
      let argument = TensorProgram.Argument.value(input.name)
      let value = try program.value(argument)
      if input.name == program.inputOfPlanes {
        table[input.name] = TensorFlowLiteValue(
          shape: Self.fileOrder(value.shape), forms: [.planes: argument])
      } else {
        table[input.name] = TensorFlowLiteValue(
          shape: value.shape, forms: [.file: argument], isGiven: true)
      }
    }
  }

  /// The value for a tensor.
  subscript(name: String) -> TensorFlowLiteValue {
    get throws(FoveaError) {
      guard let value = table[name] else {
        throw FoveaError(
          .invalidModel,
          "it reads \"\(ModelText.readable(name))\", which nothing gives; \(FoveaError.damaged)")
      }
      return value
    }
  }

  /// Notes what stands for a tensor.
  func set(_ value: TensorFlowLiteValue, for name: String) { table[name] = value }

  /// The sizes of planes in the order of the file.
  static func fileOrder(_ shape: [Int]) -> [Int] { [shape[0], shape[2], shape[3], shape[1]] }

  /// The name of a new value for a tensor: that of the tensor, where it is free. The output of a
  /// function keeps its name for the order of the file.
  func newName(for name: String, in form: TensorFlowLiteForm) -> String {
    if form == .file || !outputs.contains(name), used.insert(name).inserted { return name }
    return program.name(name, form.rawValue)
  }

  /// Makes sure that an output has a value of its name in the order of the file.
  func finish(_ name: String) throws(FoveaError) {
    let value = try argument(name, as: .file)
    if value != .value(name) {
      try program.write("identity", ["x": [value]], to: [newName(for: name, in: .file)])
    }
  }

  // MARK: Forms

  /// The value for a tensor in an order, which is written where it is missing.
  func argument(
    _ name: String, as form: TensorFlowLiteForm
  ) throws(FoveaError) -> TensorProgram.Argument {
    let value = try self[name]
    if let argument = value.forms[form] { return argument }
    if let constant = value.constant {
      guard constant.shape.count <= 4 || form == .file else { throw notPlanes(constant.shape) }
      if form == .planes || !constant.scales.isEmpty {
        try program.lowering.graph.budget?.spend(constant.elements.count)
      }
      return try write(form == .file ? constant : constant.planes(), name, form)
    }
    guard value.shape.count == 4 else { throw notPlanes(value.shape) }
    if let border = value.border, form == .planes {
      return try note(name, form, try written(border, name))
    }
    let source = try argument(name, as: form == .file ? .planes : .file)
    return try note(name, form, try turned(source, value.shape, name, to: form))
  }

  private func notPlanes(_ shape: [Int]) -> FoveaError {
    FoveaError(
      .shapeMismatch,
      "an array of shape \(shape), where images were expected; \(FoveaError.damaged)")
  }

  /// Turns channels first or last. Nothing moves where there is one channel or one pixel.
  private func turned(
    _ source: TensorProgram.Argument, _ shape: [Int], _ name: String,
    to form: TensorFlowLiteForm
  ) throws(FoveaError) -> String {
    let result = newName(for: name, in: form)
    if shape[3] == 1 || shape[1] * shape[2] == 1 {
      let sizes = form == .file ? shape : [shape[0], shape[3], shape[1], shape[2]]
      try program.write("reshape", ["x": [source], "shape": [.integers(sizes)]], to: [result])
    } else {
      let axes = form == .file ? [0, 2, 3, 1] : [0, 3, 1, 2]
      try program.write("transpose", ["x": [source], "perm": [.integers(axes)]], to: [result])
    }
    return result
  }

  private func written(
    _ border: TensorFlowLiteBorder, _ name: String
  ) throws(FoveaError) -> String {
    let result = newName(for: name, in: .planes)
    try program.write(
      "pad",
      [
        "x": [try argument(border.tensor, as: .planes)],
        "pad": [.integers([0, 0, 0, 0] + border.amounts)], "mode": [.string("constant")],
        "constant_val": [.float(border.value)],
      ], to: [result])
    return result
  }

  private func note(
    _ name: String, _ form: TensorFlowLiteForm, _ written: String
  ) throws(FoveaError) -> TensorProgram.Argument {
    table[name]?.forms[form] = .value(written)
    return .value(written)
  }

  /// Writes a constant of numbers. Scalars and short lists stand where they are read.
  private func write(
    _ constant: TensorFlowLiteConstant, _ name: String, _ form: TensorFlowLiteForm
  ) throws(FoveaError) -> TensorProgram.Argument {
    let elements = try constant.stored()
    let argument = TensorProgram.Argument.constant(elements)
    if elements.count <= Self.greatestInline {
      table[name]?.forms[form] = argument
      return argument
    }
    let result = newName(for: name, in: form)
    try program.write("const", ["val": [argument]], to: [result])
    return try note(name, form, result)
  }

  private static let greatestInline = 16

  /// Writes weights in an order of convolutions. Codes stay codes, where scales run along the axis of
  /// the outputs.
  ///
  /// - Parameter order: Gives the weights in that order.
  func weights(
    _ name: String, as form: TensorFlowLiteForm, outputAxis: Int,
    order: (TensorFlowLiteConstant) throws(FoveaError) -> TensorFlowLiteConstant
  ) throws(FoveaError) -> TensorProgram.Argument {
    if let argument = try self[name].forms[form] { return argument }
    var given = try constant(name)
    if given.scales.count > 1, given.axis != outputAxis {
      given = try TensorFlowLiteConstant(given.numbers())
    }
    // Several tensors may share elements, and each gets a copy in its order.
    try program.lowering.graph.budget?.spend(given.elements.count)
    let weights = try order(given)
    guard !weights.scales.isEmpty, weights.elements.element.bits <= 8 else {
      return try write(weights, name, form)
    }
    let result = newName(for: name, in: form)
    let type = weights.elements.element
    let shape = weights.scales.count == 1 ? [] : [weights.scales.count]
    let zeros = TensorConstant(
      element: type, shape: shape,
      content: .bytes(StoredBytes(weights.zeroPoints.map { UInt8(truncatingIfNeeded: $0) })))
    try program.write(
      "constexpr_affine_dequantize",
      [
        "quantized_data": [.constant(weights.elements)], "zero_point": [.constant(zeros)],
        "scale": [.floats(weights.scales, shape: shape)], "axis": [.integer(weights.axis)],
      ], to: [result])
    return try note(name, form, result)
  }

  /// A tensor that has to be known when the model is loaded.
  func constant(_ name: String) throws(FoveaError) -> TensorFlowLiteConstant {
    let value = try self[name]
    if let constant = value.constant { return constant }
    guard value.forms[.file] != nil,
      let constant = try program.value(argument(name, as: .file)).constant
    else {
      throw FoveaError(
        .unsupported,
        "\"\(ModelText.readable(name))\" depends on what the model is given; it has to be a constant"
      )
    }
    return try TensorFlowLiteConstant(constant)
  }
}
