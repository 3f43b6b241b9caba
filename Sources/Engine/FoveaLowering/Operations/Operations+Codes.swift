// Fovea - codes of activations in programs.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension OperationLowering {
  /// What surrounds layers of 8 bits.
  static let codeRules: [String: OperationRule] = [
    "quantize": { op throws(FoveaError) in try op.quantize() },
    "dequantize": { op throws(FoveaError) in try op.dequantize() },
  ]

  /// Scale and zero point: one of each, or one for each index along an axis.
  private struct CodeMeaning {
    var scales: [Float]
    /// `nil`: all are 0.
    var zeros: [Float]?
    /// As the scales are applied to the values.
    var shape: [Int]

    /// The one zero point, where there is one scale that one can divide by; else `nil`.
    func sharedZero(in codes: ClosedRange<Float>) -> Float? {
      let zero = zeros?.first ?? 0
      guard scales.count == 1, scales[0] > 0, (1 / scales[0]).isFinite, scales[0].isFinite,
        codes.contains(zero), zero == zero.rounded()
      else { return nil }
      return zero
    }
  }

  /// round(x / scale) + zero point, within the range of the type; halves go to the even number.
  ///
  /// Codes with one scale are computed from the values that they stand for. Then the core knows what
  /// is rounded, and keeps codes of its own. The numbers are the same.
  private func quantize() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("input")
    let meaning = try codeMeaning(for: x)
    let range: ClosedRange<Float> = try choice(
      "output_dtype", ["int8": -128...127, "uint8": 0...255])
    guard let zero = meaning.sharedZero(in: range) else {
      return result(try codes(of: x, meaning, range), .integer)
    }
    let scale = meaning.scales[0]
    let written = WrittenCodes(value: x.value.index, scale: scale, zero: zero, range: range)
    if let codes = graph.writtenCodes[written] { return result(codes, .integer) }
    let value = try graph.unary(x, .quantized, alpha: scale, beta: zero - range.lowerBound)
    let codes = try codes(of: value, meaning, range)
    graph.codedValues[codes.value.index] = CodedValue(value: value, scale: scale, zero: zero)
    graph.writtenCodes[written] = codes
    return result(codes, .integer)
  }

  private func codes(
    of x: GraphValue, _ meaning: CodeMeaning, _ range: ClosedRange<Float>
  ) throws(FoveaError) -> GraphValue {
    let scale = try graph.constant(meaning.scales, shape: meaning.shape)
    var codes = try graph.unary(try graph.binary(.divide, x, scale), .round)
    if let zero = try zeroPoints(meaning) { codes = try graph.binary(.add, codes, zero) }
    return try graph.unary(codes, .clip, alpha: range.lowerBound, beta: range.upperBound)
  }

  /// scale * (code - zero point).
  private func dequantize() throws(FoveaError) -> [ProgramValue] {
    let codes = try tensor("input")
    let meaning = try codeMeaning(for: codes)
    if let coded = graph.codedValues[codes.value.index], meaning.scales == [coded.scale],
      meaning.zeros?.first ?? 0 == coded.zero
    {
      return result(coded.value)
    }
    let shifted = try zeroPoints(meaning).map { (zero) throws(FoveaError) in
      try graph.binary(.subtract, codes, zero)
    }
    let scale = try graph.constant(meaning.scales, shape: meaning.shape)
    return result(try graph.binary(.multiply, shifted ?? codes, scale))
  }

  private func codeMeaning(for x: GraphValue) throws(FoveaError) -> CodeMeaning {
    var shape = Array(repeating: 1, count: x.rank)
    let scale = try constant("scale")
    if !scale.shape.isEmpty {
      let axis = try dimension(integer("axis"), ofRank: x.rank)
      shape[axis] = x.shape[axis]
    }
    guard scale.count == shape.reduce(1, *) else {
      throw mismatch("\(scale.count) scales for an input of shape \(x.shape)")
    }
    var zeros: [Float]?
    if has("zero_point") {
      let points = try constant("zero_point")
      guard points.count == scale.count || points.count == 1 else {
        throw mismatch("\(points.count) zero points for \(scale.count) scales")
      }
      zeros = try points.floats()
    }
    return CodeMeaning(scales: try scale.floats(), zeros: zeros, shape: shape)
  }

  private func zeroPoints(_ meaning: CodeMeaning) throws(FoveaError) -> GraphValue? {
    guard let zeros = meaning.zeros else { return nil }
    let ones = Array(repeating: 1, count: meaning.shape.count)
    return try graph.constant(zeros, shape: zeros.count == 1 ? ones : meaning.shape)
  }
}
