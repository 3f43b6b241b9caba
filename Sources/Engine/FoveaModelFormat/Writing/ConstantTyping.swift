// Fovea - constants in the types that ML Programs compute with.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension TensorConstant {
  /// The numbers as floats of 32 bits; `nil` for texts, and for types that nothing computes with.
  func asFloats() -> TensorConstant? {
    guard case .bytes(let bytes) = content else { return nil }
    switch element {
    case .float32: return self
    case .float16:
      return .floats(
        bytes.words(of: UInt16.self).map { Float(halfPrecisionBits: UInt16($0)) }, shape: shape)
    case .bfloat16:
      return .floats(
        bytes.words(of: UInt16.self).map { Float(bitPattern: UInt32($0) << 16) }, shape: shape)
    case .float64:
      let patterns = bytes.words(of: Int64.self).map { UInt64(bitPattern: Int64($0)) }
      return .floats(patterns.map { Float(Double(bitPattern: $0)) }, shape: shape)
    default: return wholeNumbers.map { .floats($0.map { Float($0) }, shape: shape) }
    }
  }

  /// The numbers as integers of 32 bits, the greatest and least for those beyond. Fractions are cut
  /// off.
  func asIntegers() -> TensorConstant? {
    if element == .int32 { return self }
    if let wholeNumbers { return .integers(wholeNumbers, shape: shape) }
    guard case .bytes(let bytes)? = asFloats()?.content else { return nil }
    let numbers = bytes.words(of: UInt32.self).map { word in
      let number = Float(bitPattern: UInt32(word))
      return Int(exactly: number.rounded(.towardZero)) ?? (number < 0 ? Int.min : Int.max)
    }
    return .integers(numbers, shape: shape)
  }

  /// The numbers as truth values.
  func asBooleans() -> TensorConstant? {
    if element == .bool { return self }
    guard case .bytes(let bytes)? = asFloats()?.content else { return nil }
    let numbers = bytes.words(of: UInt32.self).map { Float(bitPattern: UInt32($0)) }
    return .booleans(numbers.map { $0 != 0 }, shape: shape)
  }

  /// The numbers as codes of 8 bits; `nil` where one is none.
  func asCodes(_ type: ElementType) -> TensorConstant? {
    if element == type { return self }
    guard let numbers = wholeNumbers else { return nil }
    let range = type == .int8 ? -128...127 : 0...255
    guard numbers.allSatisfy(range.contains) else { return nil }
    return TensorConstant(
      element: type, shape: shape,
      content: .bytes(StoredBytes(numbers.map { UInt8(truncatingIfNeeded: $0) })))
  }

  /// Integers and truth values; `nil` for other numbers, and for elements that share bytes.
  private var wholeNumbers: [Int]? {
    guard case .bytes(let bytes) = content else { return nil }
    switch element {
    case .bool: return bytes.words(of: UInt8.self).map { $0 == 0 ? 0 : 1 }
    case .int8: return bytes.words(of: Int8.self)
    case .uint8: return bytes.words(of: UInt8.self)
    case .int16: return bytes.words(of: Int16.self)
    case .uint16: return bytes.words(of: UInt16.self)
    case .int32: return bytes.words(of: Int32.self)
    case .uint32: return bytes.words(of: UInt32.self)
    case .int64: return bytes.words(of: Int64.self)
    case .uint64: return bytes.words(of: UInt64.self)
    default: return nil
    }
  }
}
