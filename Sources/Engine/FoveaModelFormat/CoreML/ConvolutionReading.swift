// Fovea - reading of convolutions and of the borders of spatial layers.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension CoreMLReader {
  func readConvolution(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> ConvolutionLayer {
    let fields = try ConvolutionFields(message)
    let offset = message.offset
    let outputs = try size(fields.outputChannels, "outputChannels", at: offset)
    let channels = try size(fields.kernelChannels, "kernelChannels", at: offset)
    let groups = fields.groups == 0 ? 1 : try size(fields.groups, "nGroups", at: offset)
    let kernel = try spatialSize(fields.kernelSize, "kernelSize", default: 3, at: offset)
    let stride = try spatialSize(fields.stride, "stride", default: 1, at: offset)
    let dilation =
      fields.isDeconvolution
      ? SpatialSize(height: 1, width: 1)
      : try spatialSize(fields.dilation, "dilationFactor", default: 1, at: offset)
    guard outputs % groups == 0, !fields.isDeconvolution || channels % groups == 0 else {
      throw invalid(
        "nGroups", found: "\(groups) groups for \(outputs) output channels",
        expected: "a number that divides the channels", at: offset)
    }
    for (kernel, dilation) in [
      (kernel.height, dilation.height), (kernel.width, dilation.width),
    ]
    where (kernel - 1).multipliedReportingOverflow(by: dilation).overflow
      || (kernel - 1) * dilation >= limits.dimension
    {
      throw invalid(
        "dilationFactor", found: "a kernel of \(kernel) samples \(dilation) apart",
        expected: "at most \(limits.dimension) in all", at: offset)
    }
    let shape =
      fields.isDeconvolution
      ? [channels, outputs / groups, kernel.height, kernel.width]
      : [outputs, channels, kernel.height, kernel.width]
    _ = try product(shape, "weights", at: offset)
    // Channels of a convolution also multiply with the groups.
    _ = try product([channels, groups], "kernelChannels", at: offset)
    let outputShape =
      fields.isDeconvolution && !fields.outputShape.isEmpty
      ? try spatialSize(fields.outputShape, "outputShape", default: nil, at: offset) : nil
    var layer = ConvolutionLayer(
      outputChannels: outputs, kernelChannels: channels, groups: groups, kernelSize: kernel,
      stride: stride, dilation: dilation,
      padding: try readConvolutionPadding(
        valid: fields.valid, same: fields.same, countsAmounts: outputShape == nil, in: message),
      isDeconvolution: fields.isDeconvolution, outputShape: outputShape,
      weights: WeightData(bytes: [], segments: [], encoding: .float32))
    layer.weights = try readWeights(
      fields.weights, "weights", layout: layer.weightLayout, in: message)
    if fields.hasBias {
      layer.bias = try readWeights(
        fields.bias, "bias", layout: WeightLayout(count: outputs), in: message)
    }
    return layer
  }

  /// An output shape overrides the amounts of `valid`; `same` still says which side is cut more.
  private func readConvolutionPadding(
    valid: ProtobufMessage?, same: ProtobufMessage?, countsAmounts: Bool,
    in message: ProtobufMessage
  ) throws(ModelFormatError) -> ConvolutionPadding {
    if let same { return .same(try readSamePadding(same)) }
    guard countsAmounts else { return .valid(BorderAmounts()) }
    guard let valid else { throw missingPadding(in: message) }
    return .valid(try readValidPadding(valid))
  }

  func missingPadding(in message: ProtobufMessage) -> ModelFormatError {
    ModelFormatError(
      .missingField, byteOffset: message.offset, found: "no kind of padding",
      expected: "'valid' or 'same'")
  }

  func readValidPadding(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> BorderAmounts {
    var amounts: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { field.read(&amounts) }
    }
    return try readBorderAmounts(amounts)
  }

  /// Amounts for rows and then columns, or none.
  func readBorderAmounts(
    _ message: ProtobufMessage?
  ) throws(ModelFormatError) -> BorderAmounts {
    guard let message else { return BorderAmounts() }
    var edges: [ProtobufMessage] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 10 { try field.read(&edges, limit: limits.rank) }
    }
    if edges.isEmpty { return BorderAmounts() }
    try checkRank(edges.count, 2...2, "borderAmounts", at: message.offset)
    let rows = try readEdgeSizes(edges[0])
    let columns = try readEdgeSizes(edges[1])
    return BorderAmounts(
      top: rows.start, bottom: rows.end, left: columns.start, right: columns.end)
  }

  private func readEdgeSizes(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> (start: Int, end: Int) {
    var (start, end): (UInt64, UInt64) = (0, 0)
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&start)
      case 2: field.read(&end)
      default: break
      }
    }
    return (
      try size(start, "startEdgeSize", atLeast: 0, at: message.offset),
      try size(end, "endEdgeSize", atLeast: 0, at: message.offset)
    )
  }

  func readSamePadding(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> SamePaddingHeaviness {
    var mode: Int32 = 0
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { field.read(&mode) }
    }
    return try enumeration(
      mode, "asymmetryMode", [0: .bottomRight, 1: .topLeft], at: message.offset)
  }
}

/// The fields of a convolution as they stand in the file.
private struct ConvolutionFields {
  var outputChannels: UInt64 = 0
  var kernelChannels: UInt64 = 0
  var groups: UInt64 = 0
  var kernelSize: [UInt64] = []
  var stride: [UInt64] = []
  var dilation: [UInt64] = []
  var outputShape: [UInt64] = []
  var valid: ProtobufMessage?
  var same: ProtobufMessage?
  var isDeconvolution = false
  var hasBias = false
  var weights: ProtobufMessage?
  var bias: ProtobufMessage?

  init(_ message: ProtobufMessage) throws(ModelFormatError) {
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&outputChannels)
      case 2: field.read(&kernelChannels)
      case 10: field.read(&groups)
      case 20: try field.read(&kernelSize)
      case 30: try field.read(&stride)
      case 40: try field.read(&dilation)
      case 50 where field.wire == .bytes:
        same = nil
        field.read(&valid)
      case 51 where field.wire == .bytes:
        valid = nil
        field.read(&same)
      case 60: field.read(&isDeconvolution)
      case 70: field.read(&hasBias)
      case 90: field.read(&weights)
      case 91: field.read(&bias)
      case 100: try field.read(&outputShape)
      default: break
      }
    }
  }
}
