// Fovea - reading of weights.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension CoreMLReader {
  /// Weights of a known number.
  func readWeights(
    _ message: ProtobufMessage?, _ name: String, layout: WeightLayout, in parent: ProtobufMessage,
    allowsSigned: Bool = false
  ) throws(ModelFormatError) -> WeightData {
    let message = try required(message, name, in: parent)
    return try within(name) { () throws(ModelFormatError) in
      let weights = try readWeights(message, allowsSigned: allowsSigned)
      do throws(ModelFormatError) {
        try weights.validate(layout)
      } catch {
        throw error.at(message.offset)
      }
      return weights
    }
  }

  /// Weights whose number only the network's shapes tell, at least one.
  func readWeights(
    _ message: ProtobufMessage?, _ name: String, in parent: ProtobufMessage
  ) throws(ModelFormatError) -> WeightData {
    let message = try required(message, name, in: parent)
    return try within(name) { () throws(ModelFormatError) in
      let weights = try readWeights(message, allowsSigned: false)
      if !weights.encoding.isQuantized, !weights.holds(count: weights.storedValueCount) {
        throw ModelFormatError(
          .invalidWeights, byteOffset: message.offset,
          found: "\(weights.storedByteCount) bytes", expected: "whole values")
      }
      if case .linear(_, let scale, _) = weights.encoding, scale.count != 1 {
        throw ModelFormatError(
          .invalidWeights, byteOffset: message.offset, found: "\(scale.count) scales",
          expected: "1")
      }
      return weights
    }
  }

  private func readWeights(
    _ message: ProtobufMessage, allowsSigned: Bool
  ) throws(ModelFormatError) -> WeightData {
    var floats = ByteRuns(file: message.file)
    var halves: Range<Int>?
    var codes: Range<Int>?
    var signedCodes: Range<Int>?
    var quantization: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: if let run = try field.floatBytes() { floats.append(run, of: message.file) }
      case 2: field.read(&halves)
      case 30: field.read(&codes)
      case 31: field.read(&signedCodes)
      case 40: field.read(&quantization)
      default: break
      }
    }
    let present = [
      ("floatValue", !floats.isEmpty), ("float16Value", !(halves ?? 0..<0).isEmpty),
      ("rawValue", !(codes ?? 0..<0).isEmpty), ("int8RawValue", !(signedCodes ?? 0..<0).isEmpty),
    ].filter(\.1).map(\.0)
    guard present.count == 1, let kind = present.first else {
      throw ModelFormatError(
        .invalidWeights, byteOffset: message.offset,
        found: present.isEmpty ? "no weights" : present.joined(separator: " and "),
        expected: "exactly one of floatValue, float16Value, rawValue, int8RawValue")
    }
    switch kind {
    case "floatValue":
      return WeightData(bytes: floats.bytes, segments: floats.segments, encoding: .float32)
    case "float16Value":
      return WeightData(bytes: message.file, segments: [halves ?? 0..<0], encoding: .float16)
    default: break
    }
    guard let quantization else {
      throw ModelFormatError(
        .invalidWeights, byteOffset: message.offset, found: "\(kind) without quantization",
        expected: "the bits and the table or scale of the codes")
    }
    let isSigned = kind == "int8RawValue"
    let encoding = try within("quantization") { () throws(ModelFormatError) in
      isSigned ? try readSigned(quantization) : try readQuantization(quantization)
    }
    guard !isSigned || allowsSigned else {
      throw ModelFormatError(
        .invalidWeights, byteOffset: message.offset, found: "int8RawValue",
        expected: "rawValue, since the layer does not set int8DynamicQuantize")
    }
    return WeightData(
      bytes: message.file, segments: [(isSigned ? signedCodes : codes) ?? 0..<0],
      encoding: encoding)
  }

  private func readSigned(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> WeightEncoding {
    if case .linear(let bits, let scale, let bias) = try readQuantization(message),
      bits == 8, scale.count == 1, bias.isEmpty
    {
      return .signedLinear(scale: scale[0])
    }
    throw ModelFormatError(
      .invalidWeights, byteOffset: message.offset, found: "another quantization of int8RawValue",
      expected: "8 bits with one scale and no bias")
  }

  private func readQuantization(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> WeightEncoding {
    var bits: UInt64 = 0
    var linear: ProtobufMessage?
    var table: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&bits)
      case 101 where field.wire == .bytes:
        table = nil
        field.read(&linear)
      case 102 where field.wire == .bytes:
        linear = nil
        field.read(&table)
      default: break
      }
    }
    guard (1...8).contains(bits) else {
      throw ModelFormatError(
        .invalidWeights, byteOffset: message.offset, fieldPath: "numberOfBits",
        found: "codes of \(bits) bits", expected: "1 to 8 bits")
    }
    if let table { return try readTable(table, bits: Int(bits)) }
    if let linear { return try readLinear(linear, bits: Int(bits)) }
    throw ModelFormatError(
      .invalidWeights, byteOffset: message.offset, found: "no table and no scale",
      expected: "one of them")
  }

  private func readTable(
    _ message: ProtobufMessage, bits: Int
  ) throws(ModelFormatError) -> WeightEncoding {
    var table: [Float] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { try field.read(&table) }
    }
    let encoding = WeightEncoding.lookupTable(bits: bits, table: table)
    try encoding.validate(channelCount: 1, at: message.offset)
    return encoding
  }

  private func readLinear(
    _ message: ProtobufMessage, bits: Int
  ) throws(ModelFormatError) -> WeightEncoding {
    var scale: [Float] = []
    var bias: [Float] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&scale)
      case 2: try field.read(&bias)
      default: break
      }
    }
    let encoding = WeightEncoding.linear(bits: bits, scale: scale, bias: bias)
    try encoding.validate(channelCount: max(scale.count, 1), at: message.offset)
    return encoding
  }
}

/// Runs of bytes of a file, copied together when they become many.
///
/// An array written float by float has a run for each of them, and a range takes more memory
/// than the float.
private struct ByteRuns {
  private(set) var bytes: [UInt8]
  private(set) var segments: [Range<Int>] = []
  private var isCopied = false

  private static let manyRuns = 16

  init(file: [UInt8]) {
    bytes = file
  }

  var isEmpty: Bool { segments.isEmpty }

  mutating func append(_ run: Range<Int>, of file: [UInt8]) {
    if run.isEmpty { return }
    if isCopied {
      bytes.append(contentsOf: file[run])
      segments = [bytes.indices]
    } else if segments.count == Self.manyRuns {
      bytes = segments.flatMap { file[$0] } + file[run]
      segments = [bytes.indices]
      isCopied = true
    } else {
      segments.append(run)
    }
  }
}
