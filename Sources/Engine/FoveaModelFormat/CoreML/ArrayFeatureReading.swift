// Fovea - reading of array features.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension CoreMLReader {
  func readArray(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> MultiArrayFeature {
    var shape: [Int64] = []
    var type: Int32 = 0
    var flexibility = 0
    var flexible: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&shape)
      case 2: field.read(&type)
      case 21, 31:
        guard field.wire == .bytes else { continue }
        if field.number != flexibility { flexible = nil }
        flexibility = field.number
        field.read(&flexible)
      default: break
      }
    }
    let dataType: MultiArrayFeature.DataType = try enumeration(
      type, "dataType",
      [
        0: .unspecified, 65568: .float32, 65600: .double, 65552: .float16, 131104: .int32,
        131080: .int8,
      ], at: message.offset)
    var feature = MultiArrayFeature(
      shape: try arrayShape(shape, at: message.offset), dataType: dataType)
    if let flexible {
      feature.allowedShapes =
        flexibility == 21 ? try readShapes(flexible) : try readShapeRanges(flexible)
    }
    return feature
  }

  /// A shape of an array feature, where 0 stands for nothing found or for no fixed size.
  private func arrayShape(_ values: [Int64], at offset: Int) throws(ModelFormatError) -> [Int] {
    try checkRank(values.count, 0...limits.rank, "shape", at: offset)
    var shape: [Int] = []
    for value in values { shape.append(try size(value, "shape", atLeast: 0, at: offset)) }
    _ = try product(shape, "shape", at: offset)
    return shape
  }

  private func readShapes(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> MultiArrayFeature.AllowedShapes {
    var messages: [ProtobufMessage] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { try field.read(&messages, limit: limits.features) }
    }
    var shapes: [[Int]] = []
    for message in messages {
      var shape: [Int64] = []
      var fields = ProtobufCursor(message)
      while let field = try fields.next() {
        if field.number == 1 { try field.read(&shape) }
      }
      shapes.append(try arrayShape(shape, at: message.offset))
    }
    return .enumerated(shapes)
  }

  private func readShapeRanges(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> MultiArrayFeature.AllowedShapes {
    var messages: [ProtobufMessage] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { try field.read(&messages, limit: limits.rank) }
    }
    var ranges: [SizeRange] = []
    for message in messages { ranges.append(try readRange(message)) }
    return .ranges(ranges)
  }
}
