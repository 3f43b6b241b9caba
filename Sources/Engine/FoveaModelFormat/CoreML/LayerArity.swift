// Fovea - how many blobs a layer reads and writes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension CoreMLReader {
  /// Checks the numbers of a layer's inputs and outputs, and that none is nameless.
  func checkArity(of layer: NeuralNetworkLayer) throws(ModelFormatError) {
    guard let arity = layer.kind.arity else { return }
    try check(layer.inputs, "inputs", arity.inputs, of: layer)
    try check(layer.outputs, "outputs", arity.outputs, of: layer)
  }

  private func check(
    _ blobs: [String], _ name: String, _ allowed: ClosedRange<Int>, of layer: NeuralNetworkLayer
  ) throws(ModelFormatError) {
    guard allowed.contains(blobs.count) else {
      let expected =
        allowed.upperBound == Int.max
        ? "at least \(allowed.lowerBound)"
        : allowed.lowerBound == allowed.upperBound
          ? "\(allowed.lowerBound)" : "\(allowed.lowerBound) to \(allowed.upperBound)"
      throw ModelFormatError(
        .invalidValue,
        found: "a layer of type '\(layer.typeName)' with \(blobs.count) \(name)",
        expected: expected)
    }
    guard !blobs.contains("") else {
      throw ModelFormatError(
        .invalidValue, found: "\(name) without a name", expected: "the name of a blob")
    }
  }
}

extension LayerKind {
  /// The numbers of inputs and outputs; `nil` for a layer that is not read.
  fileprivate var arity: (inputs: ClosedRange<Int>, outputs: ClosedRange<Int>)? {
    switch self {
    case .unsupported: nil
    case .loadConstant, .loadConstantND, .fillStatic: (0...0, 1...1)
    case .broadcastable: (2...2, 1...1)
    case .batchedMatrixProduct(let layer): layer.weights == nil ? (2...2, 1...1) : (1...1, 1...1)
    case .crop: (1...2, 1...1)
    case .add, .multiply, .average, .maximum, .minimum, .concat, .concatND, .stack:
      (1...Int.max, 1...1)
    case .split(let count): (1...1, count...count)
    case .splitND(let layer):
      (1...1, layer.pieceCount...layer.pieceCount)
    default: (1...1, 1...1)
    }
  }
}

extension SplitNDLayer {
  /// The number of outputs.
  fileprivate var pieceCount: Int { splitSizes.isEmpty ? splitCount : splitSizes.count }
}
