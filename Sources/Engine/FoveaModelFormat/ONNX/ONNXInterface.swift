// Fovea - the inputs and outputs of ONNX models.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// An input or output of a graph.
struct ONNXValue {
  var name = ""
  /// Sizes that depend on what is given are `nil`.
  var type = TensorType(element: .float32, shape: nil)

  /// Reads a `ValueInfoProto` message.
  init(_ message: ProtobufMessage, _ limits: ReadingLimits) throws(ModelFormatError) {
    var typeMessage: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&name)
      case 2: field.read(&typeMessage)
      default: break
      }
    }
    guard let typeMessage else { return }
    do throws(ModelFormatError) {
      try readType(typeMessage, limits)
    } catch {
      throw error.inLayer(named: name)
    }
  }

  private mutating func readType(
    _ message: ProtobufMessage, _ limits: ReadingLimits
  ) throws(ModelFormatError) {
    var tensor: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&tensor)
      case 4, 5, 7, 8, 9:
        throw ModelFormatError(
          .unsupportedLayer, byteOffset: field.offset,
          found: "'\(ModelText.readable(name))', which is a sequence, a map or a sparse tensor",
          expected: "a dense tensor")
      default: break
      }
    }
    guard let tensor else { return }
    var number: Int32 = 1
    var shape: ProtobufMessage?
    fields = ProtobufCursor(tensor)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&number)
      case 2: field.read(&shape)
      default: break
      }
    }
    type.element = try ONNXReader.elementType(number, at: tensor.offset)
    if let shape { type.shape = try Self.sizes(shape, limits) }
  }

  /// Sizes of dimensions; those that have a name, 0 or nothing are unknown.
  private static func sizes(
    _ message: ProtobufMessage, _ limits: ReadingLimits
  ) throws(ModelFormatError) -> [Int?] {
    var dimensions: [ProtobufMessage] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { try field.read(&dimensions, limit: limits.rank) }
    }
    var sizes: [Int?] = []
    for dimension in dimensions {
      var size: Int64 = 0
      var fields = ProtobufCursor(dimension)
      while let field = try fields.next() {
        if field.number == 1 { field.read(&size) }
        if field.number == 2 { size = 0 }
      }
      sizes.append(
        size <= 0
          ? nil : try limits.checkedDimension(UInt64(size), "\(size)", at: dimension.offset))
    }
    return sizes
  }
}

/// Sizes that inputs have where nobody says otherwise.
struct ONNXDefaultSizes {
  /// Rows and columns of images.
  private let rows: Int
  private let columns: Int

  private static let side = 640
  /// Lines of text, as PaddleOCR's networks read them.
  private static let line = (rows: 48, columns: 320)

  /// - Parameter metadata: Its "imgsz" is "640", or "[480, 640]" as rows and columns; "character" has
  ///   the letters that a network reads, one on each line.
  init(_ metadata: [String: String]) {
    let numbers = (metadata["imgsz"] ?? "").split { !$0.isNumber }.compactMap { Int($0) }
    let isSize = (1...2).contains(numbers.count) && numbers.allSatisfy { (1...65536).contains($0) }
    let letters = (metadata["character"] ?? "").split(separator: "\n")
    let readsText = letters.count > 9 && letters.allSatisfy { $0.count <= 2 }
    rows = isSize ? numbers[0] : readsText ? Self.line.rows : Self.side
    columns = isSize ? numbers[numbers.count - 1] : readsText ? Self.line.columns : Self.side
  }

  /// The sizes with defaults in the place of unknown ones: batches of one, and images.
  func filled(_ shape: [Int?]) -> [Int] {
    var defaults = Array(repeating: 1, count: shape.count)
    if shape.count == 4 {
      let isImage = { (channels: Int?) in channels == 1 || channels == 3 }
      // Rows and columns come last, or before the channels.
      if !isImage(shape[1]), isImage(shape[3]) {
        (defaults[1], defaults[2]) = (rows, columns)
      } else if shape[1] == nil || isImage(shape[1]) {
        (defaults[1], defaults[2], defaults[3]) = (3, rows, columns)
      }
    }
    return zip(shape, defaults).map { $0 ?? $1 }
  }
}

/// Describes inputs and outputs as features.
struct ONNXInterface {
  let defaults: ONNXDefaultSizes
  let limits: ReadingLimits

  /// An input. Sizes that the file leaves open may have any value.
  func input(_ value: ONNXValue) throws(ModelFormatError) -> FeatureDescription {
    guard value.type.element != .string else {
      throw ModelFormatError(
        .unsupportedLayer, fieldPath: "graph.input", layerName: value.name,
        found: "an input of texts", expected: "an array of numbers")
    }
    guard let shape = value.type.shape else {
      throw ModelFormatError(
        .missingField, fieldPath: "graph.input", layerName: value.name,
        found: "an input without a shape", expected: "the number of its dimensions",
        remedy: "Export the model with the shapes of its inputs.")
    }
    var feature = MultiArrayFeature(
      shape: defaults.filled(shape), dataType: Self.dataType(value.type.element))
    _ = try ConstantBuilder(
      TensorType(element: .float32, shape: feature.shape), limits: limits, at: nil)
    if shape.contains(nil) {
      feature.allowedShapes = .ranges(
        shape.map { SizeRange(lower: $0 ?? 1, upper: $0) })
    }
    return FeatureDescription(name: value.name, type: .multiArray(feature))
  }

  /// An output, with its shape where that does not depend on the sizes of inputs.
  func output(_ value: ONNXValue, inputs: [ONNXValue]) -> FeatureDescription {
    let isFixed = inputs.allSatisfy { $0.type.knownShape != nil }
    return FeatureDescription(
      name: value.name,
      type: .multiArray(
        MultiArrayFeature(
          shape: isFixed ? value.type.knownShape ?? [] : [],
          dataType: Self.dataType(value.type.element))))
  }

  private static func dataType(_ element: ElementType) -> MultiArrayFeature.DataType {
    switch element {
    case .float32, .bfloat16: .float32
    case .float64: .double
    case .float16: .float16
    case .int8: .int8
    case _ where element.isInteger || element == .bool: .int32
    default: .unspecified
    }
  }
}
