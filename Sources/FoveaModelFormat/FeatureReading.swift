// Fovea - reading of feature descriptions.
// SPDX-License-Identifier: Apache-2.0

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

  // MARK: Pictures

  private func readImage(_ message: ProtobufMessage) throws(ModelFormatError) -> ImageFeature {
    var width: Int64 = 0
    var height: Int64 = 0
    var color: Int32 = 0
    var flexibility = 0
    var flexible: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&width)
      case 2: field.read(&height)
      case 3: field.read(&color)
      case 21, 31:
        guard field.wire == .bytes else { continue }
        if field.number != flexibility { flexible = nil }
        flexibility = field.number
        field.read(&flexible)
      default: break
      }
    }
    let colorSpace: ImageFeature.ColorSpace = try enumeration(
      color, "colorSpace", [10: .grayscale, 20: .rgb, 30: .bgr, 40: .grayscaleFloat16],
      at: message.offset)
    var allowed = ImageFeature.AllowedSizes.fixed
    if let flexible {
      allowed =
        flexibility == 21 ? try readImageSizes(flexible) : try readImageRange(flexible)
    }
    // A flexible picture may leave its default size out.
    if width == 0 && height == 0, let size = allowed.leastSize {
      (width, height) = (Int64(size.width), Int64(size.height))
    }
    let size = try imageSize(width, height, at: message.offset)
    return ImageFeature(
      width: size.width, height: size.height, colorSpace: colorSpace, allowedSizes: allowed)
  }

  private func imageSize(
    _ width: Int64, _ height: Int64, at offset: Int
  ) throws(ModelFormatError) -> ImageFeature.Size {
    let sides = 1...Int64(limits.imageSide)
    guard sides.contains(width), sides.contains(height),
      width.multipliedReportingOverflow(by: height).partialValue <= limits.imagePixels
    else {
      throw invalid(
        "", found: "a picture of \(width) x \(height) pixels",
        expected: "1 to \(limits.imageSide) a side and at most \(limits.imagePixels) in all",
        at: offset)
    }
    return ImageFeature.Size(width: Int(width), height: Int(height))
  }

  private func readImageSizes(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> ImageFeature.AllowedSizes {
    var sizes: [ProtobufMessage] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { try field.read(&sizes, limit: limits.features) }
    }
    var allowed: [ImageFeature.Size] = []
    for size in sizes {
      var width: Int64 = 0
      var height: Int64 = 0
      var fields = ProtobufCursor(size)
      while let field = try fields.next() {
        switch field.number {
        case 1: field.read(&width)
        case 2: field.read(&height)
        default: break
        }
      }
      allowed.append(try imageSize(width, height, at: size.offset))
    }
    guard !allowed.isEmpty else {
      throw invalid(
        "enumeratedSizes", found: "no sizes", expected: "at least one", at: message.offset)
    }
    return .enumerated(allowed)
  }

  private func readImageRange(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> ImageFeature.AllowedSizes {
    var width: ProtobufMessage?
    var height: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&width)
      case 2: field.read(&height)
      default: break
      }
    }
    return .range(
      width: try readRange(try required(width, "widthRange", in: message)),
      height: try readRange(try required(height, "heightRange", in: message)))
  }

  private func readRange(_ message: ProtobufMessage) throws(ModelFormatError) -> SizeRange {
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

  // MARK: Arrays

  private func readArray(
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

extension ImageFeature.AllowedSizes {
  /// The size to take where a file leaves the default out.
  fileprivate var leastSize: ImageFeature.Size? {
    switch self {
    case .fixed: nil
    case .enumerated(let sizes): sizes.first
    case .range(let width, let height):
      ImageFeature.Size(width: max(width.lower, 1), height: max(height.lower, 1))
    }
  }
}
