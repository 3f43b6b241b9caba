// Fovea - reading of layers with weights.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension CoreMLReader {
  func readWeightedKind(
    _ type: Int, _ message: ProtobufMessage
  ) throws(ModelFormatError) -> LayerKind? {
    switch type {
    case 100: .convolution(try readConvolution(message))
    case 140: .innerProduct(try readInnerProduct(message))
    case 160: .batchNormalization(try readBatchNormalization(message))
    case 245: .scale(try readScale(message))
    case 250: .bias(try readBias(message))
    case 290: .loadConstant(try readConstant(message))
    case 1045: .batchedMatrixProduct(try readBatchedMatrixProduct(message))
    case 1070: .loadConstantND(try readConstant(message))
    case 1350: .layerNormalization(try readLayerNormalization(message))
    default: nil
    }
  }

  private func readInnerProduct(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> InnerProductLayer {
    var (inputs, outputs): (UInt64, UInt64) = (0, 0)
    var (hasBias, quantizesInputs) = (false, false)
    var (weights, bias): (ProtobufMessage?, ProtobufMessage?)
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&inputs)
      case 2: field.read(&outputs)
      case 10: field.read(&hasBias)
      case 20: field.read(&weights)
      case 21: field.read(&bias)
      case 22: field.read(&quantizesInputs)
      default: break
      }
    }
    let offset = message.offset
    let columns = try size(inputs, "inputChannels", at: offset)
    let rows = try size(outputs, "outputChannels", at: offset)
    let layout = WeightLayout(
      count: try product([rows, columns], "weights", at: offset), channelCount: rows,
      channelStride: columns)
    return InnerProductLayer(
      inputChannels: columns, outputChannels: rows,
      weights: try readWeights(
        weights, "weights", layout: layout, in: message, allowsSigned: quantizesInputs),
      bias: hasBias
        ? try readWeights(bias, "bias", layout: WeightLayout(count: rows), in: message) : nil,
      quantizesInputs: quantizesInputs)
  }

  private func readBatchedMatrixProduct(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> BatchedMatrixProductLayer {
    var layer = BatchedMatrixProductLayer()
    var (first, second): (UInt64, UInt64) = (0, 0)
    var hasBias = false
    var (weights, bias): (ProtobufMessage?, ProtobufMessage?)
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&layer.transposesFirst)
      case 2: field.read(&layer.transposesSecond)
      case 5: field.read(&first)
      case 6: field.read(&second)
      case 7: field.read(&hasBias)
      case 8: field.read(&weights)
      case 9: field.read(&bias)
      case 10: field.read(&layer.quantizesInputs)
      default: break
      }
    }
    guard let weights else { return layer }
    let offset = message.offset
    layer.rows = try size(first, "weightMatrixFirstDimension", at: offset)
    layer.columns = try size(second, "weightMatrixSecondDimension", at: offset)
    let layout = WeightLayout(
      count: try product([layer.rows, layer.columns], "weights", at: offset),
      channelCount: layer.columns, channelStride: layer.rows)
    layer.weights = try readWeights(
      weights, "weights", layout: layout, in: message, allowsSigned: layer.quantizesInputs)
    if hasBias {
      layer.bias = try readWeights(
        bias, "bias", layout: WeightLayout(count: layer.columns), in: message)
    }
    return layer
  }

  private func readBatchNormalization(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> BatchNormalizationLayer {
    var channels: UInt64 = 0
    var (computes, isInstance) = (false, false)
    var epsilon: Float = 0
    var (gamma, beta, mean, variance):
      (ProtobufMessage?, ProtobufMessage?, ProtobufMessage?, ProtobufMessage?)
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&channels)
      case 5: field.read(&computes)
      case 6: field.read(&isInstance)
      case 10: field.read(&epsilon)
      case 15: field.read(&gamma)
      case 16: field.read(&beta)
      case 17: field.read(&mean)
      case 18: field.read(&variance)
      default: break
      }
    }
    let count = try size(channels, "channels", at: message.offset)
    let layout = WeightLayout(count: count)
    return BatchNormalizationLayer(
      channels: count, computesMeanAndVariance: computes, instanceNormalization: isInstance,
      epsilon: epsilon == 0 ? 1e-5 : try finite(epsilon, "epsilon", at: message.offset),
      gamma: try readWeights(gamma, "gamma", layout: layout, in: message),
      beta: try readWeights(beta, "beta", layout: layout, in: message),
      mean: computes ? nil : try readWeights(mean, "mean", layout: layout, in: message),
      variance: computes
        ? nil : try readWeights(variance, "variance", layout: layout, in: message))
  }

  private func readScale(_ message: ProtobufMessage) throws(ModelFormatError) -> ScaleLayer {
    var (scaleShape, biasShape): ([UInt64], [UInt64]) = ([], [])
    var (scale, bias): (ProtobufMessage?, ProtobufMessage?)
    var hasBias = false
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&scaleShape)
      case 2: field.read(&scale)
      case 3: field.read(&hasBias)
      case 4: try field.read(&biasShape)
      case 5: field.read(&bias)
      default: break
      }
    }
    let array = try readArray(scale, "scale", scaleShape, "shapeScale", in: message)
    var layer = ScaleLayer(scaleShape: array.shape, scale: array.data)
    if hasBias {
      let array = try readArray(bias, "bias", biasShape, "shapeBias", in: message)
      layer.biasShape = array.shape
      layer.bias = array.data
    }
    return layer
  }

  private func readBias(_ message: ProtobufMessage) throws(ModelFormatError) -> BiasLayer {
    let array = try readShapedArray(message, "bias")
    return BiasLayer(shape: array.shape, bias: array.data)
  }

  private func readConstant(_ message: ProtobufMessage) throws(ModelFormatError) -> ConstantLayer {
    try readShapedArray(message, "data")
  }

  /// A message with a shape in field 1 and as many weights in field 2.
  private func readShapedArray(
    _ message: ProtobufMessage, _ name: String
  ) throws(ModelFormatError) -> ConstantLayer {
    var shape: [UInt64] = []
    var data: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&shape)
      case 2: field.read(&data)
      default: break
      }
    }
    return try readArray(data, name, shape, "shape", in: message)
  }

  private func readArray(
    _ data: ProtobufMessage?, _ name: String, _ values: [UInt64], _ shapeName: String,
    in message: ProtobufMessage
  ) throws(ModelFormatError) -> ConstantLayer {
    let shape = try shape(values, shapeName, at: message.offset)
    let count = try product(shape, shapeName, at: message.offset)
    return ConstantLayer(
      shape: shape,
      data: try readWeights(data, name, layout: WeightLayout(count: count), in: message))
  }

  private func readLayerNormalization(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> LayerNormalizationLayer {
    var values: [Int64] = []
    var epsilon: Float = 0
    var (gamma, beta): (ProtobufMessage?, ProtobufMessage?)
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&values)
      case 2: field.read(&epsilon)
      case 3: field.read(&gamma)
      case 4: field.read(&beta)
      default: break
      }
    }
    let shape = try shape(values, "normalizedShape", at: message.offset)
    let layout = WeightLayout(count: try product(shape, "normalizedShape", at: message.offset))
    return LayerNormalizationLayer(
      shape: shape, epsilon: epsilon,
      gamma: try readWeights(gamma, "gamma", layout: layout, in: message),
      beta: try readWeights(beta, "beta", layout: layout, in: message))
  }
}
