// Fovea - the description beside a compiled model.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// What `coremldata.bin` of a compiled model says, little-endian:
///
///     0        u32  the kind of model, as the number of its field in a model file
///     4        u32  specification version
///     28       u64  n, then n bytes of text
///     36 + n        the version again, and zeros
///     68 + n   u64  the size of a ModelDescription message, then the message
///
/// The layout is not documented by Apple; it is that of all files that were seen.
struct CompiledDescription {
  let version: Int32
  /// The ModelDescription message.
  let message: ProtobufMessage

  static let fileName = "coremldata.bin"
  private static let textOffset = 36
  private static let textToSize = 32

  /// Reads the parts of a description, but not the message itself.
  init(_ file: [UInt8]) throws(ModelFormatError) {
    guard let length = Self.length(file, at: Self.textOffset - 8) else {
      throw Self.unknownLayout(at: Self.textOffset - 8)
    }
    let sizeOffset = Self.textOffset + length + Self.textToSize
    guard let size = Self.length(file, at: sizeOffset), size > 0 else {
      throw Self.unknownLayout(at: sizeOffset)
    }
    let start = sizeOffset + 8
    version = Int32(bitPattern: file.littleEndian(at: 4))
    message = ProtobufMessage(file: file, range: start..<start + size)
  }

  /// The kind of model that a description belongs to; `nil` where it is none that is known.
  static func type(of file: [UInt8]) -> CoreMLModelType? {
    guard file.count >= 4 else { return nil }
    let number: UInt32 = file.littleEndian(at: 0)
    return CoreMLModelType(rawValue: Int(number))
  }

  /// The names of a pipeline's stages; none where the file is not laid out as those that were seen:
  /// a count, then a length and a text for each. They are for people only.
  static func stageNames(_ file: [UInt8], limit: Int) -> [String] {
    guard file.count >= 8 else { return [] }
    let count: UInt64 = file.littleEndian(at: 0)
    guard count <= UInt64(limit) else { return [] }
    var names: [String] = []
    var position = 8
    for _ in 0..<count {
      guard let length = length(file, at: position),
        let name = String(validating: file[position + 8..<position + 8 + length], as: UTF8.self)
      else { return [] }
      names.append(name)
      position += 8 + length
    }
    return names
  }

  /// A description whose sizes or features make no sense.
  static func unknownLayout(at offset: Int?) -> ModelFormatError {
    ModelFormatError(
      .malformedEncoding, byteOffset: offset, found: "a description in an unknown layout",
      expected: "sizes, colors and names of the model's inputs and outputs",
      remedy: CompiledFolder.openOriginal)
  }

  /// A 64-bit length, where as many bytes follow it.
  private static func length(_ file: [UInt8], at offset: Int) -> Int? {
    guard offset <= file.count - 8 else { return nil }
    let length: UInt64 = file.littleEndian(at: offset)
    return length <= UInt64(file.count - offset - 8) ? Int(length) : nil
  }
}
