// Fovea - new heads at the end of a program that stays as it is.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaModelValues

/// Puts new heads behind the operations of a program, whatever these compute.
///
///     operations of the program -> x -> convolution of fewer rows -> scores, boxes
///                               -> x -> convolution as it was     ->
///
/// What only the old heads read is left out when the program is written.
struct ProgramCut {
  /// Convolutions and their heads; `.given` values stand for the rest.
  private let network: TrainableNetwork
  private let source: ModelDescription

  /// The detector, without a suppression of boxes.
  ///
  /// - Parameter network: As `NetworkReader` reads the heads alone.
  /// - Throws: `.unsuitableStart` where the program has other convolutions.
  static func detector(
    _ network: TrainableNetwork, in source: ModelDescription
  ) throws(TrainingError) -> ModelDescription {
    switch source.body {
    case .program(let program):
      return try ProgramCut(network: network, source: source).detector(program)
    case .pipeline(let pipeline):
      let stages = pipeline.stages.map(\.model).filter {
        if case .program = $0.body { true } else { false }
      }
      guard stages.count == 1, let stage = stages.first else { break }
      return try detector(network, in: stage)
    default: break
    }
    throw TrainingError(.unsuitableStart, "its layers cannot be written anew")
  }

  private func detector(_ program: TensorProgram) throws(TrainingError) -> ModelDescription {
    guard var function = program.functions[source.functionName] else {
      throw TrainingError(.unsuitableStart, "the program has no function")
    }
    var writer = OperationWriter(behind: function.operations)
    var values: [OperationWriter.Value] = []
    for (index, size) in network.sizes.enumerated() {
      let shape = [1, size.channels, size.height, size.width]
      var value = OperationWriter.Value(argument: .value(""), shape: shape)
      if index > 0, case .convolution(let own) = network.nodes[index - 1].operation {
        let node = network.nodes[index - 1]
        value = try write(own, node.label, network.sizes[node.inputs[0]], shape, function, &writer)
      }
      values.append(value)
    }
    let boxes = HeadWriter.write(network, values, &writer)
    function.operations += writer.operations
    var result = source
    let outputs = [boxes.confidence, boxes.coordinates].compactMap { value in
      if case .value(let name) = value.argument { (name, value.shape) } else { nil }
    }
    function.outputs = outputs.map(\.0)
    result.outputs = outputs.map {
      FeatureDescription(
        name: $0, type: .multiArray(MultiArrayFeature(shape: $1, dataType: .float32)))
    }
    result.metadata = ModelMetadata()
    result.specificationVersion = 0
    result.body = .program(TensorProgram(functions: [source.functionName: function]))
    return result
  }

  /// Writes a convolution that reads what the one of that name read, with floats of 32 bits.
  private func write(
    _ own: TrainableNetwork.Convolution, _ name: String, _ input: TrainableNetwork.Size,
    _ shape: [Int], _ function: TensorProgram.Function, _ writer: inout OperationWriter
  ) throws(TrainingError) -> OperationWriter.Value {
    guard let old = Self.convolution(name, function.operations), let x = old.arguments["x"]?.first
    else { throw TrainingError(.unsuitableStart, "\"\(name)\" is no convolution of the program") }
    let read = OperationWriter.Value(
      argument: x, shape: [1, input.channels, input.height, input.width])
    var others = old.arguments.compactMapValues(\.first)
    others["x"] = Self.float32(read, function, &writer)
    return writer.convolution(own, named: name + "_rows", others, to: name + "_cut", shape)
  }

  /// A value with floats of 32 bits.
  private static func float32(
    _ x: OperationWriter.Value, _ function: TensorProgram.Function,
    _ writer: inout OperationWriter
  ) -> TensorProgram.Argument {
    guard case .value(let name) = x.argument,
      let value = function.operations.lazy.flatMap(\.results).first(where: { $0.name == name }),
      case .tensor(let type) = value.type, type.element == .float16
    else { return x.argument }
    return writer.write(
      "cast", ["x": x.argument, "dtype": .string("fp32")], to: name + "_fp32", x.shape
    ).argument
  }

  /// The convolution that gives a value, or that a function in front of the value reads.
  private static func convolution(
    _ name: String, _ operations: [TensorProgram.Operation]
  ) -> TensorProgram.Operation? {
    var wanted = name
    for _ in 0..<3 {
      guard
        let found = operations.first(where: { $0.results.contains { $0.name == wanted } })
      else { return nil }
      if found.kind == "conv" { return found }
      guard case .value(let before)? = found.arguments["x"]?.first else { return nil }
      wanted = before
    }
    return nil
  }
}
