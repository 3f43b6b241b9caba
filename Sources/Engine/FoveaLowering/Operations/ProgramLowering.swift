// Fovea - from a function of a program to a part of the graph.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// Adds the operations of one function to a graph.
struct ProgramLowering {
  /// The graph.
  let graph: GraphBuilder
  /// What messages call the program, such as "stage 1, "; empty for a model of one network.
  let place: String
  /// The most bytes that computing constants may take.
  let maximumConstantBytes: Int
  /// What exists so far, by name.
  private(set) var values: [String: ProgramValue]
  /// The kinds of the operations that were added.
  private(set) var kinds: Set<String> = []
  /// The operation that gave each value, for whoever asks where an output comes from.
  private(set) var sources: [String: TensorProgram.Operation] = [:]

  /// Begins with the function's inputs.
  init(
    graph: GraphBuilder, place: String, inputs: [String: ProgramValue],
    maximumConstantBytes: Int
  ) {
    self.graph = graph
    self.place = place
    self.maximumConstantBytes = maximumConstantBytes
    values = inputs
  }

  /// Adds all operations in their order.
  ///
  /// - Throws: At the first operation that cannot be run, an error that names it.
  mutating func lower(_ function: TensorProgram.Function) throws(FoveaError) {
    for (index, operation) in function.operations.enumerated() {
      do throws(FoveaError) {
        try lower(operation, operationSet: function.operationSetNumber)
      } catch {
        throw error.prefixed(
          by: "\(place)block \(function.operationSet), operation \(index)"
            + " \"\(ModelText.readable(operation.firstResult))\""
            + " (\(ModelText.readable(operation.kind)))")
      }
    }
  }

  /// A value that callers read, as a value of the graph; `nil` for an answer of a classifier.
  func graphValue(of name: String) throws(FoveaError) -> GraphValue? {
    switch values[name] {
    case .computed(let value, _): value
    case .image(let image): try image.planes(in: graph)
    case .constant(let constant):
      try graph.constant(constant)
    case .answer, nil: nil
    }
  }

  private mutating func lower(
    _ operation: TensorProgram.Operation, operationSet: Int
  ) throws(FoveaError) {
    let results = try add(operation, operationSet: operationSet)
    for (stated, value) in zip(operation.results, results) {
      try check(value, against: stated)
    }
  }

  /// Adds one operation, whatever types it states for its results.
  ///
  /// - Returns: The results, which are also among `values` now.
  @discardableResult
  mutating func add(
    _ operation: TensorProgram.Operation, operationSet: Int
  ) throws(FoveaError) -> [ProgramValue] {
    let results = try results(of: operation, operationSet: operationSet)
    for (stated, value) in zip(operation.results, results) {
      values[stated.name] = value
      sources[stated.name] = operation
    }
    kinds.insert(operation.kind)
    return results
  }

  private func results(
    of operation: TensorProgram.Operation, operationSet: Int
  ) throws(FoveaError) -> [ProgramValue] {
    if operation.kind == "const" { return [try constant(operation)] }
    var arguments: [String: [ProgramValue]] = [:]
    for (name, given) in operation.arguments {
      var found: [ProgramValue] = []
      for argument in given { found.append(try value(of: argument)) }
      arguments[name] = found
    }
    guard let rule = OperationTable.rule(for: operation.kind) else {
      throw FoveaError(
        .unsupported,
        operation.kind == "non_zero"
          ? "how many elements are not 0 depends on what the model is given, and sizes are fixed here;"
            + " export the model without its suppression (nms=False), which Fovea does itself"
          : "operations of this kind cannot be run; export the model again without it, or cut the"
            + " program before it")
    }
    // Whatever decodes constants has copies of them.
    if operation.isConstant {
      for value in arguments.values.joined() { try graph.budget?.spend(value.constant?.count ?? 0) }
    }
    try graph.setLabel(operation.firstResult)
    let lowering = OperationLowering(
      graph: graph, label: operation.firstResult, arguments: arguments,
      resultTypes: operation.results.map(\.type), operationSet: operationSet)
    let folding = ConstantFolding(maximumBytes: maximumConstantBytes)
    let results = try folding.results(of: lowering, operation.kind, rule)
    guard results.count >= operation.results.count else {
      throw FoveaError(
        .unsupported,
        "it writes \(operation.results.count) values; \(results.count) can be computed")
    }
    return results
  }

  private func constant(
    _ operation: TensorProgram.Operation
  ) throws(FoveaError) -> ProgramValue {
    guard case .constant(let constant)? = operation.arguments["val"]?.first else {
      throw FoveaError(.invalidModel, "it has no value; \(FoveaError.damaged)")
    }
    return .constant(ConstantValue(constant))
  }

  /// The value of an argument.
  func value(of argument: TensorProgram.Argument) throws(FoveaError) -> ProgramValue {
    switch argument {
    case .constant(let constant): return .constant(ConstantValue(constant))
    case .value(let name):
      guard let value = values[name] else {
        throw FoveaError(
          .unsupported,
          "it reads \"\(ModelText.readable(name))\", which is not given or cannot be computed")
      }
      return value
    }
  }

  /// What an operation gives has to be what the program states, as far as it does.
  private func check(
    _ value: ProgramValue, against stated: TensorProgram.Value
  ) throws(FoveaError) {
    guard case .tensor(let type) = stated.type, let found = value.elementClass else { return }
    if let shape = type.shape {
      let fits =
        shape.count == value.shape.count
        && zip(shape, value.shape).allSatisfy { stated, computed in
          stated == nil || stated == computed
        }
      guard fits else {
        let text = shape.map { $0.map { String($0) } ?? "?" }.joined(separator: ", ")
        throw FoveaError(
          .shapeMismatch,
          "it gives \(value.shape), and the program says [\(text)]; \(FoveaError.damaged)")
      }
    }
    // Truth values are counted with, and integers are flags, in programs of some converters.
    let wanted = ElementClass(type.element)
    guard (found == .float) == (wanted == .float) else {
      throw FoveaError(
        .invalidModel,
        "its result \"\(ModelText.readable(stated.name))\" is said to have type"
          + " \(type.element.rawValue); \(FoveaError.damaged)")
    }
  }
}
