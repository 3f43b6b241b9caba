// Fovea - branches of ONNX graphs, one behind the other.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension ONNXExpansion {
  /// The graphs of a condition: the one for truth, then the other; `nil` for other nodes.
  func branches(
    of node: ONNXNode, _ attributes: [ONNXAttribute]
  ) -> [(isTrue: Bool, graph: ProtobufMessage)]? {
    guard node.qualifiedKind == ONNXNames.branches,
      let first = attributes.first(where: { $0.name == "then_branch" })?.graph,
      let second = attributes.first(where: { $0.name == "else_branch" })?.graph
    else { return nil }
    return [(true, first), (false, second)]
  }

  /// Adds the nodes of both branches of a condition, each wanted in one case only, and behind them a
  /// node that reads the condition and the results of both.
  mutating func expand(
    _ branches: [(isTrue: Bool, graph: ProtobufMessage)], of node: ONNXNode, _ scope: ONNXScope
  ) throws(ModelFormatError) {
    let outside = outputs(of: node, scope)
    guard let condition = node.inputs.first, !condition.isEmpty else {
      throw ModelFormatError(
        .missingField, byteOffset: node.offset, layerName: node.name,
        found: "an If without a condition", expected: "one")
    }
    var inputs = [scope.name(condition)]
    for (isTrue, graph) in branches {
      calls += 1
      // Names are copied.
      try count(1 + scope.names.count / 16, bytes: 0, of: node)
      var inner = scope
      inner.depth += 1
      inner.prefix = "\(scope.prefix)If#\(calls)/"
      inner.branch.add(inputs[0], isTrue: isTrue)
      let results = try expand(graph, of: node, inner)
      guard results.count >= outside.count else {
        throw ModelFormatError(
          .missingField, byteOffset: graph.offset, layerName: node.name,
          found: "a branch of \(results.count) results", expected: "\(outside.count)")
      }
      inputs += results.prefix(outside.count)
    }
    nodes.append(
      Node(
        kind: ONNXNames.branches, name: scope.prefix + node.name, inputs: inputs, outputs: outside,
        attributes: [], offset: node.offset, branch: scope.branch))
  }

  /// Adds the nodes of a branch, and returns the names of its results in the model.
  private mutating func expand(
    _ graph: ProtobufMessage, of node: ONNXNode, _ scope: ONNXScope
  ) throws(ModelFormatError) -> [String] {
    let parts = try ONNXGraphParts(graph, limits)
    var inner = scope
    for tensor in parts.initializers {
      let name = try ONNXReader.tensorName(tensor, limits)
      inner.names[name] = scope.prefix + name
      nodes.append(
        Node(
          kind: "Constant", name: "", inputs: [], outputs: [scope.prefix + name],
          attributes: [ONNXAttribute("value", tensor: tensor)], offset: tensor.offset,
          branch: scope.branch))
    }
    var children: [ONNXNode] = []
    for message in parts.nodes {
      let child = try ONNXNode(message, limits)
      for output in child.outputs where !output.isEmpty {
        inner.names[output] = scope.prefix + output
      }
      children.append(child)
    }
    for child in children {
      try count(child, of: node)
      try add(child, scope: inner)
    }
    var results: [String] = []
    for output in parts.outputs { results.append(inner.name(try ONNXValue(output, limits).name)) }
    return results
  }
}
