// Fovea - codes of TensorFlow Lite.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension TensorFlowLiteNode {
  /// From numbers to codes and back.
  static let codeRules: [String: TensorFlowLiteRule] = [
    "QUANTIZE": { node throws(FoveaError) in
      let form = try node.form(0)
      try node.hand(node.argument(0, as: form), in: form)
    },
    "DEQUANTIZE": { node throws(FoveaError) in try node.pass() },
    // Sparse constants are read as dense ones.
    "DENSIFY": { node throws(FoveaError) in try node.pass() },
  ]

  /// Values of codes stand for their numbers already.
  private func pass() throws(FoveaError) {
    if var value = try? value(0), value.constant != nil {
      value.forms = [:]
      return values.set(value, for: operation.result)
    }
    let form = try form(0)
    try hand(argument(0, as: form), in: form)
  }
}
