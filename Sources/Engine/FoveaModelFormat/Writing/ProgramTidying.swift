// Fovea - programs in the form in which files have them.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension TensorProgram.Function {
  /// The same function as converters write it: without operations that nothing reads, with constants
  /// as operations of their own, and with names that are allowed.
  ///
  /// - Parameter renamed: Takes the new names of values by the old ones, where they differ.
  func tidied(renamed: inout [String: String]) -> TensorProgram.Function {
    var function = self
    function.operations = operations.read(by: outputs)
    var names = ProgramNames(function)
    renamed = names.changed
    for index in function.inputs.indices {
      function.inputs[index].name = names[function.inputs[index].name]
    }
    function.outputs = function.outputs.map { names[$0] }
    var constants = ConstantPlacement(operationSet: operationSetNumber)
    for var operation in function.operations {
      operation.arguments = operation.arguments.mapValues { $0.map { $0.renamed(names) } }
      for index in operation.results.indices {
        operation.results[index].name = names[operation.results[index].name]
      }
      constants.add(operation, &names)
    }
    function.operations = constants.operations
    return function
  }
}

extension TensorProgram.Argument {
  fileprivate func renamed(_ names: ProgramNames) -> TensorProgram.Argument {
    guard case .value(let name) = self else { return self }
    return .value(names[name])
  }
}

/// Puts the constants of operations where files have them.
private struct ConstantPlacement {
  let operationSet: Int
  var operations: [TensorProgram.Operation] = []
  /// The numbers of constants by name, for parameters that have to stand in their operation.
  private var values: [String: TensorConstant] = [:]

  init(operationSet: Int) { self.operationSet = operationSet }

  mutating func add(_ operation: TensorProgram.Operation, _ names: inout ProgramNames) {
    var operation = operation
    if operation.kind == "const", case .constant(let value)? = operation.arguments["val"]?.first {
      values[operation.firstResult] = value
    } else if operation.isConstant {
      operation.arguments = operation.arguments.mapValues { $0.map { inlined($0) } }
    } else {
      for argument in operation.arguments.keys.sorted()
      where !operation.hasImmediate(argument) {
        let given = operation.arguments[argument] ?? []
        operation.arguments[argument] = given.enumerated().map { index, value in
          let place = given.count > 1 ? "_\(index)" : ""
          return outside(value, "\(operation.firstResult)_\(argument)\(place)", &names)
        }
      }
    }
    operations.append(operation)
  }

  /// Parameters of codes stand in their operation.
  private func inlined(_ argument: TensorProgram.Argument) -> TensorProgram.Argument {
    guard case .value(let name) = argument, let value = values[name] else { return argument }
    return .constant(value)
  }

  /// A constant as an operation of its own.
  private mutating func outside(
    _ argument: TensorProgram.Argument, _ name: String, _ names: inout ProgramNames
  ) -> TensorProgram.Argument {
    guard case .constant(let value) = argument else { return argument }
    let name = names.new(name)
    operations.append(.constant(value, named: name))
    return .value(name)
  }
}

extension TensorProgram.Operation {
  /// Whether the constant of an argument is written into the operation itself.
  func hasImmediate(_ argument: String) -> Bool {
    isConstant || kind == "classify" && argument == "classes"
  }

  /// Whether arguments are written as attributes.
  func hasAttributes(operationSet: Int) -> Bool {
    switch kind {
    case "const", "constexpr_cast", "constexpr_affine_dequantize": true
    case "constexpr_lut_to_dense", "constexpr_sparse_to_dense": operationSet < 8
    default: false
    }
  }
}
