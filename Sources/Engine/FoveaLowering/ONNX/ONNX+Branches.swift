// Fovea - branches of ONNX whose conditions are known.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// Conditions are known once shapes and constants are.
  static let onnxBranchRules: [String: ONNXRule] = [
    ONNXNames.branches: { node throws(FoveaError) in try node.chooseBranch() }
  ]

  /// The inputs are the condition, the results of one branch, and those of the other.
  private func chooseBranch() throws(FoveaError) {
    guard let isTrue = try isTrue(input(0)) else { throw unknownCondition() }
    for (index, result) in results.enumerated() {
      program.substitute(try input(1 + index + (isTrue ? 0 : results.count)), for: result)
    }
  }

  /// Whether an operation belongs to no branch, or to one that is taken.
  ///
  /// - Throws: `unsupported` where that depends on what the model is given.
  func isWanted() throws(FoveaError) -> Bool {
    var isKnown = true
    for (name, wanted) in [(ONNXNames.whereTrue, true), (ONNXNames.whereFalse, false)] {
      for condition in operation.arguments[name] ?? [] {
        // A condition inside a branch that is not taken does not exist.
        let found = (try? program.value(condition)) == nil ? nil : try isTrue(condition)
        if let found, found != wanted { return false }
        isKnown = isKnown && found != nil
      }
    }
    guard isKnown else { throw unknownCondition() }
    return true
  }

  private func isTrue(_ condition: TensorProgram.Argument) throws(FoveaError) -> Bool? {
    guard let constant = try program.value(condition).constant else { return nil }
    guard constant.count == 1 else {
      throw mismatch("its condition has \(constant.count) elements, not 1")
    }
    return try constant.floats()[0] != 0
  }

  private func unknownCondition() -> FoveaError {
    unsupported(
      "the condition of an If depends on what the model is given; only conditions that follow from"
        + " sizes and constants can be run: export the model without it")
  }
}
