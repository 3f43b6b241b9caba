// Fovea - the element types of tensors in programs.
// SPDX-License-Identifier: Apache-2.0

/// The type of a tensor's elements.
///
/// The raw value is the name in the text form of a program, such as "fp16".
public enum ElementType: String, Sendable, Hashable, CaseIterable {
  /// True or false.
  case bool
  /// Text.
  case string
  /// IEEE 754 binary16.
  case float16 = "fp16"
  /// IEEE 754 binary32.
  case float32 = "fp32"
  /// IEEE 754 binary64.
  case float64 = "fp64"
  /// The upper half of a binary32.
  case bfloat16 = "bf16"
  /// Signed integers, two's complement.
  case int4, int8, int16, int32, int64
  /// Unsigned integers.
  case uint1, uint2, uint3, uint4, uint6, uint8, uint16, uint32, uint64
  /// 8-bit floats; named, but nothing is computed with them.
  case float8E4M3FN = "fp8e4m3fn"
  /// 8-bit floats; named, but nothing is computed with them.
  case float8E5M2 = "fp8e5m2"

  /// The bits of one element as files store it; 8 for `bool`, 0 for `string`.
  public var bits: Int {
    switch self {
    case .string: 0
    case .uint1: 1
    case .uint2: 2
    case .uint3: 3
    case .int4, .uint4: 4
    case .uint6: 6
    case .bool, .int8, .uint8, .float8E4M3FN, .float8E5M2: 8
    case .float16, .bfloat16, .int16, .uint16: 16
    case .float32, .int32, .uint32: 32
    case .float64, .int64, .uint64: 64
    }
  }

  /// Whether elements are floating-point numbers.
  public var isFloat: Bool {
    switch self {
    case .float16, .float32, .float64, .bfloat16, .float8E4M3FN, .float8E5M2: true
    default: false
    }
  }

  /// Whether elements are integers.
  public var isInteger: Bool { !isFloat && self != .bool && self != .string }

  /// Whether integers have a sign.
  public var isSigned: Bool {
    switch self {
    case .int4, .int8, .int16, .int32, .int64: true
    default: isFloat
    }
  }

  /// The type with a number in the messages of a program.
  package static let byNumber: [Int32: ElementType] = [
    1: .bool, 2: .string, 10: .float16, 11: .float32, 12: .float64, 13: .bfloat16, 21: .int8,
    22: .int16, 23: .int32, 24: .int64, 25: .int4, 31: .uint8, 32: .uint16, 33: .uint32,
    34: .uint64, 35: .uint4, 36: .uint2, 37: .uint1, 38: .uint6, 39: .uint3, 40: .float8E4M3FN,
    41: .float8E5M2,
  ]

  /// The type with a number in the records of a file of blobs.
  package static let byBlobNumber: [UInt32: ElementType] = [
    1: .float16, 2: .float32, 3: .uint8, 4: .int8, 5: .bfloat16, 6: .int16, 7: .uint16, 8: .int4,
    9: .uint1, 10: .uint2, 11: .uint4, 12: .uint3, 13: .uint6, 14: .int32, 15: .uint32,
    16: .float8E4M3FN, 17: .float8E5M2,
  ]

  /// The number of the type in the messages of a program.
  package var messageNumber: Int? {
    Self.byNumber.first { $0.value == self }.map { Int($0.key) }
  }

  /// The number of the type in the records of a file of blobs; `nil` for types that stand in
  /// messages only.
  package var blobNumber: UInt32? { Self.byBlobNumber.first { $0.value == self }?.key }

  /// The bytes of `count` elements, rounded up; `nil` on overflow.
  public func byteCount(_ count: Int) -> Int? {
    let (bits, overflow) = count.multipliedReportingOverflow(by: bits)
    return overflow || count < 0 ? nil : bits / 8 + (bits % 8 == 0 ? 0 : 1)
  }
}
