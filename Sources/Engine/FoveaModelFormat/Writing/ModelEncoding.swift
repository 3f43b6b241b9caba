// Fovea - models as Core ML files.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// Writes models as Core ML files. Programs and suppression are written anew; a model without
/// programs keeps its bytes, but for its metadata.
package struct ModelEncoder {
  /// What a model consists of on the disk.
  package struct Files: Sendable {
    /// The model file.
    package var model: [UInt8]
    /// The files of constants by their paths beside the model file.
    package var constants: [String: [UInt8]]
    /// The new names of features by the old ones, where the old ones are not allowed.
    package var renamed: [String: String]
  }

  private var programs = ProgramEncoder()
  private var descriptions = DescriptionEncoder()
  /// The programs by their places in pipelines.
  private var encoded: [[Int]: [UInt8]] = [:]
  /// The models without programs by their places in pipelines.
  private var kept: [[Int]: [UInt8]] = [:]

  /// The files of a model.
  ///
  /// - Parameters:
  ///   - source: The file that the model comes from; `nil` for one that has no layers.
  ///   - isPackage: Whether large constants go to a file of their own.
  /// - Throws: For what cannot be written.
  package static func files(
    of model: ModelDescription, source: [UInt8]? = nil, isPackage: Bool = true
  ) throws(ModelWritingError) -> Files {
    var encoder = ModelEncoder()
    encoder.programs.usesFile = isPackage
    try encoder.encode(model, at: [], source.map { ProtobufMessage(file: $0) })
    let bytes = encoder.message(model, at: [], isOutline: false)
    return Files(
      model: bytes, constants: encoder.programs.blobs.files,
      renamed: encoder.descriptions.renamed)
  }

  /// The model without programs, as a compiled file keeps it: see `ModelOutline`.
  package static func outline(of model: ModelDescription) -> [UInt8] {
    ModelEncoder().message(model, at: [], isOutline: true)
  }

  // MARK: Programs

  /// Programs come first: their values and features may get other names.
  private mutating func encode(
    _ model: ModelDescription, at path: [Int], _ source: ProtobufMessage?, hasSeveral: Bool? = nil
  ) throws(ModelWritingError) {
    let hasSeveral = hasSeveral ?? (model.programCount > 1)
    if model.programCount == 0, let source {
      kept[path] =
        try path.isEmpty ? source.replacing(model.metadata) : Array(source.file[source.first])
      return
    }
    try check(model.inputs + model.outputs)
    switch model.body {
    case .pipeline(let pipeline):
      let sources = try source?.stages
      for (index, stage) in pipeline.stages.enumerated() {
        let own = sources.flatMap { $0.indices.contains(index) ? $0[index] : nil }
        try encode(stage.model, at: path + [index], own, hasSeveral: hasSeveral)
      }
    case .program(let program):
      if hasSeveral {
        programs.fileName = BlobFiles.prefix + "weights/\(encoded.count)-weight.bin"
      }
      var renamed: [String: [String: String]] = [:]
      encoded[path] = programs.program(program, renamed: &renamed)
      for (name, function) in program.functions {
        for feature in function.inputs.map(\.name) + function.outputs {
          if let new = renamed[name]?[feature] { descriptions.renamed[feature] = new }
        }
      }
    case .nonMaximumSuppression: break
    case .neuralNetwork: throw ModelWritingError("a network of layers has lost its file")
    case .unsupported(let typeName):
      throw ModelWritingError("a model of type \(typeName) cannot be written")
    }
  }

  private func check(_ features: [FeatureDescription]) throws(ModelWritingError) {
    for feature in features {
      switch feature.type {
      case .sequence, .state:
        throw ModelWritingError(
          "the feature \"\(ModelText.readable(feature.name))\" is a sequence or a state, which"
            + " cannot be written")
      default: break
      }
    }
  }

  // MARK: Messages

  private func message(_ model: ModelDescription, at path: [Int], isOutline: Bool) -> [UInt8] {
    if let bytes = kept[path] { return bytes }
    return ValueMessage.message { message in
      message.integer(1, model.leastVersion)
      message.bytes(2, descriptions.description(of: model))
      switch model.body {
      case .pipeline(let pipeline):
        message.message(CoreMLModelType.pipeline.rawValue) { body in
          for (index, stage) in pipeline.stages.enumerated() {
            body.bytes(1, self.message(stage.model, at: path + [index], isOutline: isOutline))
          }
          for stage in pipeline.stages { body.text(2, stage.name) }
        }
      case .program: message.bytes(CoreMLModelType.mlProgram.rawValue, encoded[path] ?? [])
      case .nonMaximumSuppression(let stage):
        message.bytes(CoreMLModelType.nonMaximumSuppression.rawValue, suppression(stage))
      case .neuralNetwork, .unsupported: break
      }
    }
  }

  private func suppression(_ stage: NonMaximumSuppression) -> [UInt8] {
    ValueMessage.message { message in
      message.message(1) { $0.boolean(1, stage.perClass) }
      switch stage.classLabels {
      case .none: break
      case .strings(let labels):
        message.message(100) { list in for label in labels { list.text(1, label) } }
      case .int64s(let labels): message.message(101) { $0.integers(1, labels.map { Int($0) }) }
      }
      message.double(110, stage.iouThreshold)
      message.double(111, stage.confidenceThreshold)
      let names = [
        (200, stage.confidenceInputName), (201, stage.coordinatesInputName),
        (202, stage.iouThresholdInputName), (203, stage.confidenceThresholdInputName),
        (210, stage.confidenceOutputName), (211, stage.coordinatesOutputName),
      ]
      for (field, name) in names { message.optionalText(field, descriptions.name(name)) }
    }
  }
}

/// Why a model cannot be written.
package struct ModelWritingError: Error, Sendable {
  /// The reason in words.
  package var message: String

  init(_ message: String) { self.message = message }
}

extension ProtobufMessage {
  /// The messages of the stages of a model that is a pipeline.
  fileprivate var stages: [ProtobufMessage] {
    get throws(ModelWritingError) {
      do throws(ModelFormatError) {
        var pipeline = try content(CoreMLModelType.pipeline.rawValue)
        for type in [CoreMLModelType.pipelineClassifier, .pipelineRegressor] {
          if let content = try content(type.rawValue) { pipeline = try content.content(1) }
        }
        return try pipeline?.elements(1) ?? []
      } catch {
        throw ModelWritingError(error.description)
      }
    }
  }

  /// A model with other metadata.
  fileprivate func replacing(_ metadata: ModelMetadata) throws(ModelWritingError) -> [UInt8] {
    do throws(ModelFormatError) {
      return try edited(fields: [2]) { (_, description) throws(ModelFormatError) in
        var message = WireWriter()
        message.raw(try description.edited(repeated: 100) { (_, _) in .dropped })
        message.bytes(100, DescriptionEncoder.metadata(metadata))
        return message.output
      }
    } catch {
      throw ModelWritingError(error.description)
    }
  }
}

extension ModelDescription {
  /// The number of programs of all stages.
  fileprivate var programCount: Int {
    switch body {
    case .pipeline(let pipeline): pipeline.stages.reduce(0) { $0 + $1.model.programCount }
    case .program: 1
    default: 0
    }
  }

  /// The least version of the specification that has what the model consists of. What an author
  /// states beyond that stays.
  fileprivate var leastVersion: Int {
    let own =
      switch body {
      case .pipeline(let pipeline): pipeline.stages.map(\.model.leastVersion).max() ?? 1
      case .program(let program):
        program.functions.values.map(\.leastVersion).max() ?? 6
      case .nonMaximumSuppression: 3
      default: 1
      }
    let features = (inputs + outputs).map(\.type.leastVersion)
    let all = features + [own, specificationVersion]
    return min(all.max() ?? own, CoreMLReader.newestVersion)
  }
}

extension TensorProgram.Function {
  /// The operations of iOS 15, "CoreML5", came with version 6; those of other formats have none.
  fileprivate var leastVersion: Int {
    operationSet.hasPrefix("CoreML") ? operationSetNumber + 1 : 6
  }
}

extension FeatureType {
  fileprivate var leastVersion: Int {
    switch self {
    case .multiArray(let array):
      switch array.dataType {
      case .float16: 7
      case .int8: 10
      default: 1
      }
    case .image(let image): image.colorSpace == .grayscaleFloat16 ? 7 : 1
    default: 1
    }
  }
}
