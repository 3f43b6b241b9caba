// Fovea - operations of ONNX that hand values on.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

extension ForeignOperation {
  /// Constants, and what stays what it is.
  static let onnxValueRules: [String: ONNXRule] = [
    "const": { node throws(FoveaError) in
      try node.program.write("const", node.operation.arguments, to: node.results)
    },
    "Identity": { node throws(FoveaError) in
      node.program.substitute(try node.input(0), for: node.result)
    },
  ]
}
