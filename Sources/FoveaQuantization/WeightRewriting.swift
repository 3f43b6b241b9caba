// Fovea - a Core ML file with other weights.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelFormat

/// Writes a Core ML file again with other weights.
///
/// Only the values of the weights that are named and the specification versions on the way to them
/// change. Every other field stands byte for byte where it stood, fields that no specification knows and
/// groups included. A message that the file gives in several pieces becomes one.
package struct WeightRewriter {
  private let replacements: [WeightAddress: WrittenWeights]
  private var written: Set<WeightAddress> = []

  /// The file `bytes` with `replacements` in place of what stands at their addresses.
  ///
  /// - Throws: When the file breaks the rules of protocol buffers, or has no weights at an address.
  package static func rewrite(
    _ bytes: [UInt8], _ replacements: [WeightAddress: WrittenWeights]
  ) throws(ModelFormatError) -> [UInt8] {
    var rewriter = WeightRewriter(replacements: replacements)
    let output = try rewriter.model(ProtobufMessage(file: bytes), path: [])
    guard rewriter.written.count == replacements.count else {
      throw ModelFormatError(
        .missingField,
        found: "\(rewriter.written.count) of \(replacements.count) arrays of weights",
        expected: "all of them")
    }
    return output
  }

  private init(replacements: [WeightAddress: WrittenWeights]) { self.replacements = replacements }

  // MARK: The way to a layer

  private mutating func model(
    _ message: ProtobufMessage, path: [Int]
  ) throws(ModelFormatError) -> [UInt8] {
    let version =
      replacements.filter { $0.key.path.starts(with: path) }
      .map { $0.value.leastVersion }.max() ?? 0
    let output = try edited(
      message,
      fields: [
        SpecificationField.pipelines, SpecificationField.pipelineClassifier,
        SpecificationField.pipelineRegressor,
      ] + SpecificationField.networks
    ) { (rewriter, number, content) throws(ModelFormatError) in
      switch number {
      case SpecificationField.pipelines: try rewriter.pipeline(content, path: path)
      case SpecificationField.pipelineClassifier, SpecificationField.pipelineRegressor:
        try rewriter.edited(content, fields: [1]) { (inner, _, pipeline) throws(ModelFormatError) in
          try inner.pipeline(pipeline, path: path)
        }
      default: try rewriter.network(content, path: path)
      }
    }
    return try Self.raisingVersion(output, to: version)
  }

  private mutating func pipeline(
    _ message: ProtobufMessage, path: [Int]
  ) throws(ModelFormatError) -> [UInt8] {
    try edited(message, repeated: 1) { (rewriter, index, model) throws(ModelFormatError) in
      let path = path + [index]
      guard rewriter.replacements.contains(where: { $0.key.path.starts(with: path) }) else {
        return nil
      }
      return try rewriter.model(model, path: path)
    }
  }

  private mutating func network(
    _ message: ProtobufMessage, path: [Int]
  ) throws(ModelFormatError) -> [UInt8] {
    try edited(message, repeated: 1) { (rewriter, index, layer) throws(ModelFormatError) in
      let wanted = rewriter.replacements.keys.filter { $0.path == path && $0.layer == index }
      guard !wanted.isEmpty else { return nil }
      return try rewriter.edited(
        layer, fields: SpecificationField.weightedLayers
      ) { (rewriter, _, parameters) throws(ModelFormatError) in
        try rewriter.edited(
          parameters, fields: wanted.map(\.field)
        ) { (rewriter, field, weights) throws(ModelFormatError) in
          let address = WeightAddress(path: path, layer: index, field: field)
          rewriter.written.insert(address)
          return try rewriter.weights(weights, rewriter.replacements[address])
        }
      }
    }
  }

  private func weights(
    _ message: ProtobufMessage, _ replacement: WrittenWeights?
  ) throws(ModelFormatError) -> [UInt8] {
    var output = WireWriter()
    if let replacement { output.raw(replacement.fields) }
    var isUpdatable = false
    try Self.walk(message) { (bytes, field) in
      if let field, field.number == SpecificationField.isUpdatable, case .varint(1...) = field.wire
      {
        isUpdatable = true
      }
      if field.map({ SpecificationField.weightValues.contains($0.number) }) != true {
        output.raw(message.file[bytes])
      }
    }
    guard !isUpdatable || replacement?.isCoded != true else {
      throw ModelFormatError(
        .invalidWeights, byteOffset: message.offset, found: "weights that the device may train",
        expected: "weights that stay as they are", remedy: "Make the layer not updatable.")
    }
    return output.output
  }

  private static func raisingVersion(
    _ model: [UInt8], to least: Int
  ) throws(ModelFormatError) -> [UInt8] {
    let message = ProtobufMessage(file: model)
    var version: UInt64 = 0
    try walk(message) { (_, field) in
      if let field, field.number == SpecificationField.version, case .varint(let bits) = field.wire
      {
        version = bits
      }
    }
    if version >= UInt64(least) { return model }
    var output = WireWriter()
    // First, as every library writes it: readers take these bytes for the mark of a model.
    output.integer(SpecificationField.version, least)
    try walk(message) { (bytes, field) in
      if field?.number != SpecificationField.version { output.raw(model[bytes]) }
    }
    return output.output
  }

  // MARK: Copying

  /// A message with the content of every singular message among `fields` edited.
  ///
  /// Pieces of one message mean the same as their concatenation; they are written where the last of
  /// them stood, since among alternatives the last one counts. Of alternatives only the one that counts is
  /// edited.
  private mutating func edited(
    _ message: ProtobufMessage, fields: [Int],
    _ edit: (inout WeightRewriter, Int, ProtobufMessage) throws(ModelFormatError) -> [UInt8]
  ) throws(ModelFormatError) -> [UInt8] {
    let wanted = Set(fields)
    var pieces: [Int: ProtobufMessage] = [:]
    var lastPiece: [Int: Int] = [:]
    try Self.walk(message) { (_, field) in
      guard let field, field.wire == .bytes, wanted.contains(field.number) else { return }
      lastPiece[field.number] = field.offset
      if pieces[field.number] == nil {
        pieces[field.number] = ProtobufMessage(file: message.file, range: field.payload)
      } else {
        pieces[field.number]?.merge(field.payload)
      }
    }
    var contents: [Int: [UInt8]] = [:]
    for (number, content) in pieces.sorted(by: { $0.key < $1.key }) {
      contents[number] = try edit(&self, number, content)
    }
    var output = WireWriter()
    try Self.walk(message) { (bytes, field) in
      guard let field, field.wire == .bytes, let content = contents[field.number] else {
        return output.raw(message.file[bytes])
      }
      if lastPiece[field.number] == field.offset { output.bytes(field.number, content) }
    }
    return output.output
  }

  /// A message with the messages of the repeated field `number` edited; `nil` keeps one as it is.
  private mutating func edited(
    _ message: ProtobufMessage, repeated number: Int,
    _ edit: (inout WeightRewriter, Int, ProtobufMessage) throws(ModelFormatError) -> [UInt8]?
  ) throws(ModelFormatError) -> [UInt8] {
    var elements: [Range<Int>] = []
    try Self.walk(message) { (_, field) in
      if let field, field.wire == .bytes, field.number == number { elements.append(field.payload) }
    }
    var contents: [[UInt8]?] = []
    for (index, element) in elements.enumerated() {
      contents.append(try edit(&self, index, ProtobufMessage(file: message.file, range: element)))
    }
    var output = WireWriter()
    var index = 0
    try Self.walk(message) { (bytes, field) in
      guard let field, field.wire == .bytes, field.number == number else {
        return output.raw(message.file[bytes])
      }
      if let content = contents[index] {
        output.bytes(number, content)
      } else {
        output.raw(message.file[bytes])
      }
      index += 1
    }
    return output.output
  }

  /// Calls `visit` for the bytes of every field, tag included, in order; for groups, which the cursor
  /// skips, with their bytes and no field.
  private static func walk(
    _ message: ProtobufMessage, _ visit: (Range<Int>, ProtobufField?) -> Void
  ) throws(ModelFormatError) {
    for piece in [message.first] + message.rest {
      var position = piece.lowerBound
      var cursor = ProtobufCursor(ProtobufMessage(file: message.file, range: piece))
      while let field = try cursor.next() {
        if field.offset > position { visit(position..<field.offset, nil) }
        visit(field.offset..<field.payload.upperBound, field)
        position = field.payload.upperBound
      }
      if position < piece.upperBound { visit(position..<piece.upperBound, nil) }
    }
  }
}
