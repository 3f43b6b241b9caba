// Fovea - the tensors of a TensorFlow Lite file.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// A tensor as its file describes it.
struct TensorFlowLiteTensor {
  let name: String
  let element: ElementType
  /// The sizes, outermost first; those that depend on the input are 1.
  let shape: [Int]
  /// Which sizes depend on the input.
  let isFree: [Bool]
  /// The number of the buffer that holds the elements; the buffer 0 is empty.
  let buffer: Int
  /// What codes mean: one scale and zero point, or one of each along an axis; empty for numbers.
  let scales: [Float]
  let zeroPoints: [Int]
  let axis: Int
  let sparsity: FlatTable?
  let path: String

  init(_ table: FlatTable, limits: ReadingLimits) throws(ModelFormatError) {
    path = table.path
    name = try table.text(3)
    let type = try table.byte(1)
    guard let element = Self.elements[type] else {
      throw ModelFormatError(
        .unsupportedLayer, fieldPath: "\(path).type",
        found: "tensor \"\(ModelText.readable(name))\" of type \(Self.typeName(type))",
        expected: "numbers or truth values")
    }
    self.element = element
    let stated = try table.integers(0)
    let signature = try table.integers(7)
    let isSigned = signature.count == stated.count
    isFree = stated.indices.map { stated[$0] < 0 || (isSigned && signature[$0] < 0) }
    shape = stated.map { $0 < 0 ? 1 : $0 }
    buffer = Int(try table.number(2, as: UInt32.self, default: 0))
    let quantization = try table.table(4, "quantization")
    let scales = try quantization?.floats(2) ?? []
    let zeros = try quantization?.numbers(3, as: Int64.self) ?? []
    axis = try quantization?.integer(6) ?? 0
    sparsity = try table.table(6, "sparsity")
    // Numbers may carry ranges that were measured, which mean nothing.
    self.scales = element.isInteger && scales.allSatisfy { $0 > 0 && $0.isFinite } ? scales : []
    zeroPoints = zeros.count == scales.count ? zeros : Array(repeating: 0, count: scales.count)
    try check(limits, hasValidScales: scales.count <= 1 || shape.indices.contains(axis))
  }

  private func check(
    _ limits: ReadingLimits, hasValidScales: Bool
  ) throws(ModelFormatError) {
    guard shape.count <= limits.rank else {
      throw ModelFormatError(
        .limitExceeded, fieldPath: "\(path).shape", found: "\(shape.count) dimensions",
        expected: "at most \(limits.rank)")
    }
    guard limits.elementCount(shape) != nil else {
      throw ModelFormatError(
        .limitExceeded, fieldPath: "\(path).shape", found: "a tensor of shape \(shape)",
        expected: "at most \(limits.elements) elements")
    }
    let range = [.int8: -128...127, .uint8: 0...255][element] ?? -(1 << 31)...(1 << 31)
    if let stranger = zeroPoints.first(where: { !range.contains($0) }), hasScales {
      throw ModelFormatError(
        .invalidValue, fieldPath: "\(path).quantization",
        found: "a zero point of \(stranger)", expected: "one of \(range)")
    }
    let channels = shape.indices.contains(axis) ? shape[axis] : 1
    guard hasValidScales, scales.count <= 1 || scales.count == channels else {
      throw ModelFormatError(
        .invalidValue, fieldPath: "\(path).quantization",
        found: "\(scales.count) scales along axis \(axis) of shape \(shape)",
        expected: "one scale, or one for each index along an axis")
    }
  }

  /// The number of elements.
  var count: Int { shape.reduce(1, *) }

  /// Whether the elements stand for numbers by scales.
  var hasScales: Bool { !scales.isEmpty }

  /// Whether the elements are codes of 8 bits that stand for numbers. Codes of more bits are used as
  /// numbers that are not rounded.
  var isCoded: Bool { scales.count == 1 && (element == .int8 || element == .uint8) }

  // MARK: Types

  /// The types by their numbers. Texts and complex numbers are missing.
  static let elements: [Int: ElementType] = [
    0: .float32, 1: .float16, 2: .int32, 3: .uint8, 4: .int64, 6: .bool, 7: .int16, 9: .int8,
    10: .float64, 12: .uint64, 15: .uint32, 16: .uint16, 17: .int4, 18: .bfloat16,
  ]

  private static func typeName(_ number: Int) -> String {
    [5: "text", 8: "complex", 11: "complex", 13: "resource", 14: "variant"][number]
      ?? "number \(number)"
  }
}
