// Fovea - a model made of the subgraph of a TensorFlow Lite file.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// A subgraph that was read.
struct TensorFlowLiteGraph {
  let inputs: [(tensor: Int, value: TensorProgram.Value)]
  let outputs: [(tensor: Int, name: String)]
  let operations: [TensorProgram.Operation]
  let tensors: [TensorFlowLiteTensor]

  /// The inputs, as far as they are read as codes of 8 bits.
  var codedInputs: [TensorFlowLiteTensor?] {
    inputs.map { tensors[$0.tensor].isCoded ? tensors[$0.tensor] : nil }
  }

  /// The model. Boxes that the file suppresses are suppressed by a stage of its own.
  func model(_ metadata: ModelMetadata) throws(ModelFormatError) -> ModelDescription {
    guard let detection = operations.first(where: { $0.kind == TensorFlowLiteNames.detection })
    else {
      return program(outputs, described: outputs.map { feature($0.name, $0.tensor) }, metadata)
    }
    return try pipeline(detection, metadata)
  }

  private func program(
    _ outputs: [(tensor: Int, name: String)], described: [FeatureDescription],
    _ metadata: ModelMetadata, operations: [TensorProgram.Operation]? = nil
  ) -> ModelDescription {
    let function = TensorProgram.Function(
      inputs: inputs.map(\.value), operationSet: "\(TensorFlowLiteNames.operationSet) 3",
      operations: operations ?? self.operations, outputs: outputs.map(\.name))
    return ModelDescription(
      specificationVersion: 0, inputs: inputs.map { feature($0.value.name, $0.tensor) },
      outputs: described, metadata: metadata,
      body: .program(TensorProgram(functions: ["main": function])))
  }

  // MARK: Features

  private func feature(_ name: String, _ index: Int) -> FeatureDescription {
    let tensor = tensors[index]
    var shape = tensor.shape
    // A size of 0 is one that nobody knows.
    if shape.contains(0) { shape = [] }
    var array = MultiArrayFeature(shape: shape, dataType: dataType(of: tensor))
    if tensor.isFree.contains(true) {
      array.allowedShapes = .ranges(
        zip(tensor.shape, tensor.isFree).map { size, isFree in
          isFree ? SizeRange(lower: 1, upper: nil) : SizeRange(lower: size, upper: size)
        })
    }
    var words = ""
    if tensor.isCoded {
      words =
        "numbers that the file keeps as \(tensor.element.rawValue) codes:"
        + " \(tensor.scales[0]) * (code - \(tensor.zeroPoints[0]))"
    }
    return FeatureDescription(name: name, shortDescription: words, type: .multiArray(array))
  }

  private func dataType(of tensor: TensorFlowLiteTensor) -> MultiArrayFeature.DataType {
    switch tensor.element {
    case .float64: .double
    case .float16: .float16
    case let element where element.isFloat || tensor.hasScales: .float32
    default: .int32
    }
  }

  // MARK: Suppression

  /// A network that ends in scores and boxes, and the suppression that the file describes.
  private func pipeline(
    _ detection: TensorProgram.Operation, _ metadata: ModelMetadata
  ) throws(ModelFormatError) -> ModelDescription {
    let suppressed = Set(detection.results.map(\.name))
    let names = ["confidence", "coordinates"]
    var replacement = detection
    replacement.results = names.map { name in
      TensorProgram.Value(
        name: name, type: .tensor(TensorType(element: .float32, shape: nil)))
    }
    let readers = operations.contains { operation in
      operation.arguments.values.joined().contains { argument in
        if case .value(let name) = argument { suppressed.contains(name) } else { false }
      }
    }
    let clash = operations.contains { $0.results.contains { names.contains($0.name) } }
    guard !readers, !clash, operations.filter({ $0.kind == detection.kind }).count == 1 else {
      throw ModelFormatError(
        .unsupportedLayer, fieldPath: "subgraphs[0].operators",
        found: "\(detection.kind) whose results other operations read",
        expected: "suppression at the end of the model",
        remedy: "Export the model again without it.")
    }
    let kept = outputs.filter { !suppressed.contains($0.name) }
    let stageOutputs = names.map {
      FeatureDescription(
        name: $0, type: .multiArray(MultiArrayFeature(shape: [], dataType: .float32)))
    }
    let network = program(
      names.map { (0, $0) } + kept,
      described: stageOutputs + kept.map { feature($0.name, $0.tensor) }, ModelMetadata(),
      operations: operations.map { $0.kind == detection.kind ? replacement : $0 })
    let options = DetectionOptions(detection)
    let suppression = ModelDescription(
      specificationVersion: 0, inputs: stageOutputs, outputs: stageOutputs,
      body: .nonMaximumSuppression(options.suppression(names)))
    return ModelDescription(
      specificationVersion: 0, inputs: network.inputs,
      outputs: stageOutputs + kept.map { feature($0.name, $0.tensor) }, metadata: metadata,
      body: .pipeline(
        Pipeline(stages: [
          Pipeline.Stage(name: "network", model: network),
          Pipeline.Stage(name: "suppression", model: suppression),
        ])))
  }
}

/// What the file says about suppression.
private struct DetectionOptions {
  let operation: TensorProgram.Operation

  init(_ operation: TensorProgram.Operation) { self.operation = operation }

  private func number(_ name: String, default value: Double) -> Double {
    guard case .constant(let constant)? = operation.arguments[name]?.first,
      case .bytes(let bytes) = constant.content, bytes.count == 4
    else { return value }
    let bits = bytes.withBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
    return Double(Float(bitPattern: bits))
  }

  /// Fast suppression compares all boxes by their best class; the regular one goes class by class.
  func suppression(_ names: [String]) -> NonMaximumSuppression {
    NonMaximumSuppression(
      perClass: number("use_regular_nms", default: 0) != 0, classLabels: .none,
      iouThreshold: number("nms_iou_threshold", default: 0.6),
      confidenceThreshold: number("nms_score_threshold", default: 0),
      confidenceInputName: names[0], coordinatesInputName: names[1],
      confidenceOutputName: names[0], coordinatesOutputName: names[1])
  }
}
