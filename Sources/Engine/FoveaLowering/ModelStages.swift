// Fovea - the stages of a model file.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCore
package import FoveaModelValues

/// The stages of a file in the order in which they run: networks, then maybe suppression.
package struct ModelStages {
  /// A network with the interface of its stage.
  package struct NetworkStage {
    package var body: Body
    package var inputs: [FeatureDescription]
    package var outputs: [FeatureDescription]
    package var predictedFeatureName: String
    /// What messages put before a layer: "stage 1, ", or nothing for a file of one network.
    package var place: String

    /// What a network consists of.
    package enum Body {
      case layers(NeuralNetwork)
      case operations(TensorProgram.Function)
    }

    /// The labels of a classifier.
    package var classLabels: ClassLabels {
      switch body {
      case .layers(let network): network.classLabels
      case .operations(let function): function.classLabels
      }
    }
  }

  package private(set) var networks: [NetworkStage] = []
  package private(set) var suppression: NonMaximumSuppression?
  /// Whether stages were left out because the options stop before them.
  let isCut: Bool

  /// Takes a file apart.
  ///
  /// - Throws: `unsupported` for a stage of another kind, `invalidArgument` for a last stage that
  ///   does not exist.
  package init(_ file: ModelDescription, lastStage: Int?) throws(FoveaError) {
    var models: [ModelDescription] = []
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

  /// The file with the function that is to run in place of the one that the file names.
  ///
  /// - Throws: `invalidArgument` for a function that the file does not have.
  package static func choosing(
    _ function: String?, in file: ModelDescription
  ) throws(FoveaError) -> ModelDescription {
    guard let function else { return file }
    guard file.isProgram else {
      throw FoveaError(
        .invalidArgument,
        "the function \"\(function)\" is asked for; only ML Programs that stand alone have some")
    }
    return try file.choosing(function)
  }

  private mutating func append(_ model: ModelDescription, index: Int, isOnly: Bool)
    throws(FoveaError)
  {
    switch model.body {
    case .neuralNetwork(let network):
      try append(.layers(network), of: model, index: index, isOnly: isOnly)
    case .program(let program):
      // The outline of a compiled file has an interface, and no function any more.
      let function =
        program.functions[model.functionName]
        ?? TensorProgram.Function(inputs: [], operationSet: "", operations: [], outputs: [])
      try append(.operations(function), of: model, index: index, isOnly: isOnly)
    case .nonMaximumSuppression(let stage):
      guard suppression == nil else {
        throw FoveaError(.unsupported, "stage \(index) is a second suppression; one can be run")
      }
      suppression = stage
    case .unsupported(let typeName):
      throw FoveaError(
        .unsupported,
        "stage \(index) is a model of type \(typeName), which cannot be run. Export it as an"
          + " ML Program or a neural network")
    case .pipeline: break
    }
  }

  private mutating func append(
    _ body: NetworkStage.Body, of model: ModelDescription, index: Int, isOnly: Bool
  ) throws(FoveaError) {
    guard suppression == nil else {
      throw FoveaError(
        .unsupported,
        "stage \(index) is a network after suppression; suppression can only be last")
    }
    networks.append(
      NetworkStage(
        body: body, inputs: model.inputs, outputs: model.outputs,
        predictedFeatureName: model.predictedFeatureName,
        place: isOnly ? "" : "stage \(index), "))
  }

  /// Pipelines inside pipelines are as deep as the reader allows, which is not deep.
  private static func flatten(_ model: ModelDescription, into models: inout [ModelDescription]) {
    guard case .pipeline(let pipeline) = model.body else { return models.append(model) }
    for stage in pipeline.stages { flatten(stage.model, into: &models) }
  }
}

extension ModelDescription {
  /// The same model with another of its functions.
  fileprivate func choosing(_ name: String) throws(FoveaError) -> ModelDescription {
    if name == functionName { return self }
    guard let function = functions.first(where: { $0.name == name }) else {
      let names = functions.isEmpty ? [functionName] : functions.map(\.name)
      throw FoveaError(
        .invalidArgument,
        "there is no function \"\(name)\"; the model has"
          + " \(names.map { "\"\(ModelText.readable($0))\"" }.joined(separator: ", "))")
    }
    var model = self
    model.functionName = name
    model.inputs = function.inputs
    model.outputs = function.outputs
    model.predictedFeatureName = function.predictedFeatureName
    model.predictedProbabilitiesName = function.predictedProbabilitiesName
    return model
  }
}

extension TensorProgram.Function {
  /// The classes of the operation that ends a classifier.
  fileprivate var classLabels: ClassLabels {
    for operation in operations.reversed() where operation.kind == "classify" {
      guard let argument = operation.arguments["classes"]?.first else { continue }
      let constant: TensorConstant
      switch argument {
      case .constant(let value): constant = value
      case .value(let name):
        let source = operations.first { $0.results.first?.name == name }
        guard case .constant(let value)? = source?.arguments["val"]?.first else { continue }
        constant = value
      }
      if case .strings(let labels) = constant.content { return .strings(labels) }
      if let labels = try? ConstantValue(constant).integers() {
        return .int64s(labels.map { Int64($0) })
      }
    }
    return .none
  }
}
