// Fovea - what fovea inspect knows about a model.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaInspection
internal import FoveaModelValues

/// What `fovea inspect` knows about a model; also its JSON document.
struct InspectionReport: Encodable {
  var model: String
  var fileBytes: Int
  /// The format of the file and its version, in words.
  var format: String
  var specificationVersion: Int
  var backend: String
  var stages: [Stage]
  /// Absent for models that have one function.
  var functions: [FunctionReport]?
  var inputs: [Feature]
  /// What pixels become in the place of an array of the file; absent where all inputs are the file's.
  var picture: PictureReport?
  var outputs: [Feature]
  /// What the model is for; absent where nothing says it.
  var task: TaskReport?
  /// How outputs are read that are not scores and boxes themselves; absent for others.
  var head: HeadReport?
  /// Absent for models that are no detectors.
  var thresholds: Thresholds?
  /// Absent for models without labels.
  var labels: [String]?
  var metadata: [String: String]
  /// Absent for models without programs, and for compiled ones.
  var programs: [ProgramReport]?
  var layers: [Layer]
  var multiplyAccumulates: Int
  var memory: Memory
  /// Only when asked for.
  var profile: ProfileReport?
  /// Only when asked for.
  var plan: PlanReport?

  /// A model of a pipeline, or the only one.
  struct Stage: Encodable {
    var name: String
    var type: String
    var specificationVersion: Int
    /// Absent for compiled models, whose layers are no longer those of the file.
    var layerCount: Int?
  }

  /// An input or output.
  struct Feature: Encodable {
    var name: String
    var type: String
    var shape: [Int]
    /// Other sizes or shapes, in words; absent where there is one.
    var allowed: String?
    var isOptional: Bool
  }

  /// The thresholds of a detector.
  struct Thresholds: Encodable {
    var own: ModelThresholds

    private enum CodingKeys: CodingKey { case isClassAgnostic }

    func encode(to encoder: any Encoder) throws {
      try DetectionNumber.document(DetectionNumber.all) { $0.own(own) }.encode(to: encoder)
      var others = encoder.container(keyedBy: CodingKeys.self)
      try others.encode(own.isClassAgnostic, forKey: .isClassAgnostic)
    }
  }

  /// A layer as it runs.
  struct Layer: Encodable {
    var index: Int
    var operation: String
    var label: String
    var activation: String
    var outputShape: [Int]
    /// How the file stores the weights; empty for layers without any.
    var weightEncoding: String
    var multiplyAccumulates: Int
    /// Bytes of weights in memory.
    var weightBytes: Int
  }

  /// Planned memory in bytes.
  struct Memory: Encodable {
    /// Packed weights, tables, biases and constants.
    var weightBytes: Int
    /// Values between layers and workspace, at their common peak.
    var arenaBytes: Int
    /// The largest workspace of any operation, a part of the arena.
    var workspaceBytes: Int
    /// Weights and one session: its arena and its bookkeeping.
    var totalBytes: Int
  }
}

extension InspectionReport {
  init(_ model: Model, path: String) {
    let file = model.specification
    self.model = path
    fileBytes = model.fileByteCount
    format = file.formatText
    specificationVersion = file.specificationVersion
    backend = model.backend.rawValue
    stages = file.stages.map { Stage($0, isCompiled: model.isCompiled) }
    inputs = file.inputs.map { Feature($0, shape: Self.shape($0.name, model.inputs)) }
    outputs = file.outputs.map { Feature($0, shape: Self.shape($0.name, model.outputs)) }
    picture = PictureReport(model)
    task = TaskReport(model)
    head = HeadReport(model)
    functions = FunctionReport.all(file, isCompiled: model.isCompiled)
    let programs = ProgramReport.all(file)
    self.programs = programs.isEmpty ? nil : programs
    thresholds = Self.thresholds(model)
    labels = model.classLabels
    metadata = Self.metadata(model.metadata)
    layers = model.nodes.enumerated().map { index, node in
      Layer(
        index: index, operation: node.operation, label: node.label, activation: node.activation,
        outputShape: node.outputShape, weightEncoding: node.weightEncoding,
        multiplyAccumulates: Int(clamping: node.multiplyAccumulates),
        weightBytes: node.weightBytes)
    }
    multiplyAccumulates = Self.sum(layers.map(\.multiplyAccumulates))
    let memory = model.memory
    self.memory = Memory(
      weightBytes: memory.weightBytes, arenaBytes: memory.arenaBytes,
      workspaceBytes: memory.workspaceBytes,
      totalBytes: Self.sum([memory.weightBytes, memory.sessionBytes]))
  }

  /// A sum that stops at the largest integer: a file may claim sizes that nobody could allocate.
  private static func sum(_ values: [Int]) -> Int {
    values.reduce(0) { sum, value in
      let (result, overflow) = sum.addingReportingOverflow(value)
      return overflow ? .max : result
    }
  }

  private static func shape(_ name: String, _ ports: [Model.Port]) -> [Int]? {
    ports.first { $0.name == name }?.shape
  }

  private static func thresholds(_ model: Model) -> Thresholds? {
    guard (try? DetectorLayout(model: model)) != nil else { return nil }
    return Thresholds(
      own: ModelThresholds(suppression: model.suppression, metadata: model.metadata))
  }

  private static func metadata(_ metadata: ModelMetadata) -> [String: String] {
    var all = metadata.userDefined
    for (key, value) in [
      ("shortDescription", metadata.shortDescription), ("versionString", metadata.version),
      ("author", metadata.author), ("license", metadata.license),
    ] where !value.isEmpty {
      all[key] = value
    }
    return all
  }
}

extension InspectionReport.Stage {
  init(_ stage: Pipeline.Stage, isCompiled: Bool) {
    name = stage.name
    specificationVersion = stage.model.specificationVersion
    layerCount = isCompiled ? nil : stage.model.layerCount
    switch stage.model.body {
    case .pipeline: type = "pipeline"
    case .neuralNetwork: type = "neuralNetwork"
    case .program: type = "mlProgram"
    case .nonMaximumSuppression: type = "nonMaximumSuppression"
    case .unsupported(let typeName): type = typeName
    }
  }
}

extension InspectionReport.Feature {
  init(_ feature: FeatureDescription, shape: [Int]?) {
    name = feature.name
    isOptional = feature.isOptional
    switch feature.type {
    case .image(let image):
      type = "image \(image.colorSpace)"
      self.shape = shape ?? [image.height, image.width]
      if image.allowedSizes != .fixed { allowed = image.allowedSizesText }
    case .multiArray(let array):
      type = "array \(array.dataType)"
      self.shape = shape ?? array.shape
      if array.allowedShapes != .fixed { allowed = array.allowedShapesText }
    case let other:
      type = "\(other)"
      self.shape = []
    }
  }
}
