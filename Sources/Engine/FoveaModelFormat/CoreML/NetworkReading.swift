// Fovea - reading of neural networks.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension CoreMLReader {
  func readNetwork(
    _ message: ProtobufMessage, interface: ModelInterface, isClassifier: Bool
  ) throws(ModelFormatError) -> NeuralNetwork {
    var layers: [ProtobufMessage] = []
    var preprocessing: [ProtobufMessage] = []
    var arrayMapping: Int32 = 0
    var imageMapping: Int32 = 0
    var labels = ClassLabelsField()
    var network = NeuralNetwork(layers: [])
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&layers, limit: limits.layers)
      case 2: try field.read(&preprocessing, limit: limits.features)
      case 5: field.read(&arrayMapping)
      case 6: field.read(&imageMapping)
      case 100, 101: if isClassifier { labels.read(field) }
      case 200: if isClassifier { try field.read(&network.labelProbabilityLayerName) }
      default: break
      }
    }
    network.arrayInputShapeMapping = try enumeration(
      arrayMapping, "arrayInputShapeMapping", [0: .rank5, 1: .exact], at: message.offset)
    network.imageInputShapeMapping = try enumeration(
      imageMapping, "imageInputShapeMapping", [0: .rank5, 1: .rank4], at: message.offset)
    network.classLabels = try labels.classLabels(limit: limits.labels)
    for (index, step) in preprocessing.enumerated() {
      try within("preprocessing[\(index)]") { () throws(ModelFormatError) in
        network.preprocessing.append(try readPreprocessing(step))
      }
    }
    network.layers.reserveCapacity(layers.count)
    for (index, layer) in layers.enumerated() {
      try within("layers[\(index)]") { () throws(ModelFormatError) in
        network.layers.append(try readLayer(layer))
      }
    }
    if readsOutlines { return network }
    network.renameInPlaceBlobs(outputs: Set(interface.outputs.map(\.name)))
    try BlobWiring(network, messages: layers).check(
      interface: interface, isClassifier: isClassifier, at: message.offset)
    return network
  }

  // MARK: Preprocessing

  private func readPreprocessing(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> Preprocessing {
    var name = ""
    var kind = 0
    var content: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&name)
      case 10, 11:
        guard field.wire == .bytes else { continue }
        if field.number != kind { content = nil }
        kind = field.number
        field.read(&content)
      default: break
      }
    }
    guard let content else {
      throw ModelFormatError(
        .missingField, byteOffset: message.offset, found: "no kind of preprocessing",
        expected: "a scaler or a mean image")
    }
    return Preprocessing(
      featureName: name,
      kind: kind == 10
        ? .scaler(try readScaler(content)) : .meanImage(try readMeanImage(content)))
  }

  private func readScaler(_ message: ProtobufMessage) throws(ModelFormatError) -> ImageScaler {
    // An absent scale is 0 by the rules of the encoding, and then the image has no effect.
    var scaler = ImageScaler(channelScale: 0)
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 10: field.read(&scaler.channelScale)
      case 20: field.read(&scaler.blueBias)
      case 21: field.read(&scaler.greenBias)
      case 22: field.read(&scaler.redBias)
      case 30: field.read(&scaler.grayBias)
      default: break
      }
    }
    for value in [
      scaler.channelScale, scaler.redBias, scaler.greenBias, scaler.blueBias, scaler.grayBias,
    ] {
      _ = try finite(value, "scaler", at: message.offset)
    }
    return scaler
  }

  private func readMeanImage(_ message: ProtobufMessage) throws(ModelFormatError) -> [Float] {
    var mean: [Float] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { try field.read(&mean) }
    }
    return mean
  }
}
