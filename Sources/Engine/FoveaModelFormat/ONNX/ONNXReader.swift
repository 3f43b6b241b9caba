// Fovea - reading of ONNX models.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// Reads a `ModelProto` message, and constants in files beside it.
///
/// The graph becomes the function "main" of a program in the operation set "ONNX 18". Inputs of a
/// node are the arguments "0", "1" and so on, attributes are constants by their names, and
/// initializers are operations of kind "const".
struct ONNXReader {
  let limits: ReadingLimits
  /// The file, which constants share.
  let file: StoredBytes
  var dataFiles: ONNXDataFiles

  /// The operation sets whose meanings are known here.
  static let operationSets: ClosedRange<Int64> = 9...25
  /// What the description of a model states as Core ML's version: that of the operations that ONNX
  /// is translated to.
  private static let specificationVersion = 10

  init(_ bytes: [UInt8], folder: any ModelFolder, limits: ReadingLimits) {
    self.limits = limits
    file = StoredBytes(bytes)
    dataFiles = ONNXDataFiles(folder)
  }

  /// Reads a model.
  mutating func readModel(_ message: ProtobufMessage) throws(ModelFormatError) -> ModelDescription {
    let envelope = try ONNXEnvelope(message, limits)
    let version = try operationSet(of: envelope, at: message.offset)
    guard let graphMessage = envelope.graph else {
      throw ModelFormatError(
        .missingField, byteOffset: message.offset, found: "an ONNX file without a graph",
        expected: "a graph of operations")
    }
    let metadata = try metadata(of: envelope)
    let functions = try ONNXFunctions(envelope.functions, version: version, limits)
    let graph = try within("graph") { () throws(ModelFormatError) in
      try readGraph(graphMessage, functions)
    }
    let defaults = ONNXDefaultSizes(metadata.userDefined)
    let function = TensorProgram.Function(
      inputs: graph.inputs.map { TensorProgram.Value(name: $0.name, type: .tensor($0.type)) },
      operationSet: "ONNX \(version)", operations: graph.operations,
      outputs: graph.outputs.map(\.name))
    try within("graph") { () throws(ModelFormatError) in try ProgramChecks.check(function) }
    let interface = ONNXInterface(defaults: defaults, limits: limits)
    return ModelDescription(
      specificationVersion: Self.specificationVersion,
      inputs: try graph.inputs.map { input throws(ModelFormatError) in
        try interface.input(input)
      },
      outputs: graph.outputs.map { interface.output($0, inputs: graph.inputs) },
      metadata: metadata, body: .program(TensorProgram(functions: ["main": function])))
  }

  /// The version of ONNX's own operations.
  private func operationSet(
    of envelope: ONNXEnvelope, at offset: Int
  ) throws(ModelFormatError) -> Int64 {
    guard let version = try envelope.version(ofDomain: ONNXNode.ownDomain) else {
      throw ModelFormatError(
        .missingField, byteOffset: offset, fieldPath: "opset_import",
        found: "an ONNX file that does not say its operation set", expected: "one")
    }
    guard Self.operationSets.contains(version) else {
      let newest = Self.operationSets.upperBound
      throw ModelFormatError(
        .unsupportedVersion, byteOffset: offset, fieldPath: "opset_import",
        found: "operation set \(version) of ONNX",
        expected: "\(Self.operationSets.lowerBound) to \(newest)",
        remedy: version > newest
          ? "Export the model with opset_version=\(newest) or less, or update Fovea."
          : "Convert the model to a newer operation set, or export it again.")
    }
    return version
  }

  private func metadata(of envelope: ONNXEnvelope) throws(ModelFormatError) -> ModelMetadata {
    var metadata = ModelMetadata(shortDescription: envelope.documentation)
    for entry in envelope.metadata {
      let (key, value) = try ONNXEntry.read(entry)
      metadata.userDefined[key] = value
      switch key {
      case "description": metadata.shortDescription = value
      case "version": metadata.version = value
      case "author": metadata.author = value
      case "license": metadata.license = value
      default: break
      }
    }
    return metadata
  }
}

extension ModelDescription {
  /// Reads an ONNX file.
  ///
  /// Weights are not copied: the description shares `bytes`.
  package init(
    onnx bytes: [UInt8], folder: any ModelFolder, limits: ReadingLimits = ReadingLimits()
  ) throws(ModelFormatError) {
    var reader = ONNXReader(bytes, folder: folder, limits: limits)
    self = try reader.readModel(ProtobufMessage(file: bytes))
  }
}

/// The outer fields of a model.
private struct ONNXEnvelope {
  var graph: ProtobufMessage?
  var operationSets: [ProtobufMessage] = []
  var metadata: [ProtobufMessage] = []
  var functions: [ProtobufMessage] = []
  var documentation = ""

  init(_ message: ProtobufMessage, _ limits: ReadingLimits) throws(ModelFormatError) {
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 6: try field.read(&documentation)
      case 7: field.read(&graph)
      case 8: try field.read(&operationSets, limit: limits.stages)
      case 14: try field.read(&metadata, limit: limits.features)
      case 25: try field.read(&functions, limit: limits.features)
      default: break
      }
    }
  }

  /// The version of the operations of a domain that the file states.
  func version(ofDomain domain: String) throws(ModelFormatError) -> Int64? {
    for message in operationSets {
      let (name, version) = try ONNXEntry.readOperationSet(message)
      if name == domain { return version }
    }
    return nil
  }
}

/// Messages of two fields.
enum ONNXEntry {
  /// A key and a value.
  static func read(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> (key: String, value: String) {
    var (key, value) = ("", "")
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&key)
      case 2: try field.read(&value)
      default: break
      }
    }
    return (key, value)
  }

  /// A domain of operations and its version.
  static func readOperationSet(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> (domain: String, version: Int64) {
    var domain = ""
    var version: Int64 = 0
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&domain)
      case 2: field.read(&version)
      default: break
      }
    }
    return (ONNXNode.canonical(domain), version)
  }
}
