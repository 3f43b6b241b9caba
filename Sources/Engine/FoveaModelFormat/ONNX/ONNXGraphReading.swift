// Fovea - reading of ONNX graphs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// What a graph consists of.
struct ONNXGraph {
  /// Inputs that callers give.
  var inputs: [ONNXValue] = []
  var outputs: [ONNXValue] = []
  /// Initializers, then nodes in their order.
  var operations: [TensorProgram.Operation] = []
}

extension ONNXReader {
  /// Reads a `GraphProto` message.
  mutating func readGraph(
    _ message: ProtobufMessage, _ functions: ONNXFunctions
  ) throws(ModelFormatError) -> ONNXGraph {
    let parts = try ONNXGraphParts(message, limits)
    var graph = ONNXGraph()
    var known: Set<String> = []
    for (index, tensor) in parts.initializers.enumerated() {
      let (name, constant) = try within("initializer[\(index)]") {
        () throws(ModelFormatError) in try readTensor(tensor)
      }
      known.insert(name)
      graph.operations.append(.constant(constant, named: name, at: tensor.offset))
    }
    for (index, value) in parts.inputs.enumerated() {
      let value = try within("input[\(index)]") { () throws(ModelFormatError) in
        try ONNXValue(value, limits)
      }
      // An initializer of the same name is what old files list as an input with a default.
      if !known.contains(value.name) { graph.inputs.append(value) }
    }
    for (index, value) in parts.outputs.enumerated() {
      let value = try within("output[\(index)]") { () throws(ModelFormatError) in
        try ONNXValue(value, limits)
      }
      // Some exporters list an output twice.
      if !graph.outputs.contains(where: { $0.name == value.name }) { graph.outputs.append(value) }
    }
    var expansion = ONNXExpansion(functions, limits)
    for (index, node) in parts.nodes.enumerated() {
      try within("node[\(index)]") { () throws(ModelFormatError) in
        try expansion.add(ONNXNode(node, limits), scope: ONNXScope())
      }
    }
    for node in expansion.nodes { graph.operations.append(try operation(node)) }
    return graph
  }

  /// A node as an operation of a program.
  private mutating func operation(
    _ node: ONNXExpansion.Node
  ) throws(ModelFormatError) -> TensorProgram.Operation {
    var operation = TensorProgram.Operation(
      kind: node.kind, arguments: [:], results: [], byteOffset: node.offset)
    operation.name = node.name
    for (name, conditions) in node.branch.arguments { operation.arguments[name] = conditions }
    for (index, input) in node.inputs.enumerated() where !input.isEmpty {
      operation.arguments["\(index)"] = [.value(input)]
    }
    for output in node.outputs {
      operation.results.append(
        TensorProgram.Value(
          name: output, type: .tensor(TensorType(element: .float32, shape: nil))))
    }
    do throws(ModelFormatError) {
      for attribute in node.attributes {
        guard !attribute.name.isEmpty, !attribute.name.allSatisfy(\.isNumber) else {
          throw ModelFormatError(
            .invalidValue, byteOffset: attribute.message.offset,
            found: "an attribute called '\(ModelText.readable(attribute.name))'",
            expected: "a name")
        }
        let constant = try attribute.value { message throws(ModelFormatError) in
          try readTensor(message).constant
        }
        operation.arguments[attribute.name] = [.constant(constant)]
      }
    } catch {
      throw error.within(ModelText.readable(node.kind)).inLayer(
        named: node.name.isEmpty ? node.outputs[0] : node.name)
    }
    return operation
  }
}

/// The fields of a graph.
struct ONNXGraphParts {
  var nodes: [ProtobufMessage] = []
  var initializers: [ProtobufMessage] = []
  var inputs: [ProtobufMessage] = []
  var outputs: [ProtobufMessage] = []

  init(_ message: ProtobufMessage, _ limits: ReadingLimits) throws(ModelFormatError) {
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&nodes, limit: limits.operations)
      case 5: try field.read(&initializers, limit: limits.operations)
      case 11: try field.read(&inputs, limit: limits.operations)
      case 12: try field.read(&outputs, limit: limits.features)
      case 15:
        throw ModelFormatError(
          .unsupportedLayer, byteOffset: field.offset, found: "a sparse initializer",
          expected: "dense ones")
      default: break
      }
    }
  }
}
