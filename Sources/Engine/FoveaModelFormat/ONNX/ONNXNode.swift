// Fovea - nodes of ONNX graphs and their attributes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// A node as the file describes it.
struct ONNXNode {
  /// The kind of its operation.
  var kind = ""
  /// The domain that defines the operation; empty for ONNX's own.
  var domain = ONNXNode.ownDomain
  /// What the author calls the node.
  var name = ""
  /// The names of what it reads; empty ones are absent.
  var inputs: [String] = []
  /// The names of what it writes; empty ones are not wanted.
  var outputs: [String] = []
  var attributes: [ProtobufMessage] = []
  /// Where the node stands in the file, in bytes.
  var offset: Int

  /// The domain of ONNX's own operations.
  static let ownDomain = ""

  /// The domain of ONNX's own operations has two names.
  static func canonical(_ domain: String) -> String { domain == "ai.onnx" ? ownDomain : domain }

  init(_ message: ProtobufMessage, _ limits: ReadingLimits) throws(ModelFormatError) {
    offset = message.offset
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&inputs, limit: limits.features)
      case 2: try field.read(&outputs, limit: limits.features)
      case 3: try field.read(&name)
      case 4: try field.read(&kind)
      case 5: try field.read(&attributes, limit: limits.features)
      case 7: try field.read(&domain)
      default: break
      }
    }
    domain = Self.canonical(domain)
    guard !kind.isEmpty else {
      throw ModelFormatError(
        .missingField, byteOffset: offset, found: "a node without a type",
        expected: "a type such as Conv")
    }
    guard outputs.contains(where: { !$0.isEmpty }) else {
      throw ModelFormatError(
        .missingField, byteOffset: offset, layerName: name,
        found: "a node \(ModelText.readable(kind)) that gives nothing", expected: "an output")
    }
  }

  /// The kind, with the domain of operations that are not ONNX's own.
  var qualifiedKind: String { domain.isEmpty ? kind : "\(domain).\(kind)" }
}

/// An attribute of a node.
struct ONNXAttribute {
  var name = ""
  /// The attribute of the function around the node whose value this one has.
  var reference = ""
  var type: Int32 = 0
  var float: Float = 0
  var integer: Int64 = 0
  var bytes: Range<Int>?
  var tensor: ProtobufMessage?
  var graph: ProtobufMessage?
  var floats: [Float] = []
  var integers: [Int64] = []
  var strings: [String] = []
  /// Whether it holds something that is no number, text or tensor.
  private var other: String?
  let message: ProtobufMessage

  init(_ message: ProtobufMessage, _ limits: ReadingLimits) throws(ModelFormatError) {
    self.message = message
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&name)
      case 2: field.read(&float)
      case 3: field.read(&integer)
      case 4: field.read(&bytes)
      case 5: field.read(&tensor)
      case 6:
        field.read(&graph)
        other = "a graph of its own"
      case 11: other = "graphs of its own"
      case 7: try field.read(&floats)
      case 8: try field.read(&integers)
      case 9: try field.read(&strings, limit: limits.labels)
      case 10: other = "several tensors"
      case 20: field.read(&type)
      case 21: try field.read(&reference)
      case 22, 23: other = "a sparse tensor"
      case 14, 15: other = "a type"
      default: break
      }
    }
  }

  /// An attribute whose value is a tensor.
  init(_ name: String, tensor message: ProtobufMessage) {
    (self.name, self.tensor, self.message) = (name, message, message)
    type = Kind.tensor.rawValue
  }

  /// The kind of the value, by its number or, in files older than that, by what is there.
  enum Kind: Int32 {
    case float = 1
    case integer, string, tensor, graph, floats, integers, strings, tensors, graphs
  }

  /// The attribute's value.
  ///
  /// - Throws: For values that no operation here has.
  func value(
    _ tensor: (ProtobufMessage) throws(ModelFormatError) -> TensorConstant
  ) throws(ModelFormatError) -> TensorConstant {
    switch try kind() {
    case .float: return .floats([float], shape: [])
    case .integer: return .wideIntegers([integer], shape: [])
    case .floats: return .floats(floats, shape: [floats.count])
    case .integers: return .wideIntegers(integers, shape: [integers.count])
    case .string: return .texts([try text()], shape: [])
    case .strings: return .texts(strings, shape: [strings.count])
    case .tensor:
      guard let message = self.tensor else { throw unusable("nothing") }
      return try tensor(message)
    case .graph, .graphs: throw unusable("a graph of its own")
    case .tensors: throw unusable(other ?? "several tensors")
    }
  }

  private func kind() throws(ModelFormatError) -> Kind {
    if let kind = Kind(rawValue: type) { return kind }
    guard type == 0 else { throw unusable(other ?? "a value of the unknown type \(type)") }
    if let other { throw unusable(other) }
    if tensor != nil { return .tensor }
    if bytes != nil { return .string }
    if !floats.isEmpty { return .floats }
    if !integers.isEmpty { return .integers }
    if !strings.isEmpty { return .strings }
    return float != 0 ? .float : .integer
  }

  private func text() throws(ModelFormatError) -> String {
    guard let bytes else { return "" }
    guard let text = String(validating: message.file[bytes], as: UTF8.self) else {
      throw unusable("text that is not UTF-8")
    }
    return text
  }

  private func unusable(_ what: String) -> ModelFormatError {
    let isGraph = what.hasPrefix("a graph")
    return ModelFormatError(
      .unsupportedLayer, byteOffset: message.offset,
      found: "the attribute '\(ModelText.readable(name))' with \(what)",
      expected: "numbers, texts or one tensor",
      remedy: isGraph
        ? "Export the model without conditions and loops." : ModelFormatError.exportAgain)
  }
}

extension TensorConstant {
  /// A constant of 64-bit integers.
  static func wideIntegers(_ values: [Int64], shape: [Int]) -> TensorConstant {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.count * 8)
    for value in values { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    return TensorConstant(element: .int64, shape: shape, content: .bytes(StoredBytes(bytes)))
  }

  /// A constant of texts.
  static func texts(_ values: [String], shape: [Int]) -> TensorConstant {
    TensorConstant(element: .string, shape: shape, content: .strings(values))
  }
}
