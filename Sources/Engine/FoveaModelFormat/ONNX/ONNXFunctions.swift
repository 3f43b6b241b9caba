// Fovea - functions of ONNX models, and nodes with their calls replaced.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// The functions that a model defines for its own use.
struct ONNXFunctions {
  /// A function: operations with names of their own.
  struct Function {
    var inputs: [String] = []
    var outputs: [String] = []
    var nodes: [ONNXNode] = []
    /// Values of attributes that calls leave out, by name.
    var defaults: [String: ONNXAttribute] = [:]
  }

  private var functions: [String: Function] = [:]

  /// Reads `FunctionProto` messages.
  ///
  /// - Parameter version: The version of ONNX's own operations that the model states.
  init(
    _ messages: [ProtobufMessage], version: Int64, _ limits: ReadingLimits
  ) throws(ModelFormatError) {
    for (index, message) in messages.enumerated() {
      try within("functions[\(index)]") { () throws(ModelFormatError) in
        try read(message, version, limits)
      }
    }
  }

  /// The function that a node calls; `nil` for an operation.
  func function(of node: ONNXNode) -> Function? {
    functions.isEmpty ? nil : functions[Self.key(node.domain, node.kind)]
  }

  private static func key(_ domain: String, _ name: String) -> String { "\(domain)\u{0}\(name)" }

  private mutating func read(
    _ message: ProtobufMessage, _ version: Int64, _ limits: ReadingLimits
  ) throws(ModelFormatError) {
    var function = Function()
    var (name, domain) = ("", "")
    var (nodes, defaults, sets): ([ProtobufMessage], [ProtobufMessage], [ProtobufMessage]) =
      ([], [], [])
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&name)
      case 4: try field.read(&function.inputs, limit: limits.features)
      case 5: try field.read(&function.outputs, limit: limits.features)
      case 7: try field.read(&nodes, limit: limits.operations)
      case 9: try field.read(&sets, limit: limits.stages)
      case 10: try field.read(&domain)
      case 11: try field.read(&defaults, limit: limits.features)
      default: break
      }
    }
    for set in sets {
      let (domain, stated) = try ONNXEntry.readOperationSet(set)
      guard domain != ONNXNode.ownDomain || stated == version else {
        throw ModelFormatError(
          .unsupportedVersion, byteOffset: message.offset, layerName: name,
          found: "a function in operation set \(stated)",
          expected: "\(version), which the model states")
      }
    }
    for node in nodes { function.nodes.append(try ONNXNode(node, limits)) }
    for attribute in defaults {
      let attribute = try ONNXAttribute(attribute, limits)
      function.defaults[attribute.name] = attribute
    }
    functions[Self.key(ONNXNode.canonical(domain), name)] = function
  }
}

/// What names and attributes of a function mean where it is called.
struct ONNXScope {
  /// The names of the function's values in the model; `nil` outside functions.
  var names: [String: String]?
  /// The attributes of the call.
  var attributes: [String: ONNXAttribute] = [:]
  /// What names of values in the function begin with in the model.
  var prefix = ""
  var depth = 0
}

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
  }

  private(set) var nodes: [Node] = []
  private let functions: ONNXFunctions
  private let limits: ReadingLimits
  private var calls = 0
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
    guard let function = functions.function(of: node) else {
      nodes.append(
        Node(
          kind: node.qualifiedKind, name: scope.prefix + node.name,
          inputs: node.inputs.map { scope.name($0) }, outputs: outputs(of: node, scope),
          attributes: attributes, offset: node.offset))
      return
    }
    guard scope.depth < Self.greatestDepth else {
      throw ModelFormatError(
        .limitExceeded, byteOffset: node.offset, layerName: node.name,
        found: "functions that call each other more than \(Self.greatestDepth) times",
        expected: "functions that end")
    }
    try expand(node, function, attributes, scope)
  }

  private mutating func expand(
    _ node: ONNXNode, _ function: ONNXFunctions.Function, _ attributes: [ONNXAttribute],
    _ scope: ONNXScope
  ) throws(ModelFormatError) {
    calls += 1
    var inner = ONNXScope(names: [:], prefix: "\(scope.prefix)\(node.kind)#\(calls)/")
    inner.depth = scope.depth + 1
    inner.attributes = function.defaults
    for attribute in attributes { inner.attributes[attribute.name] = attribute }
    for (index, name) in function.inputs.enumerated() {
      inner.names?[name] = index < node.inputs.count ? scope.name(node.inputs[index]) : ""
    }
    let outside = outputs(of: node, scope)
    // An output that is an input of the function needs an operation that hands it on.
    var handedOn: [(inner: String, outer: String)] = []
    for (inside, outer) in zip(function.outputs, outside) {
      if inner.names?[inside] != nil {
        handedOn.append((inner.name(inside), outer))
      } else {
        inner.names?[inside] = outer
      }
    }
    for child in function.nodes {
      steps += 1
      copiedBytes += child.attributes.reduce(0) { $0 + $1.first.count }
      guard steps <= Self.greatestSteps, copiedBytes <= Self.greatestCopy else {
        throw ModelFormatError(
          .limitExceeded, byteOffset: node.offset, layerName: node.name,
          found: "functions that become more than \(Self.greatestSteps) nodes, or"
            + " \(Self.greatestCopy) bytes of attributes", expected: "fewer")
      }
      try add(child, scope: inner)
    }
    for (from, to) in handedOn {
      nodes.append(
        Node(
          kind: "Identity", name: node.name, inputs: [from], outputs: [to], attributes: [],
          offset: node.offset))
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
  private mutating func outputs(of node: ONNXNode, _ scope: ONNXScope) -> [String] {
    var names = node.outputs
    while names.count > 1, names.last?.isEmpty == true { names.removeLast() }
    return names.map { name in
      guard name.isEmpty else { return scope.name(name) }
      unnamed += 1
      return "\(scope.prefix)\(node.kind)#unused\(unnamed)"
    }
  }
}

extension ONNXScope {
  /// The name in the model of a value of the function.
  fileprivate func name(_ name: String) -> String {
    guard let names, !name.isEmpty else { return name }
    return names[name] ?? prefix + name
  }
}
