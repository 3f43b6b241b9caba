// Fovea - the constants of a program as numbers, for other modules.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCore
package import FoveaModelValues

/// The constants of a function of a program, decoded when somebody asks for them.
package struct ProgramConstants {
  private let values: [String: ProgramValue]

  /// Finds the constants of a function, codes included.
  ///
  /// - Throws: For codes that cannot be decoded.
  package init(_ function: TensorProgram.Function) throws(FoveaError) {
    var constants = function
    // Values of other kinds than tensors are no arguments of operations that compute.
    constants.operations = function.operations.filter { operation in
      operation.isConstant && (operation.kind != "const" || operation.arguments["val"] != nil)
    }
    var lowering = ProgramLowering(
      graph: try GraphBuilder(), place: "", inputs: [:], maximumConstantBytes: 0)
    try lowering.lower(constants)
    values = lowering.values
  }

  /// The sizes of a constant; `nil` for what is none.
  package func shape(_ argument: TensorProgram.Argument?) -> [Int]? { constant(argument)?.shape }

  /// A constant as floats, without rounding; `nil` for what is none.
  package func floats(
    _ argument: TensorProgram.Argument?
  ) throws(FoveaError) -> [Float]? {
    try constant(argument)?.floats()
  }

  /// A constant as integers; `nil` for what is none.
  package func integers(
    _ argument: TensorProgram.Argument?
  ) throws(FoveaError) -> [Int]? {
    try constant(argument)?.integers()
  }

  /// A constant as a text; `nil` for what is none.
  package func text(_ argument: TensorProgram.Argument?) throws(FoveaError) -> String? {
    try constant(argument)?.strings().first
  }

  private func constant(_ argument: TensorProgram.Argument?) -> ConstantValue? {
    switch argument {
    case .value(let name): values[name]?.constant
    case .constant(let constant): ConstantValue(constant)
    case nil: nil
    }
  }
}
