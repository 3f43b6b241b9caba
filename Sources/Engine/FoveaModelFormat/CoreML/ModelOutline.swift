// Fovea - a model file without its layers.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// A model file without its layers: interface, metadata, stages, labels and suppression, in the
/// encoding of the file itself. A compiled model keeps it beside its own graph.
package enum ModelOutline {
  /// The outline of a file that a reader has accepted.
  ///
  /// - Throws: Where the file breaks the rules of protocol buffers.
  package static func bytes(
    of file: [UInt8], limits: ReadingLimits = ReadingLimits()
  ) throws(ModelFormatError) -> [UInt8] {
    try model(ProtobufMessage(file: file), depth: 0, limits)
  }

  /// The same outline with another function of a program as the one that runs.
  package static func choosing(_ function: String, in outline: [UInt8]) -> [UInt8] {
    // Another piece of the description, whose default function replaces the one before.
    var description: [UInt8] = []
    appendField(21, function.utf8, to: &description)
    var bytes = outline
    appendField(2, description, to: &bytes)
    return bytes
  }

  /// The same outline with another entry in the author's metadata.
  package static func adding(
    _ value: String, as key: String, to outline: [UInt8]
  ) -> [UInt8] {
    var (entry, metadata, description): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    appendField(1, key.utf8, to: &entry)
    appendField(2, value.utf8, to: &entry)
    appendField(100, entry, to: &metadata)
    appendField(100, metadata, to: &description)
    var bytes = outline
    appendField(2, description, to: &bytes)
    return bytes
  }

  // Fields that a reader looks at are copied as they stand. Each occurrence of a field is treated
  // on its own, so that messages in several pieces stay what they mean.

  private static func model(
    _ message: ProtobufMessage, depth: Int, _ limits: ReadingLimits
  ) throws(ModelFormatError) -> [UInt8] {
    guard depth <= limits.pipelineDepth else {
      throw ModelFormatError(
        .limitExceeded, byteOffset: message.offset,
        found: "more than \(limits.pipelineDepth) pipelines inside each other", expected: "fewer")
    }
    return try outline(of: message) { field throws(ModelFormatError) in
      switch CoreMLModelType(rawValue: field.number) {
      case .pipeline: .replaced(try pipeline(field.message, depth, limits))
      case .pipelineClassifier, .pipelineRegressor:
        .replaced(
          try outline(of: field.message) { field throws(ModelFormatError) in
            field.number == 1 ? .replaced(try pipeline(field.message, depth, limits)) : .dropped
          })
      case .neuralNetwork, .neuralNetworkClassifier, .neuralNetworkRegressor:
        .replaced(try network(field.message))
      case .nonMaximumSuppression: .kept
      case .mlProgram: .replaced([])
      // The last kind of model in a file counts; of others it is enough to know that they stood
      // there.
      case .some: .replaced([])
      case nil: [1, 2].contains(field.number) ? .kept : .dropped
      }
    }
  }

  private static func pipeline(
    _ message: ProtobufMessage, _ depth: Int, _ limits: ReadingLimits
  ) throws(ModelFormatError) -> [UInt8] {
    try outline(of: message) { field throws(ModelFormatError) in
      switch field.number {
      case 1: .replaced(try model(field.message, depth: depth + 1, limits))
      case 2: .kept
      default: .dropped
      }
    }
  }

  /// Everything but layers, and the pixels of mean images.
  private static func network(_ message: ProtobufMessage) throws(ModelFormatError) -> [UInt8] {
    try outline(of: message) { field throws(ModelFormatError) in
      switch field.number {
      case 2:
        .replaced(
          try outline(of: field.message) { $0.number == 11 ? .replaced([]) : .kept })
      case 5, 6, 100, 101, 200: .kept
      default: .dropped
      }
    }
  }

  // MARK: Fields

  private enum Treatment {
    case kept
    case dropped
    /// A message of these bytes, for fields that are messages.
    case replaced([UInt8])
  }

  private static func outline(
    of message: ProtobufMessage,
    _ treatment: (ProtobufField) throws(ModelFormatError) -> Treatment
  ) throws(ModelFormatError) -> [UInt8] {
    var bytes: [UInt8] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch try treatment(field) {
      case .kept: bytes += field.file[field.offset..<field.payload.upperBound]
      case .dropped: break
      case .replaced(let content):
        guard field.wire == .bytes else { continue }
        appendField(field.number, content, to: &bytes)
      }
    }
    return bytes
  }

  /// Appends a field that is a message or a text.
  static func appendField(_ number: Int, _ content: some Collection<UInt8>, to bytes: inout [UInt8])
  {
    appendVarint(UInt64(number) << 3 | 2, to: &bytes)
    appendVarint(UInt64(content.count), to: &bytes)
    bytes += content
  }

  /// Appends a number in groups of 7 bits.
  static func appendVarint(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

extension ProtobufField {
  /// The field's content as a message; an empty one where it is none.
  fileprivate var message: ProtobufMessage {
    ProtobufMessage(
      file: file, range: wire == .bytes ? payload : payload.lowerBound..<payload.lowerBound)
  }
}

extension ModelDescription {
  /// Reads an outline: a model whose networks have no layers.
  ///
  /// - Throws: As `init(bytes:limits:describesUnsupportedModels:)`.
  package init(
    outline: [UInt8], limits: ReadingLimits = ReadingLimits()
  ) throws(ModelFormatError) {
    let reader = CoreMLReader(
      limits: limits, describesUnsupportedModels: false, readsOutlines: true)
    self = try reader.readModel(ProtobufMessage(file: outline), depth: 0)
  }
}
