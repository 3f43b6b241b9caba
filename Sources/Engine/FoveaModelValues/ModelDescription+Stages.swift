// Fovea - a model seen as a list of stages.
// SPDX-License-Identifier: Apache-2.0

extension ModelDescription {
  /// The stages of the file: those of a pipeline, or the model itself.
  public var stages: [Pipeline.Stage] {
    if case .pipeline(let pipeline) = body { return pipeline.stages }
    return [Pipeline.Stage(name: "model0", model: self)]
  }

  /// Whether the model is a program, and no pipeline.
  package var isProgram: Bool {
    if case .program = body { true } else { false }
  }

  /// The function of a program, or of the program that a pipeline begins with.
  package var firstFunction: TensorProgram.Function? {
    switch body {
    case .program(let program): program.functions[functionName]
    case .pipeline(let pipeline): pipeline.stages.first?.model.firstFunction
    case .neuralNetwork, .nonMaximumSuppression, .unsupported: nil
    }
  }

  /// The number of layers of all networks in the file; of a program, that of the operations that
  /// compute something.
  public var layerCount: Int {
    switch body {
    case .pipeline(let pipeline): pipeline.stages.reduce(0) { $0 + $1.model.layerCount }
    case .neuralNetwork(let network): network.layers.count
    case .program(let program): program.functions[functionName]?.computingOperationCount ?? 0
    case .nonMaximumSuppression, .unsupported: 0
    }
  }
}
