// Fovea - one model with its weights in several forms.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
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
  /// - Throws: `QuantizationError`.
  package func make(_ bytes: [UInt8], _ calibrator: QuantizationCalibrator?) throws -> [UInt8] {
    switch self {
    case .float32: return bytes
    case .float16: return try ModelQuantizer(bytes: bytes).inHalfPrecision().bytes
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
