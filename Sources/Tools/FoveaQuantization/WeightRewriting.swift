// Fovea - a Core ML file with other weights.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelFormat

/// Writes a Core ML file again with other weights.
///
/// Only the values of the weights that are named and the specification versions on the way to them
/// change, and in programs the places of constants in their files. Every other field stands byte for
/// byte where it stood, fields that no specification knows and groups included. A message that the
/// file gives in several pieces becomes one.
package final class WeightRewriter {
  private let replacements: [WeightAddress: WrittenWeights]
  private let programs: ProgramRewriter?
  private var written: Set<WeightAddress> = []

  /// The file `bytes` with `replacements` in place of what stands at their addresses.
  ///
  /// - Throws: When the file breaks the rules of protocol buffers, or has no weights at an address.
  package static func rewrite(
    _ bytes: [UInt8], _ replacements: [WeightAddress: WrittenWeights]
  ) throws(ModelFormatError) -> [UInt8] {
    try rewrite(bytes, replacements, programs: nil)
  }

  /// The same of a file with programs, whose constants `programs` collects.
  static func rewrite(
    _ bytes: [UInt8], _ replacements: [WeightAddress: WrittenWeights], programs: ProgramRewriter?
  ) throws(ModelFormatError) -> [UInt8] {
    let rewriter = WeightRewriter(replacements, programs)
    let output = try rewriter.model(ProtobufMessage(file: bytes), path: [])
    let written = rewriter.written.union(programs?.written ?? [])
    guard written.count == replacements.count else {
      throw ModelFormatError(
        .missingField,
        found: "\(written.count) of \(replacements.count) arrays of weights",
        expected: "all of them")
    }
    return output
  }

  private init(
    _ replacements: [WeightAddress: WrittenWeights], _ programs: ProgramRewriter?
  ) {
    self.replacements = replacements
    self.programs = programs
  }

  // MARK: The way to a layer

  private func model(
    _ message: ProtobufMessage, path: [Int]
  ) throws(ModelFormatError) -> [UInt8] {
    let output = try message.edited(
      fields: [
        SpecificationField.pipelines, SpecificationField.pipelineClassifier,
        SpecificationField.pipelineRegressor,
      ] + SpecificationField.networks + (programs == nil ? [] : [SpecificationField.program])
    ) { (number, content) throws(ModelFormatError) in
      switch number {
      case SpecificationField.pipelines: try pipeline(content, path: path)
      case SpecificationField.pipelineClassifier, SpecificationField.pipelineRegressor:
        try content.edited(fields: [1]) { (_, inner) throws(ModelFormatError) in
          try pipeline(inner, path: path)
        }
      case SpecificationField.program: try programs?.program(content, path: path) ?? []
      default: try network(content, path: path)
      }
    }
    return try Self.raisingVersion(output, to: leastVersion(below: path))
  }

  /// The version of the specification that a model needs for what was written into it.
  private func leastVersion(below path: [Int]) -> Int {
    let networks = replacements.filter { address, _ in
      address.path.starts(with: path) && programs?.versions[address.path] == nil
    }
    let versions =
      networks.map { $0.value.leastVersion }
      + (programs?.versions ?? [:]).filter { $0.key.starts(with: path) }.map(\.value)
    return versions.max() ?? 0
  }

  private func pipeline(
    _ message: ProtobufMessage, path: [Int]
  ) throws(ModelFormatError) -> [UInt8] {
    try message.edited(repeated: 1) { (index, model) throws(ModelFormatError) in
      let path = path + [index]
      guard programs != nil || replacements.contains(where: { $0.key.path.starts(with: path) })
      else { return .kept }
      return .replaced(try self.model(model, path: path))
    }
  }

  private func network(
    _ message: ProtobufMessage, path: [Int]
  ) throws(ModelFormatError) -> [UInt8] {
    try message.edited(repeated: 1) { (index, layer) throws(ModelFormatError) in
      let wanted = replacements.keys.filter { $0.path == path && $0.layer == index }
      guard !wanted.isEmpty else { return .kept }
      return .replaced(
        try layer.edited(
          fields: SpecificationField.weightedLayers
        ) { (_, parameters) throws(ModelFormatError) in
          try parameters.edited(
            fields: wanted.map(\.field)
          ) { (field, weights) throws(ModelFormatError) in
            let address = WeightAddress(path: path, layer: index, field: field)
            written.insert(address)
            return try self.weights(weights, replacements[address])
          }
        })
    }
  }

  private func weights(
    _ message: ProtobufMessage, _ replacement: WrittenWeights?
  ) throws(ModelFormatError) -> [UInt8] {
    var output = WireWriter()
    if let replacement { output.raw(replacement.fields) }
    var isUpdatable = false
    try message.walk { (bytes, field) in
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
    try message.walk { (_, field) in
      if let field, field.number == SpecificationField.version, case .varint(let bits) = field.wire
      {
        version = bits
      }
    }
    if version >= UInt64(least) { return model }
    var output = WireWriter()
    // First, as every library writes it: readers take these bytes for the mark of a model.
    output.integer(SpecificationField.version, least)
    try message.walk { (bytes, field) in
      if field?.number != SpecificationField.version { output.raw(model[bytes]) }
    }
    return output.output
  }
}
