// Fovea - what names mean in functions and branches of ONNX.
// SPDX-License-Identifier: Apache-2.0

/// What names and attributes of a function mean where it is called, and those of a branch where it is.
struct ONNXScope {
  /// The names in the model of the function's values, as far as they do not follow from `valuePrefix`.
  var names: [String: String] = [:]
  /// The attributes of the call.
  var attributes: [String: ONNXAttribute] = [:]
  /// What names of nodes begin with in the model.
  var prefix = ""
  /// What names of values begin with in the model. Those of a branch are those around it.
  var valuePrefix = ""
  var depth = 0
  /// When the nodes are wanted.
  var branch = ONNXBranch()
}

extension ONNXScope {
  /// The name in the model of a value of the function.
  func name(_ name: String) -> String {
    name.isEmpty ? name : names[name] ?? valuePrefix + name
  }
}
