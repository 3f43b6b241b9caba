// Fovea - from operations of TensorFlow Lite to operations of ML Programs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// Writes one operation of TensorFlow Lite as operations of ML Programs.
typealias TensorFlowLiteRule = @Sendable (TensorFlowLiteNode) throws(FoveaError) -> Void

/// Translates TensorFlow Lite. The rules of a family of operations have a file of their own.
///
/// Files have channels last, ML Programs have planes. Convolutions read and write planes, and what
/// works element by element keeps the order that it finds (`TensorFlowLiteValues`). So a detector
/// becomes the graph that it has as a Core ML model.
///
/// Codes of 8 bits are written as the numbers that they stand for: each operation computes with
/// numbers, and its result is quantized and dequantized with the scale and the zero point of the file.
/// The backend `int8` recognizes that and keeps codes.
///
/// Weights of 8 bits beside activations of floats (dynamic ranges) are read as numbers. LiteRT rounds
/// such activations to 8 bits in every run; here they stay exact.
struct TensorFlowLiteTranslator: OperationTranslator {
  private var values: TensorFlowLiteValues?

  var readsImagesAsPlanes: Bool { true }

  fileprivate static let rules: [String: TensorFlowLiteRule] = {
    var all: [String: TensorFlowLiteRule] = [:]
    let families = [
      TensorFlowLiteNode.convolutionRules, TensorFlowLiteNode.poolingRules,
      TensorFlowLiteNode.activationRules, TensorFlowLiteNode.arithmeticRules,
      TensorFlowLiteNode.shapeRules, TensorFlowLiteNode.joiningRules,
      TensorFlowLiteNode.sliceRules, TensorFlowLiteNode.paddingRules,
      TensorFlowLiteNode.reductionRules, TensorFlowLiteNode.constantRules,
      TensorFlowLiteNode.codeRules, TensorFlowLiteNode.detectionRules,
    ]
    for family in families { all.merge(family) { first, _ in first } }
    return all
  }()

  mutating func begin(
    _ function: TensorProgram.Function, _ program: ProgramTranslation
  ) throws(FoveaError) {
    values = try TensorFlowLiteValues(function, program)
  }

  mutating func translate(_ operation: ForeignOperation) throws(FoveaError) {
    guard let rule = Self.rules[operation.kind], let values else {
      throw operation.unsupported(
        "operations of this kind cannot be run; export the model again without it, or cut it off")
    }
    try rule(TensorFlowLiteNode(operation, values))
  }

  mutating func end(
    _ function: TensorProgram.Function, _ program: ProgramTranslation
  ) throws(FoveaError) {
    for output in function.outputs { try values?.finish(output) }
  }
}

/// The operations of TensorFlow Lite that can be run.
package enum TensorFlowLiteKinds {
  /// Their kinds in alphabetical order, without constants.
  package static var all: [String] {
    TensorFlowLiteTranslator.rules.keys.filter { $0 != "const" }.sorted()
  }
}
