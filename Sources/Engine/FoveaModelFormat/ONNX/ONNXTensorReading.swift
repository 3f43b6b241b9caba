// Fovea - reading of ONNX tensors.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension ONNXReader {
  /// The types of elements by their numbers.
  static let elementTypes: [Int32: ElementType] = [
    1: .float32, 2: .uint8, 3: .int8, 4: .uint16, 5: .int16, 6: .int32, 7: .int64, 8: .string,
    9: .bool, 10: .float16, 11: .float64, 12: .uint32, 13: .uint64, 16: .bfloat16,
    17: .float8E4M3FN, 19: .float8E5M2, 21: .uint4, 22: .int4, 25: .uint2,
  ]

  /// The type of elements with a number.
  static func elementType(_ number: Int32, at offset: Int) throws(ModelFormatError) -> ElementType {
    guard let element = elementTypes[number] else {
      throw ModelFormatError(
        .unsupportedLayer, byteOffset: offset, fieldPath: "data_type",
        found: "elements of the unknown type \(number)",
        expected: "floats, integers, truth values or texts")
    }
    return element
  }

  /// The name of a `TensorProto` message and its elements.
  static func tensorName(
    _ message: ProtobufMessage, _ limits: ReadingLimits
  ) throws(ModelFormatError) -> String {
    try ONNXTensorParts(message, limits).name
  }

  mutating func readTensor(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> (name: String, constant: TensorConstant) {
    let parts = try ONNXTensorParts(message, limits)
    let name = parts.name
    do throws(ModelFormatError) {
      return (name, try constant(parts, at: message.offset))
    } catch {
      throw error.inLayer(named: name).at(message.offset)
    }
  }

  private mutating func constant(
    _ parts: ONNXTensorParts, at offset: Int
  ) throws(ModelFormatError) -> TensorConstant {
    let element = try Self.elementType(parts.type, at: offset)
    var shape: [Int?] = []
    for size in parts.sizes {
      guard size >= 0 else {
        throw ModelFormatError(
          .invalidValue, byteOffset: offset, fieldPath: "dims", found: "a size of \(size)",
          expected: "0 or more")
      }
      shape.append(
        try limits.checkedDimension(UInt64(size), "\(size)", at: offset))
    }
    let builder = try ConstantBuilder(
      TensorType(element: element, shape: shape), limits: limits, at: offset)
    guard !parts.isSegment else {
      throw ModelFormatError(
        .unsupportedLayer, byteOffset: offset, found: "a tensor stored in several parts",
        expected: "one part")
    }
    if parts.isExternal {
      guard let count = element.byteCount(builder.count), element != .string else {
        throw ModelFormatError(
          .invalidWeights, byteOffset: offset, found: "texts in a file beside the model",
          expected: "numbers")
      }
      return builder.constant(try dataFiles.bytes(parts.externalData, count: count))
    }
    if let raw = parts.raw { return try builder.constant(raw: file[raw]) }
    return try typed(parts, builder)
  }

  /// Elements in the field of their type; several types share a field.
  private func typed(
    _ parts: ONNXTensorParts, _ builder: ConstantBuilder
  ) throws(ModelFormatError) -> TensorConstant {
    switch builder.element {
    case .float32:
      // One run, as it stands in the file.
      if parts.floats.count == 1 { return try builder.constant(raw: file[parts.floats[0]]) }
      return try builder.constant(
        raw: StoredBytes(parts.floats.flatMap { file[$0].array }))
    case .float64: return try builder.constant(doubles: parts.doubles)
    case .string: return try builder.constant(strings: parts.strings)
    case .int64: return try builder.constant(integers: parts.integers64)
    case .uint64: return try builder.constant(raw: words(parts.unsigned))
    case .uint32:
      return try builder.constant(integers: parts.unsigned.map(Int64.init(clamping:)))
    case .float16, .bfloat16:
      return try builder.constant(
        raw: words(parts.integers32.map { UInt16(truncatingIfNeeded: $0) }))
    case .int4, .uint4, .uint2, .float8E4M3FN, .float8E5M2:
      return try builder.constant(
        raw: StoredBytes(parts.integers32.map { UInt8(truncatingIfNeeded: $0) }))
    default: return try builder.constant(integers: parts.integers32)
    }
  }

  private func words(_ words: [some FixedWidthInteger]) -> StoredBytes {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(words.count * (words.first?.bitWidth ?? 0) / 8)
    for word in words { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    return StoredBytes(bytes)
  }
}

/// The fields of a tensor.
private struct ONNXTensorParts {
  var name = ""
  var sizes: [Int64] = []
  var type: Int32 = 0
  var raw: Range<Int>?
  var floats: [Range<Int>] = []
  var doubles: [Double] = []
  var integers32: [Int64] = []
  var integers64: [Int64] = []
  var unsigned: [UInt64] = []
  var strings: [String] = []
  var externalData: [ProtobufMessage] = []
  var isExternal = false
  var isSegment = false

  init(_ message: ProtobufMessage, _ limits: ReadingLimits) throws(ModelFormatError) {
    var location: Int32 = 0
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&sizes)
      case 2: field.read(&type)
      case 3: isSegment = true
      case 4: if let range = try field.floatBytes() { floats.append(range) }
      case 5: try field.read(&integers32)
      case 6: try field.read(&strings, limit: limits.labels)
      case 7: try field.read(&integers64)
      case 8: try field.read(&name)
      case 9: field.read(&raw)
      case 10: try field.read(&doubles)
      case 11: try field.read(&unsigned)
      case 13: try field.read(&externalData, limit: limits.stages)
      case 14: field.read(&location)
      default: break
      }
    }
    isExternal = location == 1
    guard sizes.count <= limits.rank else {
      throw ModelFormatError(
        .limitExceeded, byteOffset: message.offset, layerName: name,
        found: "a tensor of \(sizes.count) dimensions", expected: "at most \(limits.rank)")
    }
  }
}
