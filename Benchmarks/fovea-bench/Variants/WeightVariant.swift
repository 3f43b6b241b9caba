// Fovea - one model with its weights in several forms.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaFiles
package import FoveaModelFormat
package import FoveaQuantization

/// A form of a model's weights.
package enum WeightVariant: String, CaseIterable, Sendable {
  case float32, float16
  case linear8 = "linear-8"
  case table8 = "table-8"
  case table6 = "table-6"
  case table4 = "table-4"

  /// The content of a Core ML file with weights of the form.
  ///
  /// - Parameters:
  ///   - bytes: A Core ML file with weights in float32.
  ///   - calibrator: What its layers read, for the forms with codes.
  /// - Throws: `QuantizationError` or `ModelFormatError`.
  package func make(_ bytes: [UInt8], _ calibrator: QuantizationCalibrator?) throws -> [UInt8] {
    switch self {
    case .float32: return bytes
    case .float16: return try HalfPrecisionFile.bytes(of: bytes)
    case .linear8: return try code(bytes, calibrator, .linear, bits: 8)
    case .table8: return try code(bytes, calibrator, .table, bits: 8)
    case .table6: return try code(bytes, calibrator, .table, bits: 6)
    case .table4: return try code(bytes, calibrator, .table, bits: 4)
    }
  }

  private func code(
    _ bytes: [UInt8], _ calibrator: QuantizationCalibrator?, _ kind: QuantizationOptions.Kind,
    bits: Int
  ) throws -> [UInt8] {
    try ModelQuantizer(bytes: bytes).quantize(
      QuantizationOptions(kind: kind, bits: bits), calibrator: calibrator
    ).bytes
  }

  /// The variants of a list with commas; all without one.
  static func list(_ text: String?) throws(UsageError) -> [WeightVariant] {
    guard let text else { return allCases }
    var variants: [WeightVariant] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let variant = WeightVariant(rawValue: String(name)) else {
        throw UsageError(
          "there is no form '\(name)'; the forms are "
            + allCases.map(\.rawValue).joined(separator: ", "))
      }
      if !variants.contains(variant) { variants.append(variant) }
    }
    return variants
  }
}

/// A Core ML file whose convolutions and dense layers have weights in float16.
package enum HalfPrecisionFile {
  /// The file with halves; biases and normalisations stay as they are.
  package static func bytes(of file: [UInt8]) throws(ModelFormatError) -> [UInt8] {
    var replacements: [WeightAddress: WrittenWeights] = [:]
    try add(CoreMLModel(bytes: file), path: [], to: &replacements)
    return try WeightRewriter.rewrite(file, replacements)
  }

  private static func add(
    _ model: CoreMLModel, path: [Int], to replacements: inout [WeightAddress: WrittenWeights]
  ) throws(ModelFormatError) {
    switch model.body {
    case .pipeline(let pipeline):
      for (index, stage) in pipeline.stages.enumerated() {
        try add(stage.model, path: path + [index], to: &replacements)
      }
    case .neuralNetwork(let network):
      for (index, layer) in network.layers.enumerated() {
        // Field numbers of the weights in the specification's messages.
        let (field, weights, layout): (Int, WeightData, WeightLayout)
        switch layer.kind {
        case .convolution(let convolution) where layer.inputs.count == 1:
          (field, weights, layout) = (90, convolution.weights, convolution.weightLayout)
        case .innerProduct(let product):
          (field, weights, layout) = (20, product.weights, product.weightLayout)
        default: continue
        }
        guard weights.encoding == .float32 else { continue }
        replacements[WeightAddress(path: path, layer: index, field: field)] = .float16(
          try weights.decoded(layout))
      }
    case .nonMaximumSuppression, .unsupported: break
    }
  }
}
