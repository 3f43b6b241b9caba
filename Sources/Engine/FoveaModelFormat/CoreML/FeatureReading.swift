// Fovea - reading of feature descriptions.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension CoreMLReader {
  func readFeature(_ message: ProtobufMessage) throws(ModelFormatError) -> FeatureDescription {
    var name = ""
    var shortDescription = ""
    var type: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&name)
      case 2: try field.read(&shortDescription)
      case 3: field.read(&type)
      default: break
      }
    }
    guard !name.isEmpty else {
      throw ModelFormatError(
        .missingField, byteOffset: message.offset, fieldPath: "name",
        found: "a feature without a name", expected: "a name")
    }
    // The core's names end at the first null character: two features could have one name there.
    guard !name.utf8.contains(0) else {
      throw ModelFormatError(
        .invalidValue, byteOffset: message.offset, fieldPath: "name",
        found: "a feature whose name has a null character", expected: "a name without")
    }
    var feature = FeatureDescription(
      name: name, shortDescription: shortDescription, type: .unspecified)
    if let type {
      try within("type") { () throws(ModelFormatError) in try readType(type, into: &feature) }
    }
    return feature
  }

  private func readType(
    _ message: ProtobufMessage, into feature: inout FeatureDescription
  ) throws(ModelFormatError) {
    var type = 0
    var content: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1000 { field.read(&feature.isOptional) }
      guard (1...8).contains(field.number), field.wire == .bytes else { continue }
      if field.number != type { content = nil }
      type = field.number
      field.read(&content)
    }
    guard let content else { return }
    switch type {
    case 1: feature.type = .int64
    case 2: feature.type = .double
    case 3: feature.type = .string
    case 4:
      feature.type = try within("imageType") { () throws(ModelFormatError) in
        .image(try readImage(content))
      }
    case 5:
      feature.type = try within("multiArrayType") { () throws(ModelFormatError) in
        .multiArray(try readArray(content))
      }
    case 6: feature.type = .dictionary
    case 7: feature.type = .sequence
    default: feature.type = .state
    }
  }

  /// A range of sizes; a negative upper bound means there is none.
  func readRange(_ message: ProtobufMessage) throws(ModelFormatError) -> SizeRange {
    var lower: UInt64 = 0
    var upper: Int64 = 0
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&lower)
      case 2: field.read(&upper)
      default: break
      }
    }
    let range = SizeRange(
      lower: try size(lower, "lowerBound", atLeast: 0, at: message.offset),
      upper: upper < 0 ? nil : Int(clamping: upper))
    guard range.upper.map({ $0 >= range.lower }) ?? true else {
      throw invalid(
        "", found: "sizes \(lower) to \(upper)", expected: "a range that is not empty",
        at: message.offset)
    }
    return range
  }
}
