// Fovea - constants of programs, checked against their types.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Makes constants of one type, however a file writes their elements.
struct ConstantBuilder {
  let element: ElementType
  let shape: [Int]
  let count: Int
  private let offset: Int?

  /// Constants of a type whose sizes are all known.
  init(_ type: TensorType, limits: ReadingLimits, at offset: Int?) throws(ModelFormatError) {
    guard let shape = type.knownShape else {
      throw ModelFormatError(
        .invalidValue, byteOffset: offset, found: "a constant of unknown shape",
        expected: "a known one")
    }
    guard shape.count <= limits.rank else {
      throw ModelFormatError(
        .limitExceeded, byteOffset: offset, found: "a constant of \(shape.count) dimensions",
        expected: "at most \(limits.rank)")
    }
    guard let count = limits.elementCount(shape) else {
      throw ModelFormatError(
        .limitExceeded, byteOffset: offset, found: "a constant of shape \(shape)",
        expected: "at most \(limits.elements) elements")
    }
    element = type.element
    self.shape = shape
    self.count = shape.contains(0) ? 0 : count
    self.offset = offset
  }

  /// The constant of bytes that have been measured.
  func constant(_ bytes: StoredBytes) -> TensorConstant {
    TensorConstant(element: element, shape: shape, content: .bytes(bytes))
  }

  /// The constant of elements as files store them.
  func constant(raw bytes: StoredBytes) throws(ModelFormatError) -> TensorConstant {
    guard element != .string, let needed = element.byteCount(count), bytes.count == needed else {
      throw mismatch("\(bytes.count) bytes")
    }
    return constant(bytes)
  }

  /// The constant of single-precision floats.
  func constant(floats: [Float]) throws(ModelFormatError) -> TensorConstant {
    switch element {
    case .float32: try constant(words: floats.map(\.bitPattern))
    case .float64: try constant(words: floats.map { Double($0).bitPattern })
    default: throw mismatch("numbers of type fp32")
    }
  }

  /// The constant of double-precision floats.
  func constant(doubles: [Double]) throws(ModelFormatError) -> TensorConstant {
    guard element == .float64 else { throw mismatch("numbers of type fp64") }
    return try constant(words: doubles.map(\.bitPattern))
  }

  /// The constant of integers, or of truth values.
  func constant(integers: [Int64]) throws(ModelFormatError) -> TensorConstant {
    switch element {
    // Nothing is written where there is nothing to write, whatever the type.
    case .string where integers.isEmpty && count == 0: try constant(strings: [])
    case _ where integers.isEmpty && count == 0: constant(StoredBytes([]))
    case .bool: try constant(words: integers.map { UInt8($0 == 0 ? 0 : 1) })
    case .int8: try constant(words: try exact(integers, Int8.self).map(UInt8.init(bitPattern:)))
    case .uint8: try constant(words: try exact(integers, UInt8.self))
    case .int16:
      try constant(words: try exact(integers, Int16.self).map(UInt16.init(bitPattern:)))
    case .uint16: try constant(words: try exact(integers, UInt16.self))
    case .int32:
      try constant(words: try exact(integers, Int32.self).map(UInt32.init(bitPattern:)))
    case .uint32: try constant(words: try exact(integers, UInt32.self))
    case .int64: try constant(words: integers.map(UInt64.init(bitPattern:)))
    case .uint64: try constant(words: try exact(integers, UInt64.self))
    default: throw mismatch("integers")
    }
  }

  /// The constant of texts.
  func constant(strings: [String]) throws(ModelFormatError) -> TensorConstant {
    guard element == .string, strings.count == count else { throw mismatch("texts") }
    return TensorConstant(element: element, shape: shape, content: .strings(strings))
  }

  /// Refuses another number of elements than the type has.
  func checkCount(_ stated: Int) throws(ModelFormatError) {
    guard stated == count else { throw mismatch("\(stated) elements") }
  }

  /// Scalars of one type as a tensor of rank 1; `nil` where types differ, or where elements share
  /// bytes, because each scalar has bytes of its own.
  static func list(_ scalars: [TensorConstant]) -> TensorConstant? {
    guard let element = scalars.first?.element, element.bits % 8 == 0,
      scalars.allSatisfy({ $0.element == element && $0.shape.isEmpty })
    else { return nil }
    var bytes: [UInt8] = []
    var strings: [String] = []
    for scalar in scalars {
      switch scalar.content {
      case .bytes(let part): bytes += part.array
      case .strings(let part): strings += part
      }
    }
    return TensorConstant(
      element: element, shape: [scalars.count],
      content: element == .string ? .strings(strings) : .bytes(StoredBytes(bytes)))
  }

  private func constant<Word: FixedWidthInteger>(
    words: [Word]
  ) throws(ModelFormatError) -> TensorConstant {
    try checkCount(words.count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(words.count * MemoryLayout<Word>.size)
    for word in words { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    return constant(StoredBytes(bytes))
  }

  private func exact<Number: FixedWidthInteger>(
    _ integers: [Int64], _ type: Number.Type
  ) throws(ModelFormatError) -> [Number] {
    var numbers: [Number] = []
    numbers.reserveCapacity(integers.count)
    for integer in integers {
      guard let number = Number(exactly: integer) else { throw mismatch("the number \(integer)") }
      numbers.append(number)
    }
    return numbers
  }

  private func mismatch(_ found: String) -> ModelFormatError {
    ModelFormatError(
      .invalidWeights, byteOffset: offset, found: "\(found) in a constant",
      expected: "\(count) elements of type \(element.rawValue), shape \(shape)")
  }
}
