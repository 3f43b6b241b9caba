// Fovea - reading of layers that change shapes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension CoreMLReader {
  func readShapeKind(
    _ type: Int, _ message: ProtobufMessage
  ) throws(ModelFormatError) -> LayerKind? {
    let offset = message.offset
    switch type {
    case 300: return .reshape(try readReshape(message))
    case 301: return .flatten(try readOrder(message, field: 1))
    case 310:
      let axes = try readNumbers(message)
      try checkRank(axes.count, 4...4, "axis", at: offset)
      return .permute(axes: try permutation(axes, "axis", at: offset))
    case 320: return .concat(alongSequence: try readFlag(message, field: 100))
    case 330:
      let numbers = try readNumbers(message)
      return .split(count: try size(numbers.last ?? 0, "nOutputs", at: offset))
    case 350: return .slice(try readSlice(message))
    case 920: return .tile(repetitions: try shape(readNumbers(message), "reps", at: offset))
    case 925: return .stack(axis: try readAxis(message))
    case 975: return .splitND(try readSplitND(message))
    case 980:
      return .concatND(
        ConcatNDLayer(
          axis: try readAxis(message), interleaves: try readFlag(message, field: 2)))
    case 985:
      return .transpose(axes: try permutation(readNumbers(message), "axes", at: offset))
    case 995: return .sliceStatic(try readSliceStatic(message))
    case 1085: return .fillStatic(try readFillStatic(message))
    case 1105:
      return .broadcastToStatic(
        shape: try shape(readNumbers(message), "targetShape", at: offset))
    case 1120:
      let squeezesAll = try readFlag(message, field: 2)
      return .squeeze(
        SqueezeLayer(
          axes: squeezesAll ? [] : try readAxes(message), squeezesAll: squeezesAll))
    case 1125: return .expandDimensions(axes: try readAxes(message))
    case 1130: return .flattenTo2D(axis: try readAxis(message))
    case 1140: return .reshapeStatic(shape: try readOpenShape(message, allowsZero: false))
    case 1150: return .rankPreservingReshape(shape: try readOpenShape(message, allowsZero: true))
    case 1155: return .constantPad(try readConstantPad(message))
    default: return nil
    }
  }

  // MARK: Single fields

  /// The unsigned numbers of field 1.
  private func readNumbers(_ message: ProtobufMessage) throws(ModelFormatError) -> [UInt64] {
    var values: [UInt64] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { try field.read(&values) }
    }
    return values
  }

  /// The axes of field 1.
  private func readAxes(_ message: ProtobufMessage) throws(ModelFormatError) -> [Int] {
    let values = try readNumbers(message)
    return try axes(values.map { Int64(bitPattern: $0) }, "axes", at: message.offset)
  }

  private func readFlag(
    _ message: ProtobufMessage, field number: Int
  ) throws(ModelFormatError) -> Bool {
    var flag = false
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == number { field.read(&flag) }
    }
    return flag
  }

  private func readOrder(
    _ message: ProtobufMessage, field number: Int
  ) throws(ModelFormatError) -> ChannelOrder {
    var mode: Int32 = 0
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == number { field.read(&mode) }
    }
    return try enumeration(
      mode, "mode", [0: .channelFirst, 1: .channelLast], at: message.offset)
  }

  /// A shape in which one dimension may be open (-1) and, if allowed, some may be kept (0).
  private func readOpenShape(
    _ message: ProtobufMessage, allowsZero: Bool
  ) throws(ModelFormatError) -> [Int] {
    let values = try readNumbers(message).map { Int64(bitPattern: $0) }
    try checkRank(values.count, 1...limits.rank, "targetShape", at: message.offset)
    var shape: [Int] = []
    for value in values {
      if value == -1, !shape.contains(-1) {
        shape.append(-1)
      } else {
        shape.append(
          try size(value, "targetShape", atLeast: allowsZero ? 0 : 1, at: message.offset))
      }
    }
    _ = try product(shape.filter { $0 > 0 }, "targetShape", at: message.offset)
    return shape
  }

  // MARK: Layers

  private func readReshape(_ message: ProtobufMessage) throws(ModelFormatError) -> ReshapeLayer {
    ReshapeLayer(
      targetShape: try shape(
        readNumbers(message).map { Int64(bitPattern: $0) }, "targetShape", ranks: 3...4,
        at: message.offset),
      order: try readOrder(message, field: 2))
  }

  private func readSlice(_ message: ProtobufMessage) throws(ModelFormatError) -> SliceLayer {
    var (start, end): (Int64, Int64) = (0, 0)
    var stride: UInt64 = 0
    var axis: Int32 = 0
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&start)
      case 2: field.read(&end)
      case 3: field.read(&stride)
      case 4: field.read(&axis)
      default: break
      }
    }
    let offset = message.offset
    // Indices of the same sign count from the same side, so their order can be told.
    if (start < 0) == (end < 0), end <= start {
      throw invalid(
        "", found: "a slice from \(start) to before \(end)", expected: "at least one index",
        at: offset)
    }
    let least = -limits.dimension
    return SliceLayer(
      start: try size(start, "startIndex", atLeast: least, at: offset),
      end: try size(end, "endIndex", atLeast: least, at: offset),
      stride: try size(stride, "stride", at: offset),
      axis: try enumeration(axis, "axis", [0: .channel, 1: .height, 2: .width], at: offset))
  }

  private func readSplitND(_ message: ProtobufMessage) throws(ModelFormatError) -> SplitNDLayer {
    var count: UInt64 = 0
    var sizes: [UInt64] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 2: field.read(&count)
      case 3: try field.read(&sizes)
      default: break
      }
    }
    let offset = message.offset
    var layer = SplitNDLayer(
      axis: try readAxis(message),
      splitCount: sizes.isEmpty ? try size(count, "numSplits", at: offset) : 0)
    guard sizes.count <= limits.features else {
      throw invalid(
        "splitSizes", found: "\(sizes.count) values", expected: "at most \(limits.features)",
        at: offset)
    }
    for value in sizes { layer.splitSizes.append(try size(value, "splitSizes", at: offset)) }
    return layer
  }

  private func readSliceStatic(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> SliceStaticLayer {
    var (begins, ends, strides): ([Int64], [Int64], [Int64]) = ([], [], [])
    var layer = SliceStaticLayer(
      begins: [], beginMasks: [], ends: [], endMasks: [], strides: [])
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&begins)
      case 2: try field.read(&layer.beginMasks)
      case 3: try field.read(&ends)
      case 4: try field.read(&layer.endMasks)
      case 5: try field.read(&strides)
      case 6: try field.read(&layer.squeezeMasks)
      default: break
      }
    }
    let offset = message.offset
    let rank = begins.count
    try checkRank(rank, 1...limits.rank, "beginIds", at: offset)
    try checkRank(ends.count, rank...rank, "endIds", at: offset)
    try checkRank(strides.count, rank...rank, "strides", at: offset)
    try checkRank(layer.beginMasks.count, rank...rank, "beginMasks", at: offset)
    try checkRank(layer.endMasks.count, rank...rank, "endMasks", at: offset)
    // Older files have no squeeze masks at all.
    if layer.squeezeMasks.isEmpty { layer.squeezeMasks = begins.map { _ in false } }
    try checkRank(layer.squeezeMasks.count, rank...rank, "squeezeMasks", at: offset)
    // A dimension of which one index is left takes no steps.
    guard !zip(strides, layer.squeezeMasks).contains(where: { $0 == 0 && !$1 }) else {
      throw invalid("strides", found: "0", expected: "any other number", at: offset)
    }
    // Indices beyond a dimension mean its border, so large ones keep their meaning clamped.
    let range = Int64(-limits.dimension)...Int64(limits.dimension)
    layer.begins = begins.map { Int(min(max($0, range.lowerBound), range.upperBound)) }
    layer.ends = ends.map { Int(min(max($0, range.lowerBound), range.upperBound)) }
    layer.strides = strides.map { Int(min(max($0, range.lowerBound), range.upperBound)) }
    return layer
  }

  private func readFillStatic(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> FillStaticLayer {
    var value: Float = 0
    var target: [UInt64] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&value)
      case 2: try field.read(&target)
      default: break
      }
    }
    return FillStaticLayer(
      value: value, shape: try shape(target, "targetShape", at: message.offset))
  }

  private func readConstantPad(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> ConstantPadLayer {
    var layer = ConstantPadLayer(value: 0, amounts: [])
    var values: [UInt64] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&layer.value)
      case 2: try field.read(&values)
      case 3: field.read(&layer.padsToGivenSize)
      default: break
      }
    }
    let offset = message.offset
    guard values.count % 2 == 0, (2...2 * limits.rank).contains(values.count) else {
      throw invalid(
        "padAmounts", found: "\(values.count) values", expected: "2 for every dimension",
        at: offset)
    }
    for value in values {
      layer.amounts.append(try size(value, "padAmounts", atLeast: 0, at: offset))
    }
    return layer
  }
}
