// Fovea - files of several models, classifiers and labels.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import Testing

@Suite struct PipelineTests {
  static func network(
    _ inputs: [FeatureDescription], _ outputs: [FeatureDescription], _ layers: [NeuralNetworkLayer],
    labels: ClassLabels = .none, probabilities: String = ""
  ) -> ModelDescription {
    ModelDescription(
      specificationVersion: 3, inputs: inputs, outputs: outputs,
      body: .neuralNetwork(
        NeuralNetwork(layers: layers, classLabels: labels, labelProbabilityLayerName: probabilities)
      ))
  }

  static func layer(_ name: String, _ inputs: [String], _ outputs: [String], _ kind: LayerKind)
    -> NeuralNetworkLayer
  {
    NeuralNetworkLayer(name: name, inputs: inputs, outputs: outputs, kind: kind, typeName: "kind")
  }

  static func pipeline(
    _ stages: [ModelDescription], inputs: [FeatureDescription], outputs: [FeatureDescription],
    metadata: ModelMetadata = ModelMetadata()
  ) -> ModelDescription {
    ModelDescription(
      specificationVersion: 3, inputs: inputs, outputs: outputs, metadata: metadata,
      body: .pipeline(
        Pipeline(
          stages: stages.enumerated().map { Pipeline.Stage(name: "model\($0)", model: $1) })))
  }

  static let suppression = ModelDescription(
    specificationVersion: 3, inputs: [], outputs: [],
    body: .nonMaximumSuppression(
      NonMaximumSuppression(
        perClass: true, classLabels: .strings(["cat", "dog"]), iouThreshold: 0.5,
        confidenceThreshold: 0.25, confidenceInputName: "scores", coordinatesInputName: "boxes",
        iouThresholdInputName: "iouThreshold", confidenceOutputName: "confidence",
        coordinatesOutputName: "coordinates")))

  /// Doubles [12] in the first network; the second adds 1 and cuts into scores and boxes.
  static func detector(
    scores: [Int] = [2, 2], boxes: [Int] = [2, 4]
  ) -> ModelDescription {
    let first = network(
      [LayerRunner.array("x", [12])], [LayerRunner.array("middle", [12])],
      [layer("double", ["x"], ["middle"], .multiply(alpha: 2))])
    let second = network(
      [LayerRunner.array("middle", [12, 1, 1])],
      [LayerRunner.array("scores", scores), LayerRunner.array("boxes", boxes)],
      [
        layer("increment", ["middle"], ["sum"], .add(alpha: 1)),
        layer(
          "a", ["sum"], ["scores"], .slice(SliceLayer(start: 0, end: 4, stride: 1, axis: .channel))),
        layer(
          "b", ["sum"], ["boxes"], .slice(SliceLayer(start: 4, end: 12, stride: 1, axis: .channel))),
      ])
    return pipeline(
      [first, second, suppression],
      inputs: [
        LayerRunner.array("x", [12]),
        FeatureDescription(name: "iouThreshold", type: .double, isOptional: true),
      ],
      outputs: [LayerRunner.array("confidence", []), LayerRunner.array("coordinates", [])])
  }

  @Test func networksAreWiredByName() throws {
    let model = try Model(file: Self.detector(), name: "test")
    #expect(model.inputs.map(\.name) == ["x"])
    #expect(model.inputs[0].type == .float32)
    #expect(model.outputs.map(\.name) == ["scores", "boxes"])
    #expect(model.outputs.map(\.shape) == [[2, 2], [2, 4]])
    #expect(model.suppression?.confidenceOutputName == "confidence")
    #expect(model.classLabels == ["cat", "dog"])
    let session = try Session(model: model)
    try session.setInput("x", to: Tensor(shape: [12], int32s: (0..<12).map { Int32($0) }))
    session.run()
    #expect(try session.output("scores").floats() == [1, 3, 5, 7])
    #expect(try session.output("boxes").floats() == [9, 11, 13, 15, 17, 19, 21, 23])
  }

  @Test func aPipelineCanBeStopped() throws {
    let first = try Model(
      file: Self.detector(), name: "test", options: Model.Options(lastStage: 0))
    #expect(first.outputs.map(\.name) == ["middle"])
    #expect(first.suppression == nil)
    #expect(first.classLabels == nil)
    let second = try Model(
      file: Self.detector(), name: "test", options: Model.Options(lastStage: 1))
    #expect(second.outputs.map(\.name) == ["scores", "boxes"])
    #expect(second.suppression == nil)
    for stage in [-1, 3] {
      let error = #expect(throws: FoveaError.self) {
        try Model(file: Self.detector(), name: "test", options: Model.Options(lastStage: stage))
      }
      #expect(error?.code == .invalidArgument)
    }
  }

  @Test func suppressionIsCheckedAgainstWhatItReads() throws {
    for file in [
      Self.detector(scores: [4, 1]), Self.detector(scores: [1, 4], boxes: [1, 8]),
      Self.detector(boxes: [4, 2]),
    ] {
      #expect(throws: FoveaError.self) { try Model(file: file, name: "test") }
    }
    let alone = Self.pipeline([Self.suppression], inputs: [], outputs: [])
    #expect(
      #expect(throws: FoveaError.self) { try Model(file: alone, name: "test") }?.code
        == .unsupported)
    let foreign = ModelDescription(
      specificationVersion: 3, inputs: [], outputs: [],
      body: .unsupported(typeName: "visionFeaturePrint"))
    let error = #expect(throws: FoveaError.self) { try Model(file: foreign, name: "test") }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("visionFeaturePrint") == true)
  }

  @Test func theStageIsNamedInErrors() throws {
    var file = Self.detector()
    guard case .pipeline(var pipeline) = file.body,
      case .neuralNetwork(var network) = pipeline.stages[1].model.body
    else { return }
    network.layers[1].kind = .unsupported(typeName: "gather", fieldNumber: 9)
    network.layers[1].typeName = "gather"
    pipeline.stages[1].model.body = .neuralNetwork(network)
    file.body = .pipeline(pipeline)
    let error = #expect(throws: FoveaError.self) { try Model(file: file, name: "test") }
    #expect(error?.message.hasPrefix("stage 1, layer 1 \"a\" (gather): ") == true)
  }

  @Test func classifiersGiveProbabilities() throws {
    let file = Self.network(
      [LayerRunner.array("x", [3])],
      [
        FeatureDescription(name: "probabilities", type: .dictionary),
        FeatureDescription(name: "label", type: .string),
      ],
      [
        Self.layer("s", ["x"], ["prob"], .softmax),
        Self.layer("t", ["prob"], ["other"], .add(alpha: 1)),
      ], labels: .int64s([5, 6, 7]), probabilities: "prob")
    let model = try Model(file: file, name: "test")
    #expect(model.outputs.map(\.name) == ["probabilities"])
    #expect(model.classLabels == ["5", "6", "7"])
    let session = try Session(model: model)
    try session.setInput("x", to: Tensor(shape: [3], floats: [1, 1, 1]))
    session.run()
    expectClose(try session.output("probabilities").floats(), [1.0 / 3, 1.0 / 3, 1.0 / 3])
  }

  @Test func labelsInTheMetadata() throws {
    func labels(_ entries: [String: String]) throws -> [String]? {
      let network = Self.network(
        [LayerRunner.array("x", [1])], [LayerRunner.array("y", [1])],
        [Self.layer("l", ["x"], ["y"], .copy)])
      let file = Self.pipeline(
        [network], inputs: network.inputs, outputs: network.outputs,
        metadata: ModelMetadata(userDefined: entries))
      return try Model(file: file, name: "test").classLabels
    }
    #expect(try labels([:]) == nil)
    #expect(try labels(["classes": "person, bicycle,car"]) == ["person", "bicycle", "car"])
    #expect(try labels(["names": "{0: 'a b', 1: \"it's\", 2: 'c, d'}"]) == ["a b", "it's", "c, d"])
    #expect(try labels(["names": "['x', 'y']"]) == ["x", "y"])
    #expect(try labels(["names": "{0: 'a', 2: 'b'}"]) == nil)
    #expect(try labels(["names": "{broken"]) == ["{broken"])
    #expect(try labels(["classes": "one", "names": "two"]) == ["one"])
  }
}
