// Fovea - names in programs of ONNX.
// SPDX-License-Identifier: Apache-2.0

/// Names in programs of ONNX.
package enum ONNXNames {
  /// The operation that chooses between two branches.
  package static let branches = "If"
  /// The argument of an operation of a branch that lists values which have to be true.
  package static let whereTrue = "if:true"
  /// The same for values that have to be false.
  package static let whereFalse = "if:false"
  /// Both. No attribute is called so.
  package static let conditions: Set<String> = [whereTrue, whereFalse]
}
