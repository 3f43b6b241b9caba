// Fovea - when a node of an ONNX graph is wanted.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// The conditions around a node that belongs to branches of `If`.
///
/// Nodes of both branches stand in the program one after another. Each names the conditions under
/// which it is wanted; whoever lowers the program knows them, or refuses it. Behind the branches
/// stands an operation `If` that reads the condition, the results of the first branch, and as many of
/// the second.
struct ONNXBranch {
  /// Values that have to be true.
  private var whereTrue: [String] = []
  /// Values that have to be false.
  private var whereFalse: [String] = []

  /// The number of conditions.
  var count: Int { whereTrue.count + whereFalse.count }

  /// Adds a condition inside those before.
  mutating func add(_ condition: String, isTrue: Bool) {
    if isTrue { whereTrue.append(condition) } else { whereFalse.append(condition) }
  }

  /// The conditions as arguments of an operation.
  var arguments: [String: [TensorProgram.Argument]] {
    var arguments: [String: [TensorProgram.Argument]] = [:]
    if !whereTrue.isEmpty { arguments[ONNXNames.whereTrue] = whereTrue.map { .value($0) } }
    if !whereFalse.isEmpty { arguments[ONNXNames.whereFalse] = whereFalse.map { .value($0) } }
    return arguments
  }
}
