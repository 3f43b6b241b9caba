// Fovea - what holds for every program, whatever its operations mean.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Checks that need no knowledge of single operations.
enum ProgramChecks {
  /// The newest set of operations whose meanings are known here.
  static let newestOperationSet = 9
  private static let oldestOperationSet = 5
  private static let setPrefix = "CoreML"

  /// Checks the name of a set of operations, "CoreML5" to "CoreML9".
  static func checkOperationSet(_ name: String, at offset: Int?) throws(ModelFormatError) {
    let number = name.hasPrefix(setPrefix) ? Int(name.dropFirst(setPrefix.count)) : nil
    guard let number, (oldestOperationSet...newestOperationSet).contains(number) else {
      throw ModelFormatError(
        .unsupportedVersion, byteOffset: offset, fieldPath: "opset",
        found: "the operation set '\(ModelText.readable(name))'",
        expected: "\(setPrefix)\(oldestOperationSet) to \(setPrefix)\(newestOperationSet)",
        remedy: "Export the model for an older deployment target or update Fovea.")
    }
  }

  /// A program of functions, of which there is at least one.
  static func program(
    _ functions: [String: TensorProgram.Function], at offset: Int?
  ) throws(ModelFormatError) -> TensorProgram {
    guard !functions.isEmpty else {
      throw ModelFormatError(
        .missingField, byteOffset: offset, fieldPath: "functions",
        found: "a program without functions", expected: "at least one")
    }
    return TensorProgram(functions: functions)
  }

  /// Whether an attribute of an operation is one of its arguments.
  ///
  /// The name of an operation is for people; results are known by their own names.
  static func isArgument(_ name: String, of operation: TensorProgram.Operation) -> Bool {
    name != "name" && operation.arguments[name] == nil
  }

  /// Checks what an operation has at least: a kind, results, and no blocks of its own.
  static func checkOperation(
    _ operation: TensorProgram.Operation, hasBlocks: Bool
  ) throws(ModelFormatError) {
    guard !operation.kind.isEmpty else {
      throw ModelFormatError(
        .missingField, found: "an operation without a type", expected: "a type such as conv")
    }
    guard !hasBlocks else {
      throw ModelFormatError(
        .unsupportedLayer, found: "an operation '\(operation.kind)' with blocks of its own",
        expected: "operations that run once, one after another",
        remedy: "Export the model without conditions and loops.")
    }
    guard !operation.results.isEmpty || !operation.kind.hasSuffix("_state") else {
      throw ModelFormatError(
        .unsupportedLayer, found: "a state that lives on between runs (\(operation.kind))",
        expected: "a program whose results depend on its inputs only",
        remedy: "Export the model without states.")
    }
    guard !operation.results.isEmpty else {
      throw ModelFormatError(
        .missingField, found: "an operation '\(operation.kind)' without results",
        expected: "at least one")
    }
  }

  /// Checks that every name is written once, and before it is read.
  static func check(_ function: TensorProgram.Function) throws(ModelFormatError) {
    var known: Set<String> = []
    for input in function.inputs {
      try checkName(input.name)
      guard known.insert(input.name).inserted else {
        throw ModelFormatError(
          .duplicateBlob, found: "a second input '\(input.name)'", expected: "different names")
      }
    }
    for (index, operation) in function.operations.enumerated() {
      do throws(ModelFormatError) {
        try check(operation, index, function, &known)
      } catch {
        throw error.within("operations[\(index)]").inLayer(named: operation.firstResult)
          .at(operation.byteOffset)
      }
    }
    guard !function.outputs.isEmpty else {
      throw ModelFormatError(
        .missingField, fieldPath: "outputs", found: "a function without results",
        expected: "at least one")
    }
    for output in function.outputs where !known.contains(output) {
      throw ModelFormatError(
        .unknownBlob, fieldPath: "outputs",
        found: "the result '\(ModelText.readable(output))', which nothing computes",
        expected: "a result of an operation")
    }
  }

  private static func check(
    _ operation: TensorProgram.Operation, _ index: Int, _ function: TensorProgram.Function,
    _ known: inout Set<String>
  ) throws(ModelFormatError) {
    for (argument, values) in operation.arguments {
      for case .value(let name) in values where !known.contains(name) {
        let writesLater = function.operations[index...].contains { later in
          later.results.contains { $0.name == name }
        }
        throw ModelFormatError(
          .unknownBlob, fieldPath: "\(operation.kind).\(ModelText.readable(argument))",
          found: "'\(ModelText.readable(name))', which "
            + "\(writesLater ? "only a later operation" : "nothing") computes",
          expected: "an input, or a result of an earlier operation")
      }
    }
    for result in operation.results {
      try checkName(result.name)
      guard known.insert(result.name).inserted else {
        throw ModelFormatError(
          .duplicateBlob, found: "'\(result.name)' computed a second time",
          expected: "a new name for every result")
      }
    }
  }

  private static func checkName(_ name: String) throws(ModelFormatError) {
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw ModelFormatError(
        .invalidValue,
        found: name.isEmpty ? "a value without a name" : "a name with a null character",
        expected: "a name")
    }
  }
}

extension ReadingLimits {
  /// Checks how many types a type is inside of.
  func checkTypeDepth(_ depth: Int, at offset: Int?) throws(ModelFormatError) {
    guard depth <= typeDepth else {
      throw ModelFormatError(
        .limitExceeded, byteOffset: offset,
        found: "more than \(typeDepth) types inside each other", expected: "fewer")
    }
  }

  /// A size of a dimension, by its number or by its digits.
  func checkedDimension(
    _ size: UInt64?, _ text: String, at offset: Int?
  ) throws(ModelFormatError) -> Int {
    guard let size, size <= UInt64(dimension) else {
      throw ModelFormatError(
        .limitExceeded, byteOffset: offset, found: "a size of \(text)",
        expected: "at most \(dimension)")
    }
    return Int(size)
  }
}
