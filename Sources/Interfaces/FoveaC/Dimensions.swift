// Fovea - the shape and the strides of an array in the memory of a C program.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.Detect

/// The shape and the strides of an array in the memory of a C program.
struct Dimensions {
  let shape: [Int]
  /// Distances in bytes.
  let strides: [Int]
  /// The number of elements.
  let count: Int
  /// What messages call the array.
  private let subject: String

  private static let greatestRank = 32

  init(_ array: fovea_array, _ kind: String, elementBytes: Int) throws(CallFailure) {
    let subject = "\(kind) '\(array.name.map { String(cString: $0) } ?? "")'"
    self.subject = subject
    let rank = Int(array.rank)
    guard (0...Self.greatestRank).contains(rank) else {
      throw .invalid("\(subject) has \(rank) dimensions; expected 0 to \(Self.greatestRank)")
    }
    guard rank == 0 || array.shape != nil else {
      throw .invalid("\(subject) has \(rank) dimensions and no shape (NULL)")
    }
    shape = (0..<rank).map { Int(clamping: array.shape[$0]) }
    if let size = shape.first(where: { $0 < 0 }) {
      throw .invalid("\(subject) has the shape \(shape) with the negative size \(size)")
    }
    var bytes = elementBytes
    for size in shape where size != 0 {
      let (product, overflow) = bytes.multipliedReportingOverflow(by: size)
      guard !overflow else {
        throw .invalid("\(subject) has the shape \(shape), which is more than memory can hold")
      }
      bytes = product
    }
    count = shape.contains(0) ? 0 : bytes / elementBytes
    strides =
      array.strides.map { strides in (0..<rank).map { Int(clamping: strides[$0]) } }
      ?? Self.rowMajor(shape, elementBytes: elementBytes)
  }

  /// The distances in an array without gaps, whose elements memory can hold.
  static func rowMajor(_ shape: [Int], elementBytes: Int) -> [Int] {
    var strides = [Int](repeating: 0, count: shape.count)
    var step = elementBytes
    for index in shape.indices.reversed() {
      strides[index] = step
      step *= max(shape[index], 1)
    }
    return strides
  }

  /// Checks that all elements lie in the memory.
  func check(offset: Int, byteCount: Int, elementBytes: Int) throws(CallFailure) {
    guard count > 0 else { return }
    // The first byte of the lowest element, and the byte behind the highest one.
    var (lowest, highest) = (offset, offset)
    var isTooFar = offset < 0
    for (size, stride) in zip(shape, strides) {
      let (reach, overflow) = (size - 1).multipliedReportingOverflow(by: stride)
      let (low, lowOverflow) = lowest.addingReportingOverflow(min(reach, 0))
      let (high, highOverflow) = highest.addingReportingOverflow(max(reach, 0))
      isTooFar = isTooFar || overflow || lowOverflow || highOverflow
      (lowest, highest) = (low, high)
    }
    let (end, overflow) = highest.addingReportingOverflow(elementBytes)
    guard !isTooFar, !overflow, lowest >= 0, end <= byteCount else {
      throw CallFailure(
        fovea_status_buffer_too_small,
        "\(subject) of shape \(shape) with strides \(strides) from byte \(offset) on reaches beyond"
          + " its memory of \(byteCount) bytes")
    }
  }
}

extension fovea_type {
  /// The bytes of an element; 0 for what is no type.
  var byteCount: Int {
    switch self {
    case fovea_type_uint8, fovea_type_int8: 1
    case fovea_type_float16, fovea_type_int16: 2
    case fovea_type_float32, fovea_type_int32: 4
    case fovea_type_float64, fovea_type_int64: 8
    default: 0
    }
  }

  /// What the type is called.
  var name: String {
    switch self {
    case fovea_type_float32: "float32"
    case fovea_type_float64: "float64"
    case fovea_type_float16: "float16"
    case fovea_type_uint8: "uint8"
    case fovea_type_int8: "int8"
    case fovea_type_int16: "int16"
    case fovea_type_int32: "int32"
    case fovea_type_int64: "int64"
    default: "no type"
    }
  }
}
