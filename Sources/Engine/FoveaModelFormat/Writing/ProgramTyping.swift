// Fovea - programs whose types are those of ML Programs.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

extension TensorProgram.Function {
  /// A function whose operations mean what those of ML Programs do, but were written without regard
  /// to types and versions, as one that Core ML accepts: in the oldest set that has all of them.
  ///
  /// Floats have 32 bits, integers too, and codes 8; halves become floats by an operation. Where an
  /// operation reads other types than it can, casts stand around it.
  package func inOperationsOfCoreML() -> TensorProgram.Function {
    var typing = ProgramTyping(self)
    for operation in operations { typing.add(operation) }
    var function = self
    function.operations = typing.finished(outputs: outputs)
    function.operationSet = function.leastOperationSet
    return function
  }
}

/// Writes the operations of a function again, with types.
private struct ProgramTyping {
  private var operations: [TensorProgram.Operation] = []
  private var types: [String: TensorType] = [:]
  private var constants: [String: TensorConstant] = [:]
  private var names: Set<String>
  /// Constants that stay codes.
  private let codes: Set<String>
  /// Values under another type, by both names.
  private var casts: [String: String] = [:]

  init(_ function: TensorProgram.Function) {
    names = Set(function.inputs.map(\.name))
    var codes: Set<String> = []
    for operation in function.operations {
      names.formUnion(operation.results.map(\.name))
      guard operation.isConstant || operation.kind.hasSuffix("quantize") else { continue }
      for case .value(let name) in operation.arguments.values.joined() { codes.insert(name) }
    }
    self.codes = codes
    for input in function.inputs {
      if case .tensor(let type) = input.type { types[input.name] = type }
    }
  }

  mutating func add(_ operation: TensorProgram.Operation) {
    var operation = operation
    if operation.kind == "const" { return add(constant: operation) }
    settleWords(&operation)
    settleCodes(&operation)
    let typing = OperationTyping(operation.kind)
    var shared: ElementClass?
    if let typing {
      shared = common(operation, typing)
      for name in typing.shared { convert(&operation, name, to: shared ?? .float) }
      for (name, wanted) in typing.fixed.sorted(by: { $0.key < $1.key }) {
        convert(&operation, name, to: wanted)
      }
    }
    settleShape(&operation)
    append(operation, typing, shared)
  }

  /// The operations. Truth values and codes that are outputs become integers, which callers read.
  mutating func finished(outputs: [String]) -> [TensorProgram.Operation] {
    for output in outputs {
      guard let element = types[output]?.element, element != .int32, !element.isFloat else {
        continue
      }
      let inner = newName("\(output)_\(element.rawValue)")
      for index in operations.indices {
        operations[index].arguments = operations[index].arguments.mapValues { given in
          given.map { $0 == .value(output) ? .value(inner) : $0 }
        }
        for result in operations[index].results.indices
        where operations[index].results[result].name == output {
          operations[index].results[result].name = inner
        }
      }
      let shape = types[output]?.shape
      operations.append(
        Self.cast(inner, to: output, TensorType(element: .int32, shape: shape)))
    }
    return operations
  }

  // MARK: Constants

  private mutating func add(constant operation: TensorProgram.Operation) {
    guard case .constant(let value)? = operation.arguments["val"]?.first else {
      return operations.append(operation)
    }
    let name = operation.firstResult
    if value.element == .float16, value.count >= ProgramBlobs.leastCount, !codes.contains(name) {
      // Halves stay halves in the file.
      operations.append(
        TensorProgram.Operation(
          kind: "constexpr_cast",
          arguments: ["source_val": [.constant(value)], "output_dtype": [.string("fp32")]],
          results: [record(name, .float32, value.shape)]))
      return
    }
    let settled = codes.contains(name) ? value : settled(value)
    constants[name] = settled
    operations.append(
      TensorProgram.Operation(
        kind: "const", arguments: ["val": [.constant(settled)]],
        results: [record(name, settled.element, settled.shape)]))
  }

  /// A constant in a type that ML Programs compute with.
  private func settled(_ value: TensorConstant) -> TensorConstant {
    switch ElementClass(value.element) {
    case .float: value.asFloats() ?? value
    case .integer: value.asIntegers() ?? value
    case .boolean, nil: value
    }
  }

  private mutating func record(
    _ name: String, _ element: ElementType, _ shape: [Int?]?
  ) -> TensorProgram.Value {
    let type = TensorType(element: element, shape: shape)
    types[name] = type
    return TensorProgram.Value(name: name, type: .tensor(type))
  }

  // MARK: Arguments

  /// The class of the arguments that share one.
  private func common(
    _ operation: TensorProgram.Operation, _ typing: OperationTyping
  ) -> ElementClass? {
    let found = typing.shared.flatMap { operation.arguments[$0] ?? [] }.compactMap(elementClass)
    guard let greatest = found.max() else { return nil }
    return min(max(greatest, typing.classes.lowerBound), typing.classes.upperBound)
  }

  private func elementClass(_ argument: TensorProgram.Argument) -> ElementClass? {
    switch argument {
    case .value(let name): types[name].flatMap { ElementClass($0.element) }
    case .constant(let constant): ElementClass(constant.element)
    }
  }

  private mutating func convert(
    _ operation: inout TensorProgram.Operation, _ argument: String, to wanted: ElementClass
  ) {
    guard let given = operation.arguments[argument] else { return }
    operation.arguments[argument] = given.map { converted($0, to: wanted, operation.kind) }
  }

  private mutating func converted(
    _ argument: TensorProgram.Argument, to wanted: ElementClass, _ kind: String
  ) -> TensorProgram.Argument {
    switch argument {
    case .constant(let constant):
      return .constant(Self.converted(constant, to: wanted) ?? constant)
    case .value(let name):
      guard let type = types[name], let found = ElementClass(type.element) else { return argument }
      let moves = OperationTyping.movingKinds.contains(kind)
      if found == wanted, type.element == wanted.element || moves { return argument }
      if let constant = constants[name], let new = Self.converted(constant, to: wanted) {
        return .constant(new)
      }
      return .value(cast(name, to: wanted.element))
    }
  }

  private static func converted(
    _ constant: TensorConstant, to wanted: ElementClass
  ) -> TensorConstant? {
    switch wanted {
    case .float: constant.asFloats()
    case .integer: constant.asIntegers()
    case .boolean: constant.asBooleans()
    }
  }

  /// A value under another type.
  private mutating func cast(_ name: String, to element: ElementType) -> String {
    let key = "\(element.rawValue) \(name)"
    if let known = casts[key] { return known }
    let new = newName("\(name)_\(element.rawValue)")
    let type = TensorType(element: element, shape: types[name]?.shape)
    operations.append(Self.cast(name, to: new, type))
    types[new] = type
    casts[key] = new
    return new
  }

  private static func cast(
    _ name: String, to new: String, _ type: TensorType
  ) -> TensorProgram.Operation {
    TensorProgram.Operation(
      kind: "cast", arguments: ["x": [.value(name)], "dtype": [.string(type.element.rawValue)]],
      results: [TensorProgram.Value(name: new, type: .tensor(type))])
  }

  private mutating func newName(_ wanted: String) -> String {
    var name = wanted
    while !names.insert(name).inserted { name += "_" }
    return name
  }

  // MARK: Parameters

  /// Types that are named are those that values have here.
  private func settleWords(_ operation: inout TensorProgram.Operation) {
    guard operation.kind == "cast",
      case .constant(let constant)? = operation.arguments["dtype"]?.first,
      case .strings(let words) = constant.content,
      let wanted = ElementType(rawValue: words.first ?? "").flatMap(ElementClass.init)
    else { return }
    operation.arguments["dtype"] = [.string(wanted.element.rawValue)]
  }

  /// Zero points have the type of their codes.
  private func settleCodes(_ operation: inout TensorProgram.Operation) {
    let element: ElementType?
    switch operation.kind {
    case "quantize": element = Self.codeType(operation)
    case "dequantize": element = self.element(operation.arguments["input"]?.first)
    case "constexpr_affine_dequantize":
      element = self.element(operation.arguments["quantized_data"]?.first)
    default: return
    }
    guard let element, element == .int8 || element == .uint8,
      let zero = value(operation.arguments["zero_point"]?.first)?.asCodes(element)
    else { return }
    operation.arguments["zero_point"] = [.constant(zero)]
  }

  private static func codeType(_ operation: TensorProgram.Operation) -> ElementType? {
    guard case .constant(let constant)? = operation.arguments["output_dtype"]?.first,
      case .strings(let words) = constant.content
    else { return nil }
    return ElementType(rawValue: words.first ?? "")
  }

  private func element(_ argument: TensorProgram.Argument?) -> ElementType? {
    switch argument {
    case .value(let name): types[name]?.element
    case .constant(let constant): constant.element
    case nil: nil
    }
  }

  private func value(_ argument: TensorProgram.Argument?) -> TensorConstant? {
    switch argument {
    case .value(let name): constants[name]
    case .constant(let constant): constant
    case nil: nil
    }
  }

  /// Shapes are given in full: what 0 and -1 mean differs between sets.
  private func settleShape(_ operation: inout TensorProgram.Operation) {
    guard operation.kind == "reshape", case .tensor(let type)? = operation.results.first?.type,
      let shape = type.knownShape
    else { return }
    operation.arguments["shape"] = [.constant(.integers(shape, shape: [shape.count]))]
  }

  // MARK: Results

  /// Appends an operation. What it gives in another class than is stated becomes that by a cast.
  private mutating func append(
    _ operation: TensorProgram.Operation, _ typing: OperationTyping?, _ shared: ElementClass?
  ) {
    var operation = operation
    var after: [TensorProgram.Operation] = []
    for (index, result) in operation.results.enumerated() {
      guard case .tensor(let stated) = result.type, let wanted = ElementClass(stated.element) else {
        continue
      }
      let own = typing.map { $0.results.indices.contains(index) ? $0.results[index] : nil } ?? nil
      let given = own ?? shared ?? wanted
      let element = given == wanted ? resultElement(operation, given) : given.element
      guard given != wanted else {
        operation.results[index] = record(result.name, element, stated.shape)
        continue
      }
      let inner = newName("\(result.name)_\(given.element.rawValue)")
      operation.results[index] = record(inner, element, stated.shape)
      let type = TensorType(element: wanted.element, shape: stated.shape)
      after.append(Self.cast(inner, to: result.name, type))
      types[result.name] = type
    }
    operations.append(operation)
    operations += after
  }

  /// Codes stay codes while they are moved.
  private func resultElement(
    _ operation: TensorProgram.Operation, _ given: ElementClass
  ) -> ElementType {
    guard given == .integer else { return given.element }
    if operation.kind == "quantize" { return Self.codeType(operation) ?? .int8 }
    guard OperationTyping.movingKinds.contains(operation.kind) else { return given.element }
    let read = operation.arguments["x"] ?? operation.arguments["values"] ?? operation.arguments["a"]
    return element(read?.first) ?? given.element
  }
}
