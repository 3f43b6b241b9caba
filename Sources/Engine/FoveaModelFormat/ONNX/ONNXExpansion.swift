// Fovea - nodes of ONNX graphs with calls of functions replaced.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Nodes of a graph with every call of a function replaced by the function's nodes.
struct ONNXExpansion {
  /// A node whose names are those of the model.
  struct Node {
    var kind: String
    var name: String
    var inputs: [String]
    /// None is empty.
    var outputs: [String]
    var attributes: [ONNXAttribute]
    var offset: Int
    var branch = ONNXBranch()
  }

  var nodes: [Node] = []
  private let functions: ONNXFunctions
  let limits: ReadingLimits
  /// Calls of functions and branches so far, which have numbers in names.
  var calls = 0
  private var steps = 0
  private var copiedBytes = 0
  private var unnamed = 0

  /// Functions that call each other; PyTorch's modules lie in fewer inside each other.
  private static let greatestDepth = 64
  /// A few functions that call each other could become any number of nodes.
  private static let greatestSteps = 200_000
  /// Each call reads the attributes of the function's nodes again.
  private static let greatestCopy = 1 << 26

  init(_ functions: ONNXFunctions, _ limits: ReadingLimits) {
    self.functions = functions
    self.limits = limits
  }

  /// Adds a node, or the nodes of the function that it calls.
  mutating func add(_ node: ONNXNode, scope: ONNXScope) throws(ModelFormatError) {
    let attributes = try attributes(of: node, scope)
    let function = functions.function(of: node)
    let branches = function == nil ? branches(of: node, attributes) : nil
    if function == nil, branches == nil {
      // Each node of a branch lists its conditions.
      if scope.branch.count > 0 { try count(scope.branch.count, bytes: 0, of: node) }
      nodes.append(
        Node(
          kind: node.qualifiedKind, name: scope.prefix + node.name,
          inputs: node.inputs.map { scope.name($0) }, outputs: outputs(of: node, scope),
          attributes: attributes, offset: node.offset, branch: scope.branch))
      return
    }
    guard scope.depth < Self.greatestDepth else {
      throw ModelFormatError(
        .limitExceeded, byteOffset: node.offset, layerName: node.name,
        found: "functions or branches inside each other more than \(Self.greatestDepth) times",
        expected: "functions that end")
    }
    if let function {
      try expand(node, function, attributes, scope)
    } else if let branches {
      try expand(branches, of: node, scope)
    }
  }

  private mutating func expand(
    _ node: ONNXNode, _ function: ONNXFunctions.Function, _ attributes: [ONNXAttribute],
    _ scope: ONNXScope
  ) throws(ModelFormatError) {
    calls += 1
    let prefix = "\(scope.prefix)\(node.kind)#\(calls)/"
    var inner = ONNXScope(prefix: prefix, valuePrefix: prefix)
    inner.depth = scope.depth + 1
    inner.branch = scope.branch
    inner.attributes = function.defaults
    for attribute in attributes { inner.attributes[attribute.name] = attribute }
    for (index, name) in function.inputs.enumerated() {
      inner.names[name] = index < node.inputs.count ? scope.name(node.inputs[index]) : ""
    }
    let outside = outputs(of: node, scope)
    // An output that is an input of the function needs an operation that hands it on.
    var handedOn: [(inner: String, outer: String)] = []
    for (inside, outer) in zip(function.outputs, outside) {
      if inner.names[inside] != nil {
        handedOn.append((inner.name(inside), outer))
      } else {
        inner.names[inside] = outer
      }
    }
    for child in function.nodes {
      try count(child, of: node)
      try add(child, scope: inner)
    }
    for (from, to) in handedOn {
      nodes.append(
        Node(
          kind: "Identity", name: node.name, inputs: [from], outputs: [to], attributes: [],
          offset: node.offset, branch: scope.branch))
    }
  }

  /// Counts what a node of a function, or of a branch, becomes.
  mutating func count(_ child: ONNXNode, of node: ONNXNode) throws(ModelFormatError) {
    try count(1, bytes: child.attributes.reduce(0) { $0 + $1.first.count }, of: node)
  }

  /// Counts work that a node causes.
  mutating func count(_ work: Int, bytes: Int, of node: ONNXNode) throws(ModelFormatError) {
    steps += work
    copiedBytes += bytes
    guard steps <= Self.greatestSteps, copiedBytes <= Self.greatestCopy else {
      throw ModelFormatError(
        .limitExceeded, byteOffset: node.offset, layerName: node.name,
        found: "functions and branches that become more than \(Self.greatestSteps) nodes, or"
          + " \(Self.greatestCopy) bytes of attributes", expected: "fewer")
    }
  }

  private func attributes(
    of node: ONNXNode, _ scope: ONNXScope
  ) throws(ModelFormatError) -> [ONNXAttribute] {
    var found: [ONNXAttribute] = []
    for message in node.attributes {
      let attribute = try ONNXAttribute(message, limits)
      guard !attribute.reference.isEmpty else {
        found.append(attribute)
        continue
      }
      // A call that leaves the attribute out gives the operation's default.
      guard var given = scope.attributes[attribute.reference] else { continue }
      given.name = attribute.name
      found.append(given)
    }
    return found
  }

  /// The names of what a node gives, with names for what nobody wants.
  mutating func outputs(of node: ONNXNode, _ scope: ONNXScope) -> [String] {
    var names = node.outputs
    while names.count > 1, names.last?.isEmpty == true { names.removeLast() }
    return names.map { name in
      guard name.isEmpty else { return scope.name(name) }
      unnamed += 1
      return "\(scope.prefix)\(node.kind)#unused\(unnamed)"
    }
  }
}
