// Fovea - a Darknet network as a model.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

extension ModelDescription {
  /// Reads a Darknet detector: the file of its layers and that of its weights, which have one name
  /// with the extensions "cfg" and "weights".
  ///
  /// The model is a network that gives "confidence" and "coordinates", and a suppression stage.
  /// Weights are not copied.
  ///
  /// - Parameters:
  ///   - layers: The bytes of the layers; `nil` to find the file in the folder.
  ///   - weights: The bytes of the weights; `nil` to find the file in the folder.
  ///   - fileName: The name of the file that is given.
  ///   - size: The size of pictures; `nil` for the one that the layers state.
  /// - Throws: With the line of the layers, or the byte of the weights, that is at fault.
  package init(
    darknetLayers layers: [UInt8]?, weights: [UInt8]?, fileName: String,
    folder: any ModelFolder, size: ImageFeature.Size?, limits: ReadingLimits
  ) throws(ModelFormatError) {
    let files = DarknetFiles(folder: folder, given: fileName)
    let written: [UInt8]
    if let layers {
      written = layers
    } else {
      written = try files.layers().copied(files.layersName)
    }
    let text = try DarknetText(written, fileName: files.layersName, limits: limits)
    guard let net = text.sections.first else {
      throw ModelFormatError(
        .missingField, fieldPath: files.layersName, found: "no section",
        expected: "[net] and the layers", remedy: DarknetSection.remedy)
    }
    let stored: StoredBytes
    if let weights { stored = StoredBytes(weights) } else { stored = try files.weights() }
    var reader = try DarknetReader(
      net, weights: DarknetWeights(stored, fileName: files.weightsName), size: size,
      limits: limits)
    for section in text.sections.dropFirst() { try reader.read(section) }
    try reader.weights.end()
    let program = try reader.finish(net)
    self = try reader.model(program, labels: files.classLabels(count: reader.heads[0].classes))
  }
}

extension DarknetReader {
  /// Joins the heads, and returns the program.
  fileprivate mutating func finish(
    _ net: DarknetSection
  ) throws(ModelFormatError) -> TensorProgram {
    guard let first = heads.first else {
      throw ModelFormatError(
        .unsupportedModelType, fieldPath: net.fileName, found: "layers without [yolo] or [region]",
        expected: "a detector", remedy: "Fovea reads Darknet's detectors only.")
    }
    let rows = heads.reduce(0) { $0 + $1.rows }
    try join(heads.map(\.confidence), to: Self.confidenceName, [rows, first.classes])
    try join(heads.map(\.coordinates), to: Self.coordinatesName, [rows, 4])
    let channels = image.colorSpace.channelCount
    let input = TensorProgram.Value(
      name: Self.inputName,
      type: .tensor(
        TensorType(element: .float32, shape: [1, channels, image.height, image.width])))
    return TensorProgram(functions: [
      "main": TensorProgram.Function(
        inputs: [input], operationSet: DarknetProgram.operationSet,
        operations: program.operations, outputs: [Self.confidenceName, Self.coordinatesName])
    ])
  }

  private mutating func join(
    _ parts: [TensorProgram.Argument], to name: String, _ shape: [Int]
  ) throws(ModelFormatError) {
    if parts.count == 1 {
      try program.write("identity", ["x": parts], to: name, shape)
    } else {
      try program.write(
        "concat", ["values": parts, "axis": [.integer(0)], "interleave": [.boolean(false)]],
        to: name, shape)
    }
  }

  /// The network and a suppression stage.
  fileprivate func model(
    _ program: TensorProgram, labels: ClassLabels
  ) throws(ModelFormatError) -> ModelDescription {
    let rows = heads.reduce(0) { $0 + $1.rows }
    var picture = image
    let sides = SizeRange(lower: coarsestStride, upper: nil)
    picture.allowedSizes = .range(width: sides, height: sides)
    let input = FeatureDescription(name: Self.inputName, type: .image(picture))
    let shapes = [
      (Self.confidenceName, [rows, labels.count]), (Self.coordinatesName, [rows, 4]),
    ]
    let raw = shapes.map { name, shape in
      FeatureDescription(
        name: name, type: .multiArray(MultiArrayFeature(shape: shape, dataType: .float32)))
    }
    let network = ModelDescription(
      specificationVersion: 8, inputs: [input], outputs: raw, body: .program(program))
    return SuppressedDetector(network, stageName: "network", classCount: labels.count).pipeline(
      perClass: true, classLabels: labels, iouThreshold: 0.45, confidenceThreshold: 0.25,
      specificationVersion: network.specificationVersion,
      metadata: ModelMetadata(userDefined: ["stride": "\(coarsestStride)"]))
  }
}
