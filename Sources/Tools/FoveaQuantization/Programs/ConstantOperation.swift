// Fovea - operations that give weights.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// Writes an operation that gives weights, in place of one that gave others.
///
/// | weights | operation | CoreML5 to CoreML7 | from CoreML8 on |
/// |---|---|---|---|
/// | numbers | `const` | | |
/// | halves for single precision | `constexpr_cast` | | |
/// | table | `constexpr_lut_to_dense` | codes packed in bytes | codes are elements |
/// | (code - zero) * scale | `constexpr_affine_dequantize` | bytes | |
/// | | `constexpr_blockwise_shift_scale` | | codes are elements |
///
/// Parameters are attributes up to CoreML7, then inputs; those of `constexpr_cast` are always attributes.
struct ConstantOperation {
  private let element: ElementType
  private let shape: [Int]
  private let usesInputs: Bool
  /// The axis of the output channels.
  private let channelAxis: Int
  /// The file of the constant, as the program names it.
  private let file: String
  private var kind = "const"
  private var inputs: [(name: String, value: [UInt8])] = []
  private var attributes: [(name: String, value: [UInt8])] = []

  /// Whether weights need an operation that decodes them.
  static func needsCodes(
    _ weights: WrittenWeights, _ operation: TensorProgram.Operation
  ) -> Bool {
    switch weights {
    case .float32: return false
    case .float16: return type(operation).element == .float32
    case .table, .linear, .shifted: return true
    }
  }

  /// The message of an operation that gives weights.
  ///
  /// - Parameters:
  ///   - operation: The operation that gave the old ones.
  ///   - old: Its message. The results and the name are kept.
  ///   - usesInputs: Whether parameters are inputs.
  ///   - channelAxis: The axis of the output channels.
  ///   - blobs: Where arrays go.
  static func message(
    _ weights: WrittenWeights, replacing operation: TensorProgram.Operation,
    _ old: ProtobufMessage, usesInputs: Bool, channelAxis: Int, _ blobs: inout ProgramBlobs
  ) throws(ModelFormatError) -> [UInt8] {
    var writer = ConstantOperation(
      operation, file: try fileName(of: old), usesInputs: usesInputs, channelAxis: channelAxis)
    writer.fill(weights, &blobs)
    return try writer.message(replacing: old)
  }

  private init(
    _ operation: TensorProgram.Operation, file: String?, usesInputs: Bool, channelAxis: Int
  ) {
    let type = Self.type(operation)
    element = type.element
    shape = type.knownShape ?? []
    self.file = file ?? "@model_path/weights/weight.bin"
    self.usesInputs = usesInputs
    self.channelAxis = channelAxis
  }

  private static func type(_ operation: TensorProgram.Operation) -> TensorType {
    guard case .tensor(let type)? = operation.results.first?.type else {
      return TensorType(element: .float32, shape: nil)
    }
    return type
  }

  // MARK: Weights

  private mutating func fill(_ weights: WrittenWeights, _ blobs: inout ProgramBlobs) {
    switch weights {
    case .float32(let values):
      attributes = [("val", floats(values, shape, &blobs))]
    case .float16(let values):
      let halves = array(Self.halves(values), .float16, shape, &blobs)
      attributes = [("val", halves)]
      if element == .float32 {
        kind = "constexpr_cast"
        attributes = [("output_dtype", ValueMessage.text("fp32")), ("source_val", halves)]
      }
    case .table(let bits, let table, let codes): fill(bits, table: table, codes, &blobs)
    case .shifted(let bits, let scale, let zero, let codes):
      fill(bits, scale: scale, zero, codes, &blobs)
    // Only networks have such codes.
    case .linear: break
    }
  }

  private mutating func fill(
    _ bits: Int, table: [Float], _ codes: [UInt8], _ blobs: inout ProgramBlobs
  ) {
    kind = "constexpr_lut_to_dense"
    let packed = TensorConstant.packed(codes, bits: bits)
    if usesInputs {
      let tableShape = shape.map { _ in 1 } + [table.count, 1]
      inputs = [
        ("indices", array(packed, Self.codes(bits), shape, &blobs)),
        ("lut", floats(table, tableShape, &blobs)),
      ]
    } else {
      attributes = [
        ("indices", array(packed, .uint8, [packed.count], &blobs)),
        ("lut", floats(table, [table.count], &blobs)),
        ("shape", ValueMessage.unsigned(shape)),
      ]
    }
  }

  private mutating func fill(
    _ bits: Int, scale: [Float], _ zero: [UInt8], _ codes: [UInt8], _ blobs: inout ProgramBlobs
  ) {
    let packed = TensorConstant.packed(codes, bits: bits)
    let zeros = TensorConstant.packed(zero, bits: bits)
    let data = array(packed, Self.codes(bits), shape, &blobs)
    if usesInputs {
      kind = "constexpr_blockwise_shift_scale"
      var scaleShape = shape.map { _ in 1 }
      if scale.count > 1 { scaleShape[channelAxis] = scale.count }
      inputs = [
        ("data", data), ("offset", array(zeros, Self.codes(bits), scaleShape, &blobs)),
        ("scale", floats(scale, scaleShape, &blobs)),
      ]
    } else {
      kind = "constexpr_affine_dequantize"
      let scaleShape = scale.count > 1 ? [scale.count] : []
      attributes = [
        ("axis", ValueMessage.integer(channelAxis)), ("quantized_data", data),
        ("scale", floats(scale, scaleShape, &blobs)),
        ("zero_point", array(zeros, Self.codes(bits), scaleShape, &blobs)),
      ]
    }
  }

  // MARK: Arrays

  /// Numbers in the precision of the constant.
  private func floats(_ values: [Float], _ shape: [Int], _ blobs: inout ProgramBlobs) -> [UInt8] {
    if element == .float16 { return array(Self.halves(values), .float16, shape, &blobs) }
    guard values.count >= ProgramBlobs.leastCount else {
      let content = ValueMessage.message { $0.floats(1, values) }
      return ValueMessage.value(ValueMessage.type(element, shape)) { $0.bytes(1, content) }
    }
    var bytes = WireWriter()
    bytes.words(values)
    return array(bytes.output, element, shape, &blobs)
  }

  /// An array in the model file, or a larger one in a file of constants.
  private func array(
    _ bytes: [UInt8], _ element: ElementType, _ shape: [Int], _ blobs: inout ProgramBlobs
  ) -> [UInt8] {
    let type = ValueMessage.type(element, shape)
    let count = shape.reduce(1, *)
    guard count >= ProgramBlobs.leastCount else { return ValueMessage.value(type, raw: bytes) }
    return ValueMessage.value(type, at: blobs.add(bytes, element, count: count, to: file))
  }

  private static func halves(_ values: [Float]) -> [UInt8] {
    values.flatMap { value in
      let half = HalfPrecision.pattern(of: value)
      return [UInt8(truncatingIfNeeded: half), UInt8(truncatingIfNeeded: half >> 8)]
    }
  }

  /// The type of codes of some bits.
  private static func codes(_ bits: Int) -> ElementType {
    switch bits {
    case 1: .uint1
    case 2: .uint2
    case 3: .uint3
    case 4: .uint4
    case 6: .uint6
    default: .uint8
    }
  }

  // MARK: Messages

  private func message(replacing old: ProtobufMessage) throws(ModelFormatError) -> [UInt8] {
    var message = WireWriter()
    message.bytes(1, Array(kind.utf8))
    for (name, value) in inputs {
      let binding = ValueMessage.message { $0.bytes(2, value) }
      let argument = ValueMessage.message { $0.bytes(1, binding) }
      message.bytes(2, Self.entry(name, argument))
    }
    for result in try old.elements(3) { message.bytes(3, Array(result.file[result.first])) }
    for attribute in try old.elements(5) where try attribute.text(1) == "name" {
      message.bytes(5, Array(attribute.file[attribute.first]))
    }
    for (name, value) in attributes { message.bytes(5, Self.entry(name, value)) }
    return message.output
  }

  private static func entry(_ key: String, _ value: [UInt8]) -> [UInt8] {
    ValueMessage.message { entry in
      entry.bytes(1, Array(key.utf8))
      entry.bytes(2, value)
    }
  }

  /// The file that some constant of an operation is in.
  private static func fileName(of operation: ProtobufMessage) throws(ModelFormatError) -> String? {
    var values: [ProtobufMessage] = []
    for attribute in try operation.elements(5) { values += try attribute.elements(2) }
    for entry in try operation.elements(2) {
      for argument in try entry.elements(2) {
        for binding in try argument.elements(1) { values += try binding.elements(2) }
      }
    }
    for value in values {
      if let blob = try value.content(5) { return try blob.text(1) }
    }
    return nil
  }
}
