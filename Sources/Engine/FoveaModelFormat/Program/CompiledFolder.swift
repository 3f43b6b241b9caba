// Fovea - compiled Core ML models: folders that Xcode makes.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

extension ModelDescription {
  /// Reads a compiled model (`.mlmodelc`) that is a program, or a pipeline of programs.
  ///
  ///     model.mil                 the program as text
  ///     coremldata.bin            the description: features and metadata
  ///     weights/weight.bin        as the program names it
  ///     model0/, model1/, ...     in place of model.mil: the stages of a pipeline
  ///
  /// - Parameters:
  ///   - folder: The compiled model.
  ///   - limits: Upper bounds for the files.
  /// - Throws: If the folder is no compiled model, is damaged, or needs what is not supported.
  package init(
    compiled folder: any ModelFolder, limits: ReadingLimits = ReadingLimits()
  ) throws(ModelFormatError) {
    self = try CompiledFolder(folder, limits: limits).readModel()
  }
}

extension ModelOutline {
  /// The outline of a compiled model that a reader has accepted.
  ///
  /// - Parameters:
  ///   - folder: The compiled model.
  ///   - limits: Upper bounds for the files.
  /// - Throws: As `ModelDescription.init(compiled:limits:)`, for all but the program itself.
  package static func outline(
    compiled folder: any ModelFolder, limits: ReadingLimits = ReadingLimits()
  ) throws(ModelFormatError) -> [UInt8] {
    try CompiledFolder(folder, limits: limits).outline()
  }
}

/// A compiled model before its program is read.
///
/// The description is needed: a program says neither that an input is a picture, nor the order of
/// its colors, nor the labels. A detector without these would run and find the wrong things.
/// So a folder whose description is absent or not understood is refused, with a way out.
struct CompiledFolder {
  private let folder: any ModelFolder
  private let limits: ReadingLimits
  private let description: CompiledDescription
  private let content: Content

  private typealias Stage = (name: String, folder: CompiledFolder)

  private enum Content {
    case program(text: [UInt8])
    case pipeline([Stage])
  }

  static let openOriginal = "Open the .mlpackage or .mlmodel that the folder was made from."
  private static let programName = "model.mil"
  private static let networkName = "model.espresso.net"

  /// Finds the parts of a compiled model.
  ///
  /// - Parameter depth: The number of pipelines that the model is in.
  init(
    _ folder: any ModelFolder, limits: ReadingLimits, depth: Int = 0
  ) throws(ModelFormatError) {
    self.folder = folder
    self.limits = limits
    let text = try folder.bytes(at: ModelPath(Self.programName))
    if text == nil, try folder.bytes(at: ModelPath(Self.networkName)) != nil {
      throw Self.compiledNetwork
    }
    let data = try Self.description(in: folder, hasProgram: text != nil)
    if let text {
      content = .program(text: try text.copied(Self.programName))
    } else {
      content = .pipeline(
        try Self.stages(in: folder, CompiledDescription.type(of: data), limits, depth))
    }
    description = try within(CompiledDescription.fileName) { () throws(ModelFormatError) in
      try CompiledDescription(data)
    }
  }

  private static func description(
    in folder: any ModelFolder, hasProgram: Bool
  ) throws(ModelFormatError) -> [UInt8] {
    if let data = try folder.bytes(at: ModelPath(CompiledDescription.fileName)) {
      return try data.copied(CompiledDescription.fileName)
    }
    guard hasProgram else {
      throw ModelFormatError(
        .notAModel, found: "neither \(programName) nor \(CompiledDescription.fileName)",
        expected: "a compiled model (.mlmodelc)",
        remedy: "Give the folder of the model itself; copy it whole.")
    }
    throw ModelFormatError(
      .missingField, found: "no \(CompiledDescription.fileName)",
      expected: "the description beside the program",
      remedy: "Copy the folder whole, or open the .mlpackage that it was made from.")
  }

  // MARK: Kinds of models

  private static let compiledNetwork = ModelFormatError(
    .unsupportedModelType, found: "an espresso folder, a compiled neural network",
    expected: "a compiled ML Program, or a pipeline of such",
    remedy: "Give the .mlmodel that the folder was made from.")

  /// The stages of a pipeline; other models without a program are refused.
  private static func stages(
    in folder: any ModelFolder, _ type: CoreMLModelType?, _ limits: ReadingLimits, _ depth: Int
  ) throws(ModelFormatError) -> [Stage] {
    switch type {
    case .pipeline, .pipelineClassifier, .pipelineRegressor:
      guard depth < limits.pipelineDepth else {
        throw ModelFormatError(
          .limitExceeded, found: "more than \(limits.pipelineDepth) pipelines inside each other",
          expected: "fewer")
      }
      return try stages(in: folder, limits, depth)
    case .neuralNetwork, .neuralNetworkClassifier, .neuralNetworkRegressor: throw compiledNetwork
    case .nonMaximumSuppression:
      throw ModelFormatError(
        .unsupportedModelType,
        found: "a compiled suppression of boxes, whose labels and thresholds cannot be read",
        expected: "a compiled ML Program, or a pipeline of such", remedy: openOriginal)
    case .mlProgram:
      throw ModelFormatError(
        .missingField, found: "no \(programName)", expected: "the program",
        remedy: "Copy the folder whole, or open the .mlpackage that it was made from.")
    case .some(let type):
      throw ModelFormatError(
        .unsupportedModelType, found: "a compiled model, \(type.phrase)",
        expected: "a compiled ML Program, or a pipeline of such", remedy: type.remedy)
    case nil:
      throw CompiledDescription.unknownLayout(at: 0).within(CompiledDescription.fileName)
    }
  }

  private static func stages(
    in folder: any ModelFolder, _ limits: ReadingLimits, _ depth: Int
  ) throws(ModelFormatError) -> [Stage] {
    var names: [String] = []
    if let file = try folder.bytes(at: ModelPath("modelNames/\(CompiledDescription.fileName)")) {
      names = CompiledDescription.stageNames(
        try file.copied(CompiledDescription.fileName), limit: limits.stages)
    }
    var stages: [Stage] = []
    while true {
      let place = "model\(stages.count)"
      let member = ModelSubfolder(folder, at: try ModelPath(place))
      guard try isModel(member) else { break }
      guard stages.count < limits.stages else {
        throw ModelFormatError(
          .limitExceeded, found: "more than \(limits.stages) stages",
          expected: "at most \(limits.stages)")
      }
      let stage = try within(place) { () throws(ModelFormatError) in
        try CompiledFolder(member, limits: limits, depth: depth + 1)
      }
      let name = names.indices.contains(stages.count) ? names[stages.count] : ""
      stages.append((name.isEmpty ? place : name, stage))
    }
    guard !stages.isEmpty else {
      throw ModelFormatError(
        .missingField, found: "a compiled pipeline without models",
        expected: "folders model0, model1, ...", remedy: "Copy the folder whole.")
    }
    return stages
  }

  private static func isModel(_ folder: any ModelFolder) throws(ModelFormatError) -> Bool {
    for name in [programName, CompiledDescription.fileName, networkName] {
      if try folder.bytes(at: ModelPath(name)) != nil { return true }
    }
    return false
  }

  // MARK: Reading

  /// The model with its programs.
  func readModel() throws(ModelFormatError) -> ModelDescription {
    let reader = CoreMLReader(
      limits: limits, describesUnsupportedModels: false, folder: folder)
    let interface = try within(CompiledDescription.fileName) {
      () throws(ModelFormatError) in
      try reader.checkVersion(description.version, isOutermost: true, at: 4)
      let interface = try reader.readDescription(description.message)
      guard
        !interface.functions.isEmpty || !interface.inputs.isEmpty && !interface.outputs.isEmpty
      else {
        throw CompiledDescription.unknownLayout(at: description.message.offset)
      }
      return interface
    }
    switch content {
    case .program(let text):
      let program = try TensorProgram(
        text: text, name: Self.programName, folder: folder, limits: limits)
      try within(Self.programName) { () throws(ModelFormatError) in
        try ProgramInterface(program: program, limits: limits).check(interface)
      }
      return reader.model(
        version: description.version, interface: interface, body: .program(program))
    case .pipeline(let members):
      var stages: [Pipeline.Stage] = []
      // The folder of a pipeline states a version that is its own, and older than its stages'.
      var version = description.version
      for (index, member) in members.enumerated() {
        let model = try within("model\(index)") { () throws(ModelFormatError) in
          try member.folder.readModel()
        }
        version = max(version, Int32(model.specificationVersion))
        stages.append(Pipeline.Stage(name: member.name, model: model))
      }
      try reader.checkWiring(stages, interface: interface, at: nil)
      return reader.model(
        version: version, interface: interface, body: .pipeline(Pipeline(stages: stages)))
    }
  }

  // MARK: Outline

  /// A model message with the description, and without the program.
  func outline() -> [UInt8] {
    var bytes: [UInt8] = []
    ModelOutline.appendVarint(1 << 3, to: &bytes)
    ModelOutline.appendVarint(UInt64(UInt32(bitPattern: greatestVersion)), to: &bytes)
    let message = description.message
    ModelOutline.appendField(2, message.file[message.first], to: &bytes)
    var body: [UInt8] = []
    switch content {
    case .program: ModelOutline.appendField(CoreMLModelType.mlProgram.rawValue, body, to: &bytes)
    case .pipeline(let stages):
      for stage in stages { ModelOutline.appendField(1, stage.folder.outline(), to: &body) }
      for stage in stages { ModelOutline.appendField(2, Array(stage.name.utf8), to: &body) }
      ModelOutline.appendField(CoreMLModelType.pipeline.rawValue, body, to: &bytes)
    }
    return bytes
  }

  private var greatestVersion: Int32 {
    guard case .pipeline(let stages) = content else { return description.version }
    return stages.reduce(description.version) { max($0, $1.folder.greatestVersion) }
  }
}
