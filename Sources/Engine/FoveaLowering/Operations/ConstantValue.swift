// Fovea - constants of programs as numbers.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// A constant of a program. It is decoded when somebody asks for its numbers.
struct ConstantValue {
  /// The type of the elements.
  let element: ElementType
  /// The sizes, outermost first.
  let shape: [Int]
  /// The elements.
  let content: Content

  /// The elements of a constant, row-major.
  enum Content {
    /// As the file stores them.
    case stored(StoredBytes)
    /// Texts.
    case strings([String])
    /// Numbers that were computed.
    case floats([Float])
    /// Codes that stay codes; scales, where there are several, run along an axis.
    case coded(WeightData, axis: Int?)
  }

  /// A constant of a file.
  init(_ constant: TensorConstant) {
    element = constant.element
    shape = constant.shape
    content =
      switch constant.content {
      case .bytes(let bytes): .stored(bytes)
      case .strings(let strings): .strings(strings)
      }
  }

  /// A constant that was computed.
  init(_ floats: [Float], shape: [Int], as elementClass: ElementClass = .float) {
    element = elementClass.element
    self.shape = shape
    content = .floats(floats)
  }

  /// Integers along one dimension.
  init(integers: [Int]) {
    self.init(integers.map { Float($0) }, shape: [integers.count], as: .integer)
  }

  /// Codes that stand for numbers.
  init(_ weights: WeightData, axis: Int?, shape: [Int]) {
    element = .float32
    self.shape = shape
    content = .coded(weights, axis: axis)
  }

  /// The number of elements.
  var count: Int { shape.reduce(1, *) }

  /// The constant under another shape with as many elements.
  func reshaped(_ shape: [Int]) throws(FoveaError) -> ConstantValue {
    switch content {
    case .stored(let bytes):
      ConstantValue(
        TensorConstant(element: element, shape: shape, content: .bytes(bytes)))
    case .strings(let strings):
      ConstantValue(
        TensorConstant(element: element, shape: shape, content: .strings(strings)))
    case .floats, .coded:
      ConstantValue(
        try floats(), shape: shape, as: ElementClass(element) ?? .float)
    }
  }

  // MARK: Numbers

  /// The elements as floats. Halves and codes are exact.
  ///
  /// - Throws: `invalidModel` for texts, and for types that nothing computes with.
  func floats() throws(FoveaError) -> [Float] {
    switch content {
    case .floats(let floats): return floats
    case .strings: throw notNumbers("texts")
    case .coded(let weights, let axis):
      return try decoded(weights, channels: axis.map { shape[$0] } ?? 1, inner: inner(axis))
    case .stored(let bytes):
      switch element {
      case .float32: return try decoded(WeightData(bytes, encoding: .float32))
      case .float16: return try decoded(WeightData(bytes, encoding: .float16))
      case .bfloat16:
        return bytes.elements(of: UInt16.self, count).map { Float(bitPattern: UInt32($0) << 16) }
      case .float64:
        return bytes.elements(of: UInt64.self, count).map { Float(Double(bitPattern: $0)) }
      case .float8E4M3FN, .float8E5M2, .string: throw notNumbers(element.rawValue)
      default: return try integers().map { Float($0) }
      }
    }
  }

  /// The elements as integers. Fractions are cut off. What does not fit into 32 bits, which are all
  /// that ML Programs have, becomes the next integer behind them: sums and products of two elements
  /// always fit into an `Int`.
  func integers() throws(FoveaError) -> [Int] {
    let (least, greatest) = (Int(Int32.min) - 1, Int(Int32.max) + 1)
    return try wideIntegers().map { min(max($0, least), greatest) }
  }

  private func wideIntegers() throws(FoveaError) -> [Int] {
    guard case .stored(let bytes) = content, !element.isFloat, element != .string else {
      return try floats().map { Int(exactly: $0.rounded(.towardZero)) ?? ($0 < 0 ? .min : .max) }
    }
    return switch element {
    case .bool: bytes.elements(of: UInt8.self, count).map { $0 == 0 ? 0 : 1 }
    case .int8: bytes.elements(of: UInt8.self, count).map { Int(Int8(bitPattern: $0)) }
    case .uint8: bytes.elements(of: UInt8.self, count).map { Int($0) }
    case .int16: bytes.elements(of: UInt16.self, count).map { Int(Int16(bitPattern: $0)) }
    case .uint16: bytes.elements(of: UInt16.self, count).map { Int($0) }
    case .int32: bytes.elements(of: UInt32.self, count).map { Int(Int32(bitPattern: $0)) }
    case .uint32: bytes.elements(of: UInt32.self, count).map { Int($0) }
    case .int64: bytes.elements(of: UInt64.self, count).map { Int(clamping: Int64(bitPattern: $0)) }
    case .uint64: bytes.elements(of: UInt64.self, count).map { Int(clamping: $0) }
    default:
      bytes.codes(bits: element.bits, count).map { code in
        element == .int4 && code >= 8 ? Int(code) - 16 : Int(code)
      }
    }
  }

  /// The elements as texts.
  func strings() throws(FoveaError) -> [String] {
    guard case .strings(let strings) = content else {
      throw FoveaError(.invalidModel, "numbers where a text belongs; \(FoveaError.damaged)")
    }
    return strings
  }

  /// The elements as weights of a convolution whose output channels are the given axis: as the file
  /// stores them where the core can read that, else as floats.
  func weights(channelAxis: Int) throws(FoveaError) -> WeightData {
    switch content {
    case .coded(let weights, let axis) where (2...4).contains(shape.count):
      return axis == nil || axis == channelAxis ? weights : try weights.cut(shape, along: axis ?? 0)
    case .coded(let weights, let axis)
    where !weights.hasParts && (axis == nil || axis == channelAxis):
      return weights
    case .stored(let bytes) where element == .float32:
      return WeightData(bytes, encoding: .float32)
    case .stored(let bytes) where element == .float16:
      return WeightData(bytes, encoding: .float16)
    default: return WeightData(try floats())
    }
  }

  /// Whether the elements are codes that stay codes.
  var isCoded: Bool {
    if case .coded = content { true } else { false }
  }

  /// The elements [outputs, channels, ...], those of each channel times a factor of its own.
  func floats(multipliedBy factors: [Float]) throws(FoveaError) -> [Float] {
    guard shape.count >= 2, shape[1] == factors.count else {
      throw FoveaError(
        .shapeMismatch,
        "weights of shape \(shape) for \(factors.count) channels; \(FoveaError.damaged)")
    }
    var floats = try floats()
    let inner = shape[2...].reduce(1, *)
    for index in floats.indices { floats[index] *= factors[index / inner % factors.count] }
    return floats
  }

  private func inner(_ axis: Int?) -> Int? {
    axis.map { shape[($0 + 1)...].reduce(1, *) }
  }

  private func decoded(
    _ weights: WeightData, channels: Int = 1, inner: Int? = nil
  ) throws(FoveaError) -> [Float] {
    do throws(ModelFormatError) {
      return try weights.decoded(count: count, channelCount: channels, channelStride: inner)
    } catch {
      throw FoveaError(error)
    }
  }

  private func notNumbers(_ what: String) -> FoveaError {
    FoveaError(.invalidModel, "\(what) where numbers belong; \(FoveaError.damaged)")
  }
}

extension GraphBuilder {
  /// A constant of a program as a value of the graph.
  func constant(_ constant: ConstantValue) throws(FoveaError) -> GraphValue {
    // Asked for before anything is decoded; what is given to the graph is a second copy.
    try budget?.spend(constant.count)
    return try self.constant(constant.floats(), shape: constant.shape)
  }
}

extension WeightData {
  /// Whether there are tables or scales of parts.
  var hasParts: Bool {
    switch encoding {
    case .lookupTables, .linearParts: true
    default: false
    }
  }

  /// Codes with a scale for each index of an axis as codes with scales of parts.
  fileprivate func cut(_ shape: [Int], along axis: Int) throws(FoveaError) -> WeightData {
    let counts = shape.indices.map { $0 == axis ? shape[$0] : 1 }
    guard case .linear(let bits, let scale, let bias) = encoding,
      let parts = WeightParts(shape: shape, counts: counts)
    else { throw FoveaError(.invalidModel, "scales along no axis; \(FoveaError.damaged)") }
    return WeightData(
      contiguousBytes(),
      encoding: .linearParts(bits: bits, scale: scale, bias: bias, parts: parts))
  }

  /// Weights that were computed.
  init(_ floats: [Float]) {
    let bytes = floats.withUnsafeBytes { [UInt8]($0) }
    self.init(StoredBytes(bytes), encoding: .float32)
  }
}

extension StoredBytes {
  /// Little-endian words.
  func elements<Word: FixedWidthInteger & BitwiseCopyable>(
    of type: Word.Type, _ count: Int
  ) -> [Word] {
    withBytes { bytes in
      (0..<min(count, bytes.count / MemoryLayout<Word>.size)).map { index in
        Word(
          littleEndian: bytes.loadUnaligned(
            fromByteOffset: index * MemoryLayout<Word>.size, as: Word.self))
      }
    }
  }

  /// Codes of 1 to 8 bits, the lowest bits of a byte first.
  func codes(bits: Int, _ count: Int) -> [UInt8] {
    withBytes { bytes in
      var codes: [UInt8] = []
      codes.reserveCapacity(count)
      var (window, filled, next) = (UInt32(0), 0, 0)
      let mask = UInt32(1) << UInt32(bits) - 1
      for _ in 0..<count {
        if filled < bits {
          guard next < bytes.count else { break }
          window |= UInt32(bytes[next]) << UInt32(filled)
          next += 1
          filled += 8
        }
        codes.append(UInt8(truncatingIfNeeded: window & mask))
        window >>= UInt32(bits)
        filled -= bits
      }
      return codes
    }
  }
}
