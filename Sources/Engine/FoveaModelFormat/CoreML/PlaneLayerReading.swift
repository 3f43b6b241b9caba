// Fovea - reading of pooling, borders and resizing.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension CoreMLReader {
  func readPlaneKind(
    _ type: Int, _ message: ProtobufMessage
  ) throws(ModelFormatError) -> LayerKind? {
    switch type {
    case 120: .pooling(try readPooling(message))
    case 190: .crop(try readCrop(message))
    case 200: .padding(try readPadding(message))
    case 210: .upsample(try readUpsample(message))
    case 211: .resizeBilinear(try readResizeBilinear(message))
    case 345: .reorganizeData(try readReorganizeData(message))
    default: nil
    }
  }

  // MARK: Pooling

  private func readPooling(_ message: ProtobufMessage) throws(ModelFormatError) -> PoolingLayer {
    var operation: Int32 = 0
    var (kernel, stride): ([UInt64], [UInt64]) = ([], [])
    var paddingType = 0
    var padding: ProtobufMessage?
    var (excludesPadding, isGlobal) = (false, false)
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&operation)
      case 10: try field.read(&kernel)
      case 20: try field.read(&stride)
      case 30...32:
        guard field.wire == .bytes else { continue }
        if field.number != paddingType { padding = nil }
        paddingType = field.number
        field.read(&padding)
      case 50: field.read(&excludesPadding)
      case 60: field.read(&isGlobal)
      default: break
      }
    }
    let offset = message.offset
    var layer = PoolingLayer(
      operation: try enumeration(
        operation, "type", [0: .maximum, 1: .average, 2: .l2], at: offset),
      windows: nil, excludesPadding: excludesPadding)
    // Converters write a size and a stride of 0 beside globalPooling: they do not count.
    if isGlobal { return layer }
    guard let padding else { throw missingPadding(in: message) }
    layer.windows = PoolingWindows(
      size: try spatialSize(kernel, "kernelSize", default: 3, at: offset),
      stride: try spatialSize(stride, "stride", default: 1, at: offset),
      padding: try readPoolingPadding(paddingType, padding))
    return layer
  }

  private func readPoolingPadding(
    _ type: Int, _ message: ProtobufMessage
  ) throws(ModelFormatError) -> PoolingPadding {
    switch type {
    case 30: return .valid(try readValidPadding(message))
    case 31: return .same(try readSamePadding(message))
    default: break
    }
    var values: [UInt64] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 10 { try field.read(&values) }
    }
    if values.isEmpty { return .includeLastPixel(height: 0, width: 0) }
    try checkRank(values.count, 2...2, "paddingAmounts", at: message.offset)
    return .includeLastPixel(
      height: try size(values[0], "paddingAmounts", atLeast: 0, at: message.offset),
      width: try size(values[1], "paddingAmounts", atLeast: 0, at: message.offset))
  }

  // MARK: Borders

  private func readPadding(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> SpatialPaddingLayer {
    var type = 0
    var content: ProtobufMessage?
    var amounts: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1...3:
        guard field.wire == .bytes else { continue }
        if field.number != type { content = nil }
        type = field.number
        field.read(&content)
      case 10: field.read(&amounts)
      default: break
      }
    }
    guard let content else {
      throw ModelFormatError(
        .missingField, byteOffset: message.offset, found: "no kind of border",
        expected: "constant, reflection or replication")
    }
    let mode: PaddingMode =
      switch type {
      case 1: .constant(try readPair(content).alpha)
      case 2: .reflection
      default: .replication
      }
    return SpatialPaddingLayer(mode: mode, amounts: try readBorderAmounts(amounts))
  }

  private func readCrop(_ message: ProtobufMessage) throws(ModelFormatError) -> CropLayer {
    var amounts: ProtobufMessage?
    var values: [UInt64] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&amounts)
      case 5: try field.read(&values)
      default: break
      }
    }
    var layer = CropLayer(amounts: try readBorderAmounts(amounts))
    try checkRank(values.count, 0...limits.rank, "offset", at: message.offset)
    for value in values {
      layer.offset.append(try size(value, "offset", atLeast: 0, at: message.offset))
    }
    return layer
  }

  // MARK: Resizing

  private func readUpsample(_ message: ProtobufMessage) throws(ModelFormatError) -> UpsampleLayer {
    var whole: [UInt64] = []
    var fractions: [Float] = []
    var (mode, linearMode): (Int32, Int32) = (0, 0)
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&whole)
      case 5: field.read(&mode)
      case 6: field.read(&linearMode)
      case 7: try field.read(&fractions)
      default: break
      }
    }
    let offset = message.offset
    let isBilinear = try enumeration(mode, "mode", [0: false, 1: true], at: offset)
    return UpsampleLayer(
      scale: try upsampleScale(whole, fractions, at: offset),
      mode: isBilinear
        ? .bilinear(
          try enumeration(
            linearMode, "linearUpsampleMode",
            [0: .standard, 1: .alignCorners, 2: .halfPixelCenters], at: offset))
        : .nearestNeighbor)
  }

  private func upsampleScale(
    _ whole: [UInt64], _ fractions: [Float], at offset: Int
  ) throws(ModelFormatError) -> UpsampleScale {
    guard !fractions.isEmpty else {
      return .integer(try spatialSize(whole, "scalingFactor", default: 1, at: offset))
    }
    let name = "fractionalScalingFactor"
    try checkRank(fractions.count, 2...2, name, at: offset)
    for factor in fractions where !(factor > 0 && factor <= Float(limits.imageSide)) {
      throw invalid(
        name, found: "\(factor)", expected: "above 0 and at most \(limits.imageSide)", at: offset)
    }
    return .fractional(height: fractions[0], width: fractions[1])
  }

  private func readResizeBilinear(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> ResizeBilinearLayer {
    var target: [UInt64] = []
    var mode: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&target)
      case 2: field.read(&mode)
      default: break
      }
    }
    var method: Int32 = 0
    if let mode {
      var fields = ProtobufCursor(mode)
      while let field = try fields.next() {
        if field.number == 1 { field.read(&method) }
      }
    }
    return ResizeBilinearLayer(
      targetSize: try spatialSize(target, "targetSize", default: 1, at: message.offset),
      sampling: try enumeration(
        method, "samplingMethod",
        [
          0: .strictAlignEndpoints, 1: .alignEndpoints, 2: .upsample, 3: .regionOfInterestAlign,
        ], at: message.offset))
  }

  private func readReorganizeData(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> ReorganizeDataLayer {
    var mode: Int32 = 0
    var block: UInt64 = 0
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&mode)
      case 2: field.read(&block)
      default: break
      }
    }
    let blockSize = try size(block, "blockSize", at: message.offset)
    _ = try product([blockSize, blockSize], "blockSize", at: message.offset)
    return ReorganizeDataLayer(
      mode: try enumeration(
        mode, "mode", [0: .spaceToDepth, 1: .depthToSpace, 2: .pixelShuffle],
        at: message.offset), blockSize: blockSize)
  }
}
