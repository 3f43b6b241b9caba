// Fovea - functions of ONNX models.
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
