// Fovea - reading of pipelines and suppression stages.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension CoreMLReader {
  func readPipeline(
    _ message: ProtobufMessage, interface: ModelInterface, depth: Int
  ) throws(ModelFormatError) -> Pipeline {
    guard depth < limits.pipelineDepth else {
      throw ModelFormatError(
        .limitExceeded, byteOffset: message.offset,
        found: "more than \(limits.pipelineDepth) pipelines inside each other",
        expected: "fewer")
    }
    var models: [ProtobufMessage] = []
    var names: [String] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&models, limit: limits.stages)
      case 2: try field.read(&names, limit: limits.stages)
      default: break
      }
    }
    guard !models.isEmpty else {
      throw ModelFormatError(
        .missingField, byteOffset: message.offset, fieldPath: "models",
        found: "a pipeline without models", expected: "at least one model")
    }
    var stages: [Pipeline.Stage] = []
    for (index, model) in models.enumerated() {
      let name = index < names.count && !names[index].isEmpty ? names[index] : "model\(index)"
      let model = try within("models[\(index)]") { () throws(ModelFormatError) in
        try readModel(model, depth: depth + 1)
      }
      stages.append(Pipeline.Stage(name: name, model: model))
    }
    try checkWiring(stages, interface: interface, at: message.offset)
    return Pipeline(stages: stages)
  }

  /// Checks that every stage reads only what the pipeline is given or an earlier stage writes.
  func checkWiring(
    _ stages: [Pipeline.Stage], interface: ModelInterface, at offset: Int?
  ) throws(ModelFormatError) {
    var known = interface.inputNames
    for (index, stage) in stages.enumerated() {
      for input in stage.model.inputs where !input.isOptional && !known.contains(input.name) {
        throw ModelFormatError(
          .unknownBlob, byteOffset: offset, fieldPath: "models[\(index)].description.input",
          found: "stage '\(stage.name)' reading '\(input.name)', which nothing before it writes",
          expected: "an input of the pipeline or an output of an earlier stage")
      }
      known.formUnion(stage.model.outputs.map(\.name))
    }
    for output in interface.outputs where !known.contains(output.name) {
      throw ModelFormatError(
        .unknownBlob, byteOffset: offset,
        found: "the output '\(output.name)', which no stage writes",
        expected: "the output of a stage")
    }
  }

  // MARK: Non-maximum suppression

  func readNonMaximumSuppression(
    _ message: ProtobufMessage, interface: ModelInterface
  ) throws(ModelFormatError) -> NonMaximumSuppression {
    var stage = NonMaximumSuppression(
      perClass: false, classLabels: .none, iouThreshold: 0, confidenceThreshold: 0,
      confidenceInputName: "", coordinatesInputName: "", confidenceOutputName: "",
      coordinatesOutputName: "")
    var pickTop: ProtobufMessage?
    var labels = ClassLabelsField()
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&pickTop)
      case 100, 101: labels.read(field)
      case 110: field.read(&stage.iouThreshold)
      case 111: field.read(&stage.confidenceThreshold)
      case 200: try field.read(&stage.confidenceInputName)
      case 201: try field.read(&stage.coordinatesInputName)
      case 202: try field.read(&stage.iouThresholdInputName)
      case 203: try field.read(&stage.confidenceThresholdInputName)
      case 210: try field.read(&stage.confidenceOutputName)
      case 211: try field.read(&stage.coordinatesOutputName)
      default: break
      }
    }
    if let pickTop {
      var fields = ProtobufCursor(pickTop)
      while let field = try fields.next() {
        if field.number == 1 { field.read(&stage.perClass) }
      }
    }
    stage.classLabels = try labels.classLabels(limit: limits.labels)
    _ = try finite(stage.iouThreshold, "iouThreshold", at: message.offset)
    _ = try finite(stage.confidenceThreshold, "confidenceThreshold", at: message.offset)
    try checkNames(of: stage, interface: interface, at: message.offset)
    return stage
  }

  private func checkNames(
    of stage: NonMaximumSuppression, interface: ModelInterface, at offset: Int
  ) throws(ModelFormatError) {
    let outputs = Set(interface.outputs.map(\.name))
    // Names of thresholds are not looked for: exporters leave them out of the stage's
    // description, and a pipeline that lacks them means the stored thresholds.
    let names = [
      ("confidenceInputFeatureName", stage.confidenceInputName, interface.inputNames),
      ("coordinatesInputFeatureName", stage.coordinatesInputName, interface.inputNames),
      ("confidenceOutputFeatureName", stage.confidenceOutputName, outputs),
      ("coordinatesOutputFeatureName", stage.coordinatesOutputName, outputs),
    ]
    for (field, name, known) in names {
      guard known.contains(name) else {
        throw ModelFormatError(
          .unknownBlob, byteOffset: offset, fieldPath: field, found: "the name '\(name)'",
          expected: "a feature that the stage's description lists")
      }
    }
  }
}

/// The class labels of a message: strings in field 100 or integers in field 101, the last wins.
struct ClassLabelsField {
  private var strings: ProtobufMessage?
  private var integers: ProtobufMessage?

  mutating func read(_ field: ProtobufField) {
    guard field.wire == .bytes else { return }
    if field.number == 100 {
      integers = nil
      field.read(&strings)
    } else {
      strings = nil
      field.read(&integers)
    }
  }

  func classLabels(limit: Int) throws(ModelFormatError) -> ClassLabels {
    if let strings {
      var labels: [String] = []
      var fields = ProtobufCursor(strings)
      while let field = try fields.next() {
        if field.number == 1 { try field.read(&labels, limit: limit) }
      }
      return labels.isEmpty ? .none : .strings(labels)
    }
    if let integers {
      var labels: [Int64] = []
      var fields = ProtobufCursor(integers)
      while let field = try fields.next() {
        if field.number == 1 { try field.read(&labels) }
      }
      return labels.isEmpty ? .none : .int64s(labels)
    }
    return .none
  }
}
