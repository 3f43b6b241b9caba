// Fovea - reading of Core ML models.
// SPDX-License-Identifier: Apache-2.0
public import FoveaModelValues

extension ModelDescription {
  /// Reads a Core ML model file.
  ///
  /// Weights are not copied: the description shares `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: The content of an `.mlmodel` file.
  ///   - limits: Upper bounds for the file.
  ///   - describesUnsupportedModels: Whether models of other kinds, such as tree ensembles, become
  ///     `Body.unsupported` instead of an error. For programs that list the content of a file.
  /// - Throws: If the file is not a model, is damaged, or needs a feature that is not supported. A
  ///   layer that is not supported does not throw: it is described as such.
  /// - Complexity: Linear in the size of the file, without its weights.
  public init(
    bytes: [UInt8], limits: ReadingLimits = ReadingLimits(),
    describesUnsupportedModels: Bool = false
  ) throws(ModelFormatError) {
    try self.init(
      bytes: bytes, folder: EmptyFolder(), limits: limits,
      describesUnsupportedModels: describesUnsupportedModels)
  }

  /// Reads a model file with files beside it: the weights of a program.
  ///
  /// - Parameter folder: The folder that the model file is in.
  package init(
    bytes: [UInt8], folder: any ModelFolder, limits: ReadingLimits = ReadingLimits(),
    describesUnsupportedModels: Bool = false
  ) throws(ModelFormatError) {
    try FileKind.refuseOtherFormats(bytes)
    let reader = CoreMLReader(
      limits: limits, describesUnsupportedModels: describesUnsupportedModels, folder: folder)
    self = try reader.readModel(ProtobufMessage(file: bytes), depth: 0)
  }
}

/// What is needed to read any part of a model. Its methods are spread over the files that are
/// named after what they read.
struct CoreMLReader {
  let limits: ReadingLimits
  let describesUnsupportedModels: Bool
  /// The folder that the model file is in.
  var folder: any ModelFolder = EmptyFolder()
  /// Whether networks may have lost their layers, see `ModelOutline`.
  var readsOutlines = false

  /// The newest specification version whose rules are known here.
  static let newestVersion = 10

  func readModel(_ message: ProtobufMessage, depth: Int) throws(ModelFormatError)
    -> ModelDescription
  {
    let envelope = try ModelEnvelope(message, isOutermost: depth == 0)
    try checkVersion(envelope.version, isOutermost: depth == 0, at: message.offset)
    let interface = try within("description") { () throws(ModelFormatError) in
      try readDescription(envelope.description)
    }
    guard let type = envelope.type, let content = envelope.content else {
      throw ModelFormatError(
        depth == 0 && envelope.description == nil ? .notAModel : .missingField,
        byteOffset: message.offset, found: "no model type",
        expected: "a pipeline, a neural network, an ML Program or non-maximum suppression")
    }
    let body = try within(type.name) { () throws(ModelFormatError) in
      try readBody(content, type: type, interface: interface, depth: depth)
    }
    return model(version: envelope.version, interface: interface, body: body)
  }

  /// The description of a model whose parts have been read.
  func model(
    version: Int32, interface: ModelInterface, body: ModelDescription.Body
  ) -> ModelDescription {
    var model = ModelDescription(
      specificationVersion: Int(version), inputs: interface.inputs, outputs: interface.outputs,
      predictedFeatureName: interface.predictedFeatureName,
      predictedProbabilitiesName: interface.predictedProbabilitiesName,
      metadata: interface.metadata, body: body)
    if case .program = body {
      model.functions = interface.functions
      model.functionName = interface.functionName
    }
    return model
  }

  private func readBody(
    _ content: ProtobufMessage, type: CoreMLModelType, interface: ModelInterface, depth: Int
  ) throws(ModelFormatError) -> ModelDescription.Body {
    switch type {
    case .pipeline:
      return .pipeline(try readPipeline(content, interface: interface, depth: depth))
    case .pipelineClassifier, .pipelineRegressor:
      var inner: ProtobufMessage?
      var fields = ProtobufCursor(content)
      while let field = try fields.next() {
        if field.number == 1 { field.read(&inner) }
      }
      let pipeline = try required(inner, "pipeline", in: content)
      return try within("pipeline") { () throws(ModelFormatError) in
        .pipeline(try readPipeline(pipeline, interface: interface, depth: depth))
      }
    case .neuralNetwork, .neuralNetworkRegressor:
      let network = try readNetwork(content, interface: interface, isClassifier: false)
      return .neuralNetwork(network)
    case .neuralNetworkClassifier:
      let network = try readNetwork(content, interface: interface, isClassifier: true)
      return .neuralNetwork(network)
    case .mlProgram: return .program(try readProgram(content, interface: interface))
    case .nonMaximumSuppression:
      return .nonMaximumSuppression(
        try readNonMaximumSuppression(content, interface: interface))
    default:
      if describesUnsupportedModels { return .unsupported(typeName: type.name) }
      throw ModelFormatError(
        .unsupportedModelType, byteOffset: content.offset, found: type.phrase,
        expected: "a pipeline, a neural network, an ML Program or non-maximum suppression",
        remedy: type.remedy)
    }
  }

  func checkVersion(
    _ version: Int32, isOutermost: Bool, at offset: Int
  ) throws(ModelFormatError) {
    // Models inside a pipeline may leave their own version out.
    if version == 0 && !isOutermost { return }
    guard (1...Int32(Self.newestVersion)).contains(version) else {
      throw ModelFormatError(
        .unsupportedVersion, byteOffset: offset, fieldPath: "specificationVersion",
        found: "specification version \(version)", expected: "1 to \(Self.newestVersion)",
        remedy: version > Self.newestVersion
          ? "Export the model for an older deployment target or update Fovea."
          : ModelFormatError.exportAgain)
    }
  }
}

/// The outer fields of a model.
private struct ModelEnvelope {
  var version: Int32 = 0
  var description: ProtobufMessage?
  var type: CoreMLModelType?
  var content: ProtobufMessage?

  init(_ message: ProtobufMessage, isOutermost: Bool) throws(ModelFormatError) {
    do {
      try readFields(message)
    } catch {
      // Bytes that break the rules before any known field are some other kind of file.
      guard isOutermost, version == 0, description == nil, type == nil else { throw error }
      var foreign = error
      foreign.code = .notAModel
      foreign.found = FileKind.name(of: message.file)
      foreign.expected = FileKind.modelWords
      throw foreign
    }
  }

  private mutating func readFields(_ message: ProtobufMessage) throws(ModelFormatError) {
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&version)
      case 2: field.read(&description)
      default:
        guard let newType = CoreMLModelType(rawValue: field.number), field.wire == .bytes else {
          continue
        }
        if newType != type { content = nil }
        type = newType
        field.read(&content)
      }
    }
  }
}
