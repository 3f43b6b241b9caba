// Fovea - reading of programs from protocol buffers messages.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Reads a program (the messages of MILSpec) whose constants may lie in files beside it.
struct ProgramReader {
  let limits: ReadingLimits
  var blobs: BlobFiles

  init(limits: ReadingLimits, folder: any ModelFolder) {
    self.limits = limits
    blobs = BlobFiles(folder)
  }

  /// Reads a `Program` message.
  mutating func readProgram(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> TensorProgram {
    var version: Int64 = 0
    var entries: [ProtobufMessage] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&version)
      case 2: try field.read(&entries, limit: limits.stages)
      default: break
      }
    }
    guard version == 1 else {
      throw ModelFormatError(
        .unsupportedVersion, byteOffset: message.offset, fieldPath: "version",
        found: "a program of version \(version)", expected: "version 1")
    }
    var functions: [String: TensorProgram.Function] = [:]
    for entry in entries {
      let (name, content) = try readEntry(entry)
      guard let content else { continue }
      functions[name] = try within("functions[\(ModelText.readable(name))]") {
        () throws(ModelFormatError) in try readFunction(content)
      }
    }
    return try ProgramChecks.program(functions, at: message.offset)
  }

  private mutating func readFunction(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> TensorProgram.Function {
    var inputs: [ProtobufMessage] = []
    var operationSet = ""
    var blocks: [ProtobufMessage] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&inputs, limit: limits.features)
      case 2: try field.read(&operationSet)
      case 3: try field.read(&blocks, limit: limits.stages)
      default: break
      }
    }
    try ProgramChecks.checkOperationSet(operationSet, at: message.offset)
    var active: ProtobufMessage?
    for block in blocks {
      let (name, content) = try readEntry(block)
      if name == operationSet { active = content }
    }
    guard let active else {
      throw ModelFormatError(
        .missingField, byteOffset: message.offset, fieldPath: "block_specializations",
        found: "no block for the operation set '\(operationSet)'", expected: "one")
    }
    let values = try inputs.enumerated().map { index, input throws(ModelFormatError) in
      try within("inputs[\(index)]") { () throws(ModelFormatError) in try readNamed(input) }
    }
    return try within("block[\(operationSet)]") { () throws(ModelFormatError) in
      let (operations, outputs) = try readBlock(active)
      let function = TensorProgram.Function(
        inputs: values, operationSet: operationSet, operations: operations, outputs: outputs)
      try ProgramChecks.check(function)
      return function
    }
  }

  private mutating func readBlock(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> ([TensorProgram.Operation], [String]) {
    var outputs: [String] = []
    var messages: [ProtobufMessage] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 2: try field.read(&outputs, limit: limits.features)
      case 3: try field.read(&messages, limit: limits.operations)
      default: break
      }
    }
    var operations: [TensorProgram.Operation] = []
    operations.reserveCapacity(messages.count)
    for (index, message) in messages.enumerated() {
      operations.append(
        try within("operations[\(index)]") { () throws(ModelFormatError) in
          try readOperation(message)
        })
    }
    return (operations, outputs)
  }

  private mutating func readOperation(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> TensorProgram.Operation {
    var operation = TensorProgram.Operation(
      kind: "", arguments: [:], results: [], byteOffset: message.offset)
    var parts = OperationParts()
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&operation.kind)
      case 2: try field.read(&parts.inputs, limit: limits.features)
      case 3: try field.read(&parts.results, limit: limits.features)
      case 4: parts.hasBlocks = true
      case 5: try field.read(&parts.attributes, limit: limits.features)
      default: break
      }
    }
    for (index, result) in parts.results.enumerated() {
      operation.results.append(
        try within("outputs[\(index)]") { () throws(ModelFormatError) in try readNamed(result) })
    }
    do throws(ModelFormatError) {
      try ProgramChecks.checkOperation(operation, hasBlocks: parts.hasBlocks)
      try readArguments(parts, into: &operation)
    } catch {
      throw error.inLayer(named: operation.firstResult).at(message.offset)
    }
    return operation
  }

  private mutating func readArguments(
    _ parts: OperationParts, into operation: inout TensorProgram.Operation
  ) throws(ModelFormatError) {
    for entry in parts.inputs {
      let (name, content) = try readEntry(entry)
      guard let content else { continue }
      operation.arguments[name] = try within("\(operation.kind).\(ModelText.readable(name))") {
        () throws(ModelFormatError) in try readBindings(content)
      }
    }
    for entry in parts.attributes {
      let (name, content) = try readEntry(entry)
      guard let content, ProgramChecks.isArgument(name, of: operation) else { continue }
      let constant = try within("\(operation.kind).\(ModelText.readable(name))") {
        () throws(ModelFormatError) in try readValue(content)
      }
      if let constant { operation.arguments[name] = [.constant(constant)] }
    }
  }

  private mutating func readBindings(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> [TensorProgram.Argument] {
    var bindings: [ProtobufMessage] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { try field.read(&bindings, limit: limits.features) }
    }
    var arguments: [TensorProgram.Argument] = []
    for binding in bindings {
      var name: String?
      var value: ProtobufMessage?
      var fields = ProtobufCursor(binding)
      while let field = try fields.next() {
        switch field.number {
        case 1:
          var text = ""
          try field.read(&text)
          (name, value) = (text, nil)
        case 2:
          field.read(&value)
          name = nil
        default: break
        }
      }
      if let name {
        arguments.append(.value(name))
      } else if let value, let constant = try readValue(value) {
        arguments.append(.constant(constant))
      } else {
        throw ModelFormatError(
          .missingField, byteOffset: binding.offset, found: "an argument without a value",
          expected: "the name of a value, or a tensor")
      }
    }
    return arguments
  }
}

/// The fields of an operation before they are read.
private struct OperationParts {
  var inputs: [ProtobufMessage] = []
  var results: [ProtobufMessage] = []
  var attributes: [ProtobufMessage] = []
  var hasBlocks = false
}

/// An entry of a map: a text and a message.
func readEntry(
  _ entry: ProtobufMessage
) throws(ModelFormatError) -> (key: String, value: ProtobufMessage?) {
  var key = ""
  var value: ProtobufMessage?
  var fields = ProtobufCursor(entry)
  while let field = try fields.next() {
    switch field.number {
    case 1: try field.read(&key)
    case 2: field.read(&value)
    default: break
    }
  }
  return (key, value)
}
