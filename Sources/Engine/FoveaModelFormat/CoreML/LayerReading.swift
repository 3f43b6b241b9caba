// Fovea - reading of layers.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension CoreMLReader {
  func readLayer(_ message: ProtobufMessage) throws(ModelFormatError) -> NeuralNetworkLayer {
    var layer = NeuralNetworkLayer(
      name: "", inputs: [], outputs: [], kind: .copy, typeName: "")
    var type = 0
    var content: ProtobufMessage?
    var unknownField: Int?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&layer.name)
      case 2: try field.read(&layer.inputs, limit: limits.features)
      case 3: try field.read(&layer.outputs, limit: limits.features)
      case 100...:
        guard field.wire == .bytes, LayerTypeName.name(field.number) != nil else {
          unknownField = field.number
          continue
        }
        if field.number != type { content = nil }
        type = field.number
        field.read(&content)
      default: break
      }
    }
    guard let content, let typeName = LayerTypeName.name(type) else {
      let hint = unknownField.map { " (field \($0) is unknown)" } ?? ""
      throw ModelFormatError(
        .missingField, byteOffset: message.offset, layerName: layer.name,
        found: "a layer without a type" + hint, expected: "a type such as convolution")
    }
    layer.typeName = typeName
    do {
      layer.kind = try within(typeName) { () throws(ModelFormatError) in
        try readKind(type, typeName, content)
      }
      try checkArity(of: layer)
    } catch {
      throw error.inLayer(named: layer.name).at(message.offset)
    }
    return layer
  }

  private func readKind(
    _ type: Int, _ typeName: String, _ content: ProtobufMessage
  ) throws(ModelFormatError) -> LayerKind {
    if let kind = Self.plainKinds[type] { return kind }
    if let kind = try readWeightedKind(type, content) { return kind }
    if let kind = try readArithmeticKind(type, content) { return kind }
    if let kind = try readPlaneKind(type, content) { return kind }
    if let kind = try readShapeKind(type, content) { return kind }
    return .unsupported(typeName: typeName, fieldNumber: type)
  }

  /// The layers whose messages are empty.
  private static let plainKinds: [Int: LayerKind] = [
    175: .softmax, 240: .average, 260: .maximum, 261: .minimum, 600: .copy, 1065: .getShape,
    665: .elementwise(.ceil), 670: .elementwise(.floor), 680: .elementwise(.sign),
    685: .elementwise(.round), 700: .elementwise(.exp2), 710: .elementwise(.sin),
    715: .elementwise(.cos), 720: .elementwise(.tan), 730: .elementwise(.asin),
    735: .elementwise(.acos), 740: .elementwise(.atan), 750: .elementwise(.sinh),
    755: .elementwise(.cosh), 760: .elementwise(.tanh), 770: .elementwise(.asinh),
    775: .elementwise(.acosh), 780: .elementwise(.atanh), 790: .elementwise(.erf),
    865: .broadcastable(.modulo), 870: .broadcastable(.minimum), 875: .broadcastable(.maximum),
    880: .broadcastable(.add), 885: .broadcastable(.power), 890: .broadcastable(.divide),
    895: .broadcastable(.floorDivide), 900: .broadcastable(.multiply),
    905: .broadcastable(.subtract),
  ]
}
