// Fovea - from operations of ONNX to operations of ML Programs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// Writes one node of ONNX as operations of ML Programs.
typealias ONNXRule = @Sendable (ForeignOperation) throws(FoveaError) -> Void

/// Translates ONNX. The rules of a family of operations have a file of their own.
struct ONNXTranslator: OperationTranslator {
  private static let rules: [String: ONNXRule] = {
    var all: [String: ONNXRule] = [:]
    for family in [ForeignOperation.onnxValueRules] { all.merge(family) { first, _ in first } }
    return all
  }()

  mutating func translate(_ operation: ForeignOperation) throws(FoveaError) {
    guard let rule = Self.rules[operation.kind] else {
      throw operation.unsupported(
        "operations of this kind cannot be run; export the model again without it, or cut it off")
    }
    try rule(operation)
  }
}
