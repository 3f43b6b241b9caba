// Fovea - reading of programs from their text form.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

extension TensorProgram {
  /// Reads a program from its text form, which compiled models have.
  ///
  /// - Parameters:
  ///   - text: The text, in UTF-8.
  ///   - name: The name of the file, for messages.
  ///   - folder: The folder that "@model_path" stands for.
  ///   - limits: Upper bounds for the text.
  /// - Throws: Where the text breaks the rules, with line and column in the path of the field.
  /// - Complexity: Linear in the size of the text.
  package init(
    text: [UInt8], name: String = "model.mil", folder: any ModelFolder,
    limits: ReadingLimits = ReadingLimits()
  ) throws(ModelFormatError) {
    do throws(ModelFormatError) {
      try FileKind.refuseMissingContent(text, expected: "the text of a program")
      var reader = try ProgramTextReader(text, folder: folder, limits: limits)
      self = try reader.readProgram()
    } catch {
      let place = error.byteOffset.map { offset in
        let (line, column) = text.linePosition(of: offset)
        return " line \(line), column \(column)"
      }
      throw error.within(name + (place ?? ""))
    }
  }
}

/// Reads the text form of programs, of both versions that compilers of models write:
///
///     program(1.3)
///     [buildInfo = dict<string, string>({{"coremlc-version", "3520.5.1"}})]
///     {
///         func main<ios17>(tensor<fp32, [4]> x) {
///             tensor<fp32, [4]> y = const()[name = string("y"), val = tensor<fp32, [4]>(...)];
///             tensor<fp32, [4]> sum = add(x = x, y = y);
///         } -> (sum);
///     }
///
/// Version 1.0 writes scalars as tensors without dimensions, `tensor<fp32, []>`. Either form is
/// read in either version. Only types can stand inside each other to any depth, which is limited.
struct ProgramTextReader {
  let limits: ReadingLimits
  var blobs: BlobFiles
  var scanner: ProgramTextScanner

  private static let versions = ["1.0", "1.3"]
  /// The sets of operations by the system that they came with.
  private static let operationSets = [
    "ios15": "CoreML5", "ios16": "CoreML6", "ios17": "CoreML7", "ios18": "CoreML8",
    "ios26": "CoreML9",
  ]

  init(_ text: [UInt8], folder: any ModelFolder, limits: ReadingLimits) throws(ModelFormatError) {
    self.limits = limits
    blobs = BlobFiles(folder)
    scanner = try ProgramTextScanner(text)
  }

  /// The whole text.
  mutating func readProgram() throws(ModelFormatError) -> TensorProgram {
    try readHeader()
    if scanner.token.isMark("[") { try skipBrackets() }
    let offset = scanner.token.range.lowerBound
    try take("{")
    var functions: [String: TensorProgram.Function] = [:]
    while try takeName("func") {
      try checkCount(functions.count, limits.stages)
      let offset = scanner.token.range.lowerBound
      let name = try takeName(as: "the name of a function")
      guard functions[name] == nil else {
        throw ModelFormatError(
          .invalidValue, byteOffset: offset, found: "a second function '\(name)'",
          expected: "different names")
      }
      functions[name] = try within("functions[\(ModelText.readable(name))]") {
        () throws(ModelFormatError) in try readFunction()
      }
    }
    try take("}", or: "a function")
    guard scanner.token.kind == .end else {
      throw unexpected(scanner.token, expected: "the end of the text")
    }
    return try ProgramChecks.program(functions, at: offset)
  }

  private mutating func readHeader() throws(ModelFormatError) {
    guard try takeName("program"), scanner.token.isMark("(") else {
      throw ModelFormatError(
        .notAModel, byteOffset: 0, found: "no text of a program", expected: "\"program(1.3)\"")
    }
    try take("(")
    let token = try scanner.take()
    let version = readable(token)
    guard token.kind == .number, Self.versions.contains(version) else {
      throw ModelFormatError(
        .unsupportedVersion, byteOffset: token.range.lowerBound,
        found: "the text of a program in version \(version)",
        expected: "version " + Self.versions.joined(separator: " or "),
        remedy: "Open the .mlpackage that the folder was made from, or update Fovea.")
    }
    try take(")")
  }

  // MARK: Functions

  /// "<set>(inputs) { operations } -> (outputs);"
  private mutating func readFunction() throws(ModelFormatError) -> TensorProgram.Function {
    try take("<")
    let tag = try scanner.take()
    let name = readable(tag)
    let operationSet = Self.operationSets[name] ?? name
    try ProgramChecks.checkOperationSet(operationSet, at: tag.range.lowerBound)
    try take(">")
    var function = TensorProgram.Function(
      inputs: [], operationSet: operationSet, operations: [], outputs: [])
    try take("(")
    try readSeparated(until: ")", limit: limits.features) { reader throws(ModelFormatError) in
      function.inputs.append(try reader.readNamed())
    }
    // Which shapes an input may have is in the model's description, too.
    if scanner.token.isMark("[") { try skipBrackets() }
    try take("{")
    while scanner.token.kind == .name {
      try checkCount(function.operations.count, limits.operations)
      function.operations.append(try readOperation())
    }
    try take("}", or: "an operation")
    let arrow = try scanner.take()
    guard arrow.kind == .arrow else { throw unexpected(arrow, expected: "'->'") }
    try take("(")
    let offset = scanner.token.range.lowerBound
    try readSeparated(until: ")", limit: limits.features) { reader throws(ModelFormatError) in
      function.outputs.append(try reader.takeName(as: "the name of a result"))
    }
    try take(";")
    do throws(ModelFormatError) {
      try ProgramChecks.check(function)
    } catch {
      throw error.at(offset)
    }
    return function
  }

  /// A type and a name.
  private mutating func readNamed() throws(ModelFormatError) -> TensorProgram.Value {
    let type = try readType()
    return TensorProgram.Value(name: try takeName(as: "the name of a value"), type: type)
  }

  // MARK: Operations

  /// "results = kind(arguments)[attributes];"
  private mutating func readOperation() throws(ModelFormatError) -> TensorProgram.Operation {
    var operation = TensorProgram.Operation(
      kind: "", arguments: [:], results: [], byteOffset: scanner.token.range.lowerBound)
    do throws(ModelFormatError) {
      repeat {
        try checkCount(operation.results.count, limits.features)
        operation.results.append(try readNamed())
      } while try take(if: ",")
      try take("=", or: "','")
      operation.kind = try takeName(as: "the kind of an operation")
      try readArguments(of: &operation)
      try ProgramChecks.checkOperation(operation, hasBlocks: scanner.token.isMark("{"))
      try take(";")
    } catch {
      throw error.inLayer(named: operation.firstResult).at(operation.byteOffset)
    }
    return operation
  }

  private mutating func readArguments(
    of operation: inout TensorProgram.Operation
  ) throws(ModelFormatError) {
    try take("(")
    try readSeparated(until: ")", limit: limits.features) { reader throws(ModelFormatError) in
      let offset = reader.scanner.token.range.lowerBound
      let name = try reader.takeName(as: "the name of an argument")
      guard operation.arguments[name] == nil else {
        throw ModelFormatError(
          .invalidValue, byteOffset: offset, found: "a second argument '\(name)'",
          expected: "different names")
      }
      operation.arguments[name] = try within("\(operation.kind).\(ModelText.readable(name))") {
        () throws(ModelFormatError) in
        try reader.take("=")
        return try reader.readBindings()
      }
    }
    guard try take(if: "[") else { return }
    try readSeparated(until: "]", limit: limits.features) { reader throws(ModelFormatError) in
      let name = try reader.takeName(as: "the name of an attribute")
      try within("\(operation.kind).\(ModelText.readable(name))") {
        () throws(ModelFormatError) in
        try reader.take("=")
        guard ProgramChecks.isArgument(name, of: operation) else { return try reader.skipValue() }
        guard let constant = try reader.readValue() else { return }
        operation.arguments[name] = [.constant(constant)]
      }
    }
  }

  /// A value, or several in parentheses.
  private mutating func readBindings() throws(ModelFormatError) -> [TensorProgram.Argument] {
    guard try take(if: "(") else { return [try readBinding()] }
    var arguments: [TensorProgram.Argument] = []
    try readSeparated(until: ")", limit: limits.features) { reader throws(ModelFormatError) in
      arguments.append(try reader.readBinding())
    }
    return arguments
  }

  /// The name of a value, or a constant, which begins with its type.
  private mutating func readBinding() throws(ModelFormatError) -> TensorProgram.Argument {
    let token = try scanner.take()
    guard token.kind == .name else {
      throw unexpected(token, expected: "the name of a value, or a constant")
    }
    guard isTypeBefore(scanner.token) else { return .value(scanner.text(token)) }
    guard let constant = try readValue(token) else {
      throw ModelFormatError(
        .missingField, byteOffset: token.range.lowerBound,
        found: "an argument without a tensor",
        expected: "the name of a value, or a tensor")
    }
    return .constant(constant)
  }
}
