// Fovea - the weights of one function of a program.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLowering
internal import FoveaModelFormat
internal import FoveaRuntime

/// Finds the weights of a function.
struct FunctionWeights {
  private let function: TensorProgram.Function
  private let name: String
  private let constants: ProgramConstants
  /// The operations that write constants, by the name of the value.
  private var sources: [String: TensorProgram.Operation] = [:]
  /// What reads a value: the indices of operations, and the names of arguments.
  private var readers: [String: [(operation: Int, argument: String)]] = [:]
  private let outputs: Set<String>

  private static let kinds: Set<String> = ["conv", "conv_transpose", "linear"]

  init(_ function: TensorProgram.Function, name: String) throws(FoveaError) {
    self.function = function
    self.name = name
    constants = try ProgramConstants(function)
    outputs = Set(function.outputs)
    for (index, operation) in function.operations.enumerated() {
      if operation.isConstant, operation.results.count == 1 {
        sources[operation.results[0].name] = operation
      }
      for (argument, values) in operation.arguments {
        for case .value(let name) in values { readers[name, default: []].append((index, argument)) }
      }
    }
  }

  /// Appends weights that are not there yet, and uses of those that are.
  func collect(into found: inout [FoundWeight]) throws(FoveaError) {
    var known: Set<String> = []
    for operation in function.operations where Self.kinds.contains(operation.kind) {
      guard let name = operation.valueName("weight"), known.insert(name).inserted,
        var weight = try weight(name, of: operation)
      else { continue }
      for reader in readers[name] ?? [] {
        weight.layer.uses.append(try use(function.operations[reader.operation], weight.shape))
      }
      weight.bias = try bias(ofWeight: name)
      if let index = found.firstIndex(where: { $0.isSame(as: weight) }) {
        found[index].merge(weight)
      } else {
        found.append(weight)
      }
    }
  }

  // MARK: Constants

  /// Weights that nothing but layers of one kind reads.
  private func weight(
    _ name: String, of operation: TensorProgram.Operation
  ) throws(FoveaError) -> FoundWeight? {
    guard let isHalf = isHalf(name), isOnly("weight", name, kind: operation.kind),
      let shape = constants.shape(.value(name)), let layout = try layout(shape, operation),
      let values = try constants.floats(.value(name)), values.count == layout.count
    else { return nil }
    let storage = CodeStorage.program(
      isHalf: isHalf, hasSmallElements: function.operationSetNumber >= 8)
    let stored = storedByteCount(name, depth: 0)
    let layer = QuantizableLayer(
      name: operation.results[0].name, typeName: operation.kind,
      address: WeightAddress(path: [], layer: 0, field: 0), weights: values, layout: layout,
      storedBits: isHalf ? 16 : 32, storedByteCount: stored, storage: storage, uses: [])
    return FoundWeight(
      layer: layer, shape: shape, places: [ConstantPlace(function: self.name, name: name)])
  }

  /// Whether a constant has elements of half precision, or of single; `nil` for other types.
  private func isHalf(_ name: String) -> Bool? {
    guard let source = sources[name], case .tensor(let type) = source.results[0].type else {
      return nil
    }
    switch type.element {
    case .float16: return true
    case .float32: return false
    default: return nil
    }
  }

  /// Whether a value is nothing but an argument of operations of a kind.
  private func isOnly(_ argument: String, _ name: String, kind: String) -> Bool {
    !outputs.contains(name)
      && (readers[name] ?? []).allSatisfy {
        $0.argument == argument && function.operations[$0.operation].kind == kind
      }
  }

  /// The bytes of a constant with all that it is made of.
  private func storedByteCount(_ name: String, depth: Int) -> Int {
    guard let source = sources[name], depth < 8 else { return 0 }
    return source.arguments.values.joined().reduce(0) { sum, argument in
      switch argument {
      case .value(let inner): return sum + storedByteCount(inner, depth: depth + 1)
      case .constant(let constant):
        let bytes = constant.element.byteCount(constant.count) ?? 0
        return sum + ProgramBlobs.byteCount(bytes, elements: constant.count)
      }
    }
  }

  /// How output channels run through weights; `nil` where the operation is damaged.
  private func layout(
    _ shape: [Int], _ operation: TensorProgram.Operation
  ) throws(FoveaError) -> WeightLayout? {
    let count = shape.reduce(1, *)
    guard count > 0 else { return nil }
    switch operation.kind {
    case "linear" where shape.count == 2:
      return WeightLayout(count: count, channelCount: shape[0], channelStride: shape[1])
    case "conv" where shape.count >= 3:
      return WeightLayout(count: count, channelCount: shape[0], channelStride: count / shape[0])
    case "conv_transpose" where shape.count >= 3:
      return WeightLayout(
        count: count, channelCount: shape[1], channelStride: shape[2...].reduce(1, *))
    default: return nil
    }
  }

  /// The bias of all operations that multiply some weights; `nil` where they have different ones, or
  /// where something else reads it.
  private func bias(
    ofWeight name: String
  ) throws(FoveaError) -> (places: [ConstantPlace], values: [Float], isHalf: Bool)? {
    let users = readers[name] ?? []
    let names = Set(users.map { function.operations[$0.operation].valueName("bias") })
    guard names.count == 1, let bias = names.first ?? nil, sources[bias]?.kind == "const",
      let isHalf = isHalf(bias), !outputs.contains(bias), readers[bias]?.count == users.count,
      let values = try constants.floats(.value(bias)), values.allSatisfy(\.isFinite)
    else { return nil }
    return ([ConstantPlace(function: self.name, name: bias)], values, isHalf)
  }

  // MARK: Uses

  private func use(
    _ operation: TensorProgram.Operation, _ shape: [Int]
  ) throws(FoveaError) -> WeightUse {
    var use = WeightUse(function: name, input: operation.valueName("x") ?? "")
    switch operation.kind {
    case "linear": use.readsVectors = true
    case "conv":
      use.readsSignals = shape.count == 3
      use.convolution = try convolution(operation, shape)
    default: break
    }
    return use
  }

  /// The parameters of a convolution; `nil` for windows of other than one or two dimensions.
  private func convolution(
    _ operation: TensorProgram.Operation, _ shape: [Int]
  ) throws(FoveaError) -> ConvolutionLayer? {
    let dimensions = shape.count - 2
    guard dimensions <= 2 else { return nil }
    func numbers(_ name: String, _ count: Int, _ value: Int) throws(FoveaError) -> [Int] {
      let found = try constants.integers(operation.arguments[name]?.first) ?? []
      return found.count == count ? found : Array(repeating: value, count: count)
    }
    func size(_ numbers: [Int], _ value: Int) -> SpatialSize {
      SpatialSize(height: dimensions == 1 ? value : numbers[0], width: numbers[dimensions - 1])
    }
    let pad = try numbers("pad", 2 * dimensions, 0)
    let border = BorderAmounts(
      top: dimensions == 1 ? 0 : pad[0], bottom: dimensions == 1 ? 0 : pad[1],
      left: pad[2 * dimensions - 2], right: pad[2 * dimensions - 1])
    let padding: ConvolutionPadding =
      switch try constants.text(operation.arguments["pad_type"]?.first) {
      case "same": .same(.bottomRight)
      case "same_lower": .same(.topLeft)
      case "custom": .valid(border)
      default: .valid(BorderAmounts())
      }
    return ConvolutionLayer(
      outputChannels: shape[0], kernelChannels: shape[1],
      groups: max(try constants.integers(operation.arguments["groups"]?.first)?.first ?? 1, 1),
      kernelSize: size(Array(shape[2...]), 1),
      stride: size(try numbers("strides", dimensions, 1), 1),
      dilation: size(try numbers("dilations", dimensions, 1), 1), padding: padding,
      weights: WeightData(bytes: [], segments: [], encoding: .float32))
  }
}

extension FoundWeight {
  /// Whether the other weights are the same numbers in the same roles.
  fileprivate func isSame(as other: FoundWeight) -> Bool {
    shape == other.shape && layer.typeName == other.layer.typeName
      && layer.storage.isHalf == other.layer.storage.isHalf && layer.groups == other.layer.groups
      && layer.weights == other.layer.weights
  }

  /// Adds the places and uses of equal weights.
  fileprivate mutating func merge(_ other: FoundWeight) {
    places += other.places
    layer.uses += other.layer.uses
    layer.storage = layer.storage.common(with: other.layer.storage)
    guard let mine = bias, let others = other.bias, mine.values == others.values,
      mine.isHalf == others.isHalf
    else {
      bias = nil
      return
    }
    bias?.places += others.places
  }
}
