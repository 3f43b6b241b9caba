// Fovea - tests: who writes what is read.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

struct WiringTests {
  private func error(_ bytes: [UInt8]) throws -> ModelFormatError {
    try formatError { _ = try ModelDescription(bytes: bytes) }
  }

  private func copy(_ input: String, _ output: String) -> [UInt8] {
    ModelBuilder.layer(600, name: "to \(output)", inputs: [input], outputs: [output])
  }

  // MARK: Layers

  @Test func chainIsAccepted() throws {
    let bytes = ModelBuilder.network([copy("x", "a"), copy("a", "b"), copy("x", "y")])
    #expect(try ModelBuilder.layers(of: bytes).map(\.outputs) == [["a"], ["b"], ["y"]])
  }

  @Test func readersOfNothingAreNamed() throws {
    let missing = try error(ModelBuilder.network([copy("x", "a"), copy("b", "y")]))
    #expect(missing.code == .unknownBlob)
    #expect(missing.fieldPath == "neuralNetwork.layers[1]")
    #expect(missing.layerName == "to y")
    #expect(missing.found == "a layer of type 'copy' reading 'b', which no layer writes")
    let later = try error(ModelBuilder.network([copy("a", "y"), copy("x", "a")]))
    #expect(later.found.hasSuffix("which only the later layers[1] writes"))
    let loop = try error(ModelBuilder.network([copy("y", "y")]))
    #expect(loop.found.hasSuffix("which it writes itself"))
  }

  @Test func secondWritersAreRefused() throws {
    let twice = try error(ModelBuilder.network([copy("x", "y"), copy("x", "y")]))
    #expect(twice.code == .duplicateBlob)
    let input = try error(ModelBuilder.network([copy("x", "x")]))
    #expect(input.code == .duplicateBlob)
    let same = ModelBuilder.layer(330, outputs: ["y", "y"]) { $0.integer(1, 2) }
    #expect(try error(ModelBuilder.network([same])).code == .duplicateBlob)
  }

  /// Caffe's networks change blobs in place.
  @Test func blobsChangedInPlaceHaveNamesOfTheirOwn() throws {
    let bytes = ModelBuilder.network([
      copy("x", "a"), copy("a", "a"), copy("a", "b"), copy("a", "a"), copy("a", "y"),
      copy("y", "y"),
    ])
    let layers = try ModelBuilder.layers(of: bytes)
    #expect(layers.map(\.outputs) == [["a (1)"], ["a (2)"], ["b"], ["a"], ["y (1)"], ["y"]])
    #expect(layers.map(\.inputs) == [["x"], ["a (1)"], ["a (2)"], ["a (2)"], ["a"], ["y (1)"]])
    // A name that the file has is left alone.
    let taken = ModelBuilder.network([
      copy("x", "y (1)"), copy("y (1)", "y"), copy("y", "y"),
    ])
    #expect(try ModelBuilder.layers(of: taken)[1].outputs == ["y (2)"])
  }

  @Test func outputsMustBeWritten() throws {
    let error = try error(ModelBuilder.network([copy("x", "y")], outputs: ["y", "z"]))
    #expect(error.code == .unknownBlob)
    #expect(error.found.contains("'z'"))
  }

  @Test func namelessBlobsAreRefused() throws {
    #expect(try error(ModelBuilder.network([copy("x", "")])).code == .invalidValue)
    #expect(try error(ModelBuilder.network([copy("", "y")])).code == .invalidValue)
  }

  @Test func classifierDerivesItsLabel() throws {
    let bytes =
      ModelBuilder.model(
        inputs: [ModelBuilder.feature("x")],
        outputs: [
          ModelBuilder.feature("label") { $0.message(3) { _ in } },
          ModelBuilder.feature("probabilities") { $0.message(6) { _ in } },
        ], type: 403
      ) {
        $0.data(1, copy("x", "scores"))
        $0.message(100) {
          $0.string(1, "cat")
          $0.string(1, "dog")
        }
        $0.string(200, "scores")
      }
      + ProtobufWriter {
        $0.message(2) {
          $0.string(11, "label")
          $0.string(12, "probabilities")
        }
      }.bytes
    let model = try ModelDescription(bytes: bytes)
    #expect(model.predictedProbabilitiesName == "probabilities")
    guard case .neuralNetwork(let network) = model.body else { throw Missing(what: "a network") }
    #expect(model.predictedFeatureName == "label")
    #expect(network.classLabels == .strings(["cat", "dog"]))
    #expect(network.classLabels.names == ["cat", "dog"])
    #expect(network.labelProbabilityLayerName == "scores")
  }

  // MARK: Pipelines

  private func pipeline(
    _ stages: [[UInt8]], inputs: [String] = ["x"], outputs: [String], names: [String] = []
  ) -> [UInt8] {
    ModelBuilder.model(
      inputs: inputs.map { ModelBuilder.feature($0) },
      outputs: outputs.map { ModelBuilder.feature($0) }, type: 202
    ) { writer in
      for stage in stages { writer.data(1, stage) }
      for name in names { writer.string(2, name) }
    }
  }

  private func suppression(
    inputs: [String] = ["scores", "boxes"], iouThreshold: Double = 0.5,
    fill: (inout ProtobufWriter) -> Void = { _ in }
  ) -> [UInt8] {
    ModelBuilder.model(
      inputs: inputs.map { ModelBuilder.feature($0) },
      outputs: ["confidence", "coordinates"].map { ModelBuilder.feature($0) }, type: 610
    ) { writer in
      writer.message(1) { $0.integer(1, 1) }
      writer.message(101) { $0.integers(1, [7, -8]) }
      writer.double(110, iouThreshold)
      writer.double(111, 0.25)
      writer.string(200, "scores")
      writer.string(201, "boxes")
      writer.string(210, "confidence")
      writer.string(211, "coordinates")
      fill(&writer)
    }
  }

  private func detector() -> [UInt8] {
    ModelBuilder.network(
      [copy("x", "scores"), copy("x", "boxes")], outputs: ["scores", "boxes"])
  }

  @Test func detectorPipelineIsRead() throws {
    let bytes = pipeline(
      [detector(), suppression()], outputs: ["confidence", "coordinates"], names: ["net"])
    guard case .pipeline(let pipeline) = try ModelDescription(bytes: bytes).body else {
      throw Missing(what: "a pipeline")
    }
    #expect(pipeline.stages.map(\.name) == ["net", "model1"])
    let expected = NonMaximumSuppression(
      perClass: true, classLabels: .int64s([7, -8]), iouThreshold: 0.5,
      confidenceThreshold: 0.25, confidenceInputName: "scores", coordinatesInputName: "boxes",
      confidenceOutputName: "confidence", coordinatesOutputName: "coordinates")
    #expect(pipeline.stages[1].model.body == .nonMaximumSuppression(expected))
    #expect(expected.classLabels.names == ["7", "-8"])
  }

  @Test func stagesReadOnlyWhatIsThere() throws {
    let early = try error(
      pipeline([suppression(), detector()], outputs: ["confidence", "coordinates"]))
    #expect(early.code == .unknownBlob)
    #expect(early.found.contains("stage 'model0'"))
    let output = try error(pipeline([detector()], outputs: ["other"]))
    #expect(output.found.contains("'other', which no stage writes"))
    #expect(try error(pipeline([], outputs: [])).code == .missingField)
  }

  @Test func suppressionNamesAndThresholdsAreChecked() throws {
    #expect(try error(suppression(inputs: ["scores", "other"])).code == .unknownBlob)
    let undeclared = try ModelDescription(bytes: suppression { $0.string(202, "iou") })
    guard case .nonMaximumSuppression(let stage) = undeclared.body else {
      throw Missing(what: "a suppression stage")
    }
    #expect(stage.iouThresholdInputName == "iou")
    for value in [Double.nan, .infinity, -.infinity] {
      let error = try error(suppression(iouThreshold: value))
      #expect(error.fieldPath == "nonMaximumSuppression.iouThreshold")
    }
  }

  @Test func depthIsLimited() throws {
    var model = ModelBuilder.network([copy("x", "y")])
    for _ in 0..<16 { model = pipeline([model], outputs: ["y"]) }
    _ = try ModelDescription(bytes: model)
    let error = try error(pipeline([model], outputs: ["y"]))
    #expect(error.code == .limitExceeded)
    #expect(error.found.contains("16 pipelines"))
  }

  @Test func classifierPipelinesArePipelines() throws {
    for type in [200, 201] {
      let bytes = ModelBuilder.model(type: type) {
        $0.message(1) { $0.data(1, ModelBuilder.model(type: 500) { _ in }) }
      }
      guard case .pipeline(let pipeline) = try ModelDescription(bytes: bytes).body else {
        throw Missing(what: "a pipeline")
      }
      #expect(pipeline.stages.count == 1)
    }
  }

  @Test func limitsHold() throws {
    var limits = ReadingLimits()
    limits.layers = 2
    let chain = [copy("x", "a"), copy("a", "b"), copy("b", "y")]
    let error = try formatError {
      _ = try ModelDescription(bytes: ModelBuilder.network(chain), limits: limits)
    }
    #expect(error.code == .limitExceeded)
  }
}
