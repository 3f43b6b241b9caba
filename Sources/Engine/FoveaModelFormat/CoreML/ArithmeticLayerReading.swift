// Fovea - reading of element-wise layers, reductions and normalization without weights.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension CoreMLReader {
  func readArithmeticKind(
    _ type: Int, _ message: ProtobufMessage
  ) throws(ModelFormatError) -> LayerKind? {
    switch type {
    case 130: return .activation(try readActivation(message))
    case 165: return .meanVarianceNormalization(try readMeanVariance(message))
    case 170:
      let epsilon = try readPair(message).alpha
      return .l2Normalization(L2NormalizationLayer(epsilon: epsilon == 0 ? 1e-6 : epsilon))
    case 180: return .localResponseNormalization(try readLocalResponse(message))
    case 220: return .unary(try readUnary(message))
    case 230: return .add(alpha: try readPair(message).alpha)
    case 231: return .multiply(alpha: try readPair(message).alpha)
    case 280: return .reduce(try readReduce(message))
    case 660:
      let (minimum, maximum) = try readPair(message)
      return .clip(ClipLayer(minimum: minimum, maximum: maximum))
    case 795: return .gelu(try readGELU(message))
    case 950: return .softmaxND(axis: try readAxis(message))
    case 1250...1295:
      guard let operation = Self.reductions[type] else { return nil }
      return .reduceAxes(try readReduceAxes(message, operation))
    case 1460:
      let (alpha, beta) = try readPair(message)
      return .clampedReLU(ClampedReLULayer(alpha: alpha, beta: beta))
    default: return nil
    }
  }

  private static let reductions: [Int: ReduceOperation] = [
    1250: .l1, 1255: .l2, 1260: .maximum, 1265: .minimum, 1270: .sum, 1275: .product, 1280: .mean,
    1285: .logSum, 1290: .sumOfSquares, 1295: .logSumExp,
  ]

  /// Floats in fields 1 and 2.
  func readPair(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> (alpha: Float, beta: Float) {
    var (alpha, beta): (Float, Float) = (0, 0)
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&alpha)
      case 2: field.read(&beta)
      default: break
      }
    }
    return (alpha, beta)
  }

  /// An axis in field 1.
  func readAxis(_ message: ProtobufMessage) throws(ModelFormatError) -> Int {
    var value: Int64 = 0
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { field.read(&value) }
    }
    return try axis(value, "axis", at: message.offset)
  }

  private func readMeanVariance(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> MeanVarianceNormalizationLayer {
    var layer = MeanVarianceNormalizationLayer(epsilon: 0)
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&layer.acrossChannels)
      case 2: field.read(&layer.normalizesVariance)
      case 3: field.read(&layer.epsilon)
      default: break
      }
    }
    if layer.epsilon == 0 { layer.epsilon = 1e-5 }
    return layer
  }

  private func readLocalResponse(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> LocalResponseNormalizationLayer {
    var (alpha, beta, k): (Float, Float, Float) = (0, 0, 0)
    var localSize: UInt64 = 0
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&alpha)
      case 2: field.read(&beta)
      case 3: field.read(&localSize)
      case 4: field.read(&k)
      default: break
      }
    }
    return LocalResponseNormalizationLayer(
      alpha: alpha, beta: beta, size: try size(localSize, "localSize", at: message.offset),
      k: k == 0 ? 1 : k)
  }

  private func readUnary(_ message: ProtobufMessage) throws(ModelFormatError) -> UnaryFunctionLayer
  {
    var operation: Int32 = 0
    var layer = UnaryFunctionLayer(operation: .absolute, epsilon: 0, scale: 0)
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&operation)
      case 2: field.read(&layer.alpha)
      case 3: field.read(&layer.epsilon)
      case 4: field.read(&layer.shift)
      case 5: field.read(&layer.scale)
      default: break
      }
    }
    if layer.epsilon == 0 { layer.epsilon = 1e-6 }
    if layer.scale == 0 { layer.scale = 1 }
    layer.operation = try enumeration(
      operation, "type",
      [
        0: .squareRoot, 1: .reciprocalSquareRoot, 2: .inverse, 3: .power, 4: .exponential,
        5: .logarithm, 6: .absolute, 7: .threshold,
      ], at: message.offset)
    return layer
  }

  private func readGELU(_ message: ProtobufMessage) throws(ModelFormatError) -> GELUMode {
    var mode: Int32 = 0
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { field.read(&mode) }
    }
    return try enumeration(
      mode, "mode", [0: .exact, 1: .tanhApproximation, 2: .sigmoidApproximation],
      at: message.offset)
  }

  // MARK: Reductions

  private func readReduce(_ message: ProtobufMessage) throws(ModelFormatError) -> ReduceLayer {
    var (mode, axis): (Int32, Int32) = (0, 0)
    var epsilon: Float = 0
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&mode)
      case 2: field.read(&epsilon)
      case 3: field.read(&axis)
      default: break
      }
    }
    let operations: [Int32: ReduceOperation] = [
      0: .sum, 1: .mean, 2: .product, 3: .logSum, 4: .sumOfSquares, 5: .l1, 6: .l2, 7: .maximum,
      8: .minimum, 9: .argMaximum,
    ]
    let axes: [Int32: ReduceAxis] = [
      0: .channelHeightWidth, 1: .heightWidth, 2: .channel, 3: .height, 4: .width,
    ]
    return ReduceLayer(
      operation: try enumeration(mode, "mode", operations, at: message.offset),
      axis: try enumeration(axis, "axis", axes, at: message.offset),
      epsilon: epsilon == 0 ? 1e-6 : epsilon)
  }

  /// The messages of all these reductions have the same fields.
  private func readReduceAxes(
    _ message: ProtobufMessage, _ operation: ReduceOperation
  ) throws(ModelFormatError) -> ReduceAxesLayer {
    var values: [Int64] = []
    var layer = ReduceAxesLayer(
      operation: operation, axes: [], keepsDimensions: false, reducesAll: false)
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&values)
      case 2: field.read(&layer.keepsDimensions)
      case 3: field.read(&layer.reducesAll)
      default: break
      }
    }
    if layer.reducesAll { return layer }
    layer.axes = try axes(values, "axes", at: message.offset)
    if layer.axes.isEmpty {
      throw invalid("axes", found: "no axes", expected: "axes or reduceAll", at: message.offset)
    }
    return layer
  }

  // MARK: Activations

  private func readActivation(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> ActivationFunction {
    var type = 0
    var content: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      guard Self.activations.contains(field.number), field.wire == .bytes else { continue }
      if field.number != type { content = nil }
      type = field.number
      field.read(&content)
    }
    guard let content else {
      throw ModelFormatError(
        .missingField, byteOffset: message.offset, found: "an activation without a function",
        expected: "a function such as leakyReLU")
    }
    return try readFunction(type, content)
  }

  private static let activations: Set<Int> = [5, 10, 15, 20, 25, 30, 31, 40, 41, 50, 60, 70, 71]

  private func readFunction(
    _ type: Int, _ message: ProtobufMessage
  ) throws(ModelFormatError) -> ActivationFunction {
    switch type {
    case 10: return .relu
    case 30: return .tanh
    case 40: return .sigmoid
    case 60: return .softsign
    case 70: return .softplus
    case 25, 71:
      var (alpha, beta): (ProtobufMessage?, ProtobufMessage?)
      var fields = ProtobufCursor(message)
      while let field = try fields.next() {
        switch field.number {
        case 1: field.read(&alpha)
        case 2: field.read(&beta)
        default: break
        }
      }
      let slope = try readWeights(alpha, "alpha", in: message)
      if type == 25 { return .prelu(alpha: slope) }
      return .parametricSoftplus(
        alpha: slope, beta: try readWeights(beta, "beta", in: message))
    default: break
    }
    let (alpha, beta) = try readPair(message)
    switch type {
    case 5: return .linear(alpha: alpha, beta: beta)
    case 15: return .leakyReLU(alpha: alpha)
    case 20: return .thresholdedReLU(alpha: alpha)
    case 31: return .scaledTanh(alpha: alpha, beta: beta)
    case 41: return .hardSigmoid(alpha: alpha, beta: beta)
    default: return .elu(alpha: alpha)
    }
  }
}
