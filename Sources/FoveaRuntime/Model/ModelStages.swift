// Fovea - the stages of a model file.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// The stages of a file in the order in which they run: networks, then maybe suppression.
struct ModelStages {
  /// A network with the interface of its stage.
  struct NetworkStage {
    var network: NeuralNetwork
    var inputs: [FeatureDescription]
    var outputs: [FeatureDescription]
    var predictedFeatureName: String
    /// What messages put before a layer: "stage 1, ", or nothing for a file of one network.
    var place: String
  }

  private(set) var networks: [NetworkStage] = []
  private(set) var suppression: NonMaximumSuppression?
  /// Whether stages were left out because the options stop before them.
  let isCut: Bool

  /// Takes a file apart.
  ///
  /// - Throws: `unsupported` for a stage of another kind, `invalidArgument` for a last stage that
  ///   does not exist.
  init(_ file: CoreMLModel, lastStage: Int?) throws(FoveaError) {
    var models: [CoreMLModel] = []
    Self.flatten(file, into: &models)
    let last = lastStage ?? models.count - 1
    guard models.indices.contains(last) else {
      throw FoveaError(
        .invalidArgument,
        "there is no stage \(last); the model has \(models.count), counted from 0")
    }
    isCut = last < models.count - 1
    for (index, model) in models[...last].enumerated() {
      try append(model, index: index, isOnly: models.count == 1)
    }
    guard !networks.isEmpty else {
      throw FoveaError(.unsupported, "the model has no network to run, only suppression of boxes")
    }
  }

  private mutating func append(_ model: CoreMLModel, index: Int, isOnly: Bool) throws(FoveaError) {
    switch model.body {
    case .neuralNetwork(let network):
      guard suppression == nil else {
        throw FoveaError(
          .unsupported,
          "stage \(index) is a network after suppression; suppression can only be last")
      }
      networks.append(
        NetworkStage(
          network: network, inputs: model.inputs, outputs: model.outputs,
          predictedFeatureName: model.predictedFeatureName,
          place: isOnly ? "" : "stage \(index), "))
    case .nonMaximumSuppression(let stage):
      guard suppression == nil else {
        throw FoveaError(.unsupported, "stage \(index) is a second suppression; one can be run")
      }
      suppression = stage
    case .unsupported(let typeName):
      throw FoveaError(
        .unsupported,
        "stage \(index) is a model of type \(typeName), which cannot be run. Export the detector"
          + " as a neural network")
    case .pipeline: break
    }
  }

  /// Pipelines inside pipelines are as deep as the reader allows, which is not deep.
  private static func flatten(_ model: CoreMLModel, into models: inout [CoreMLModel]) {
    guard case .pipeline(let pipeline) = model.body else { return models.append(model) }
    for stage in pipeline.stages { flatten(stage.model, into: &models) }
  }
}
