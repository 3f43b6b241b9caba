// Fovea - which arrays of weights a layer stores, and how.
// SPDX-License-Identifier: Apache-2.0
public import FoveaModelFormat

extension LayerKind {
  /// The arrays of weights that the layer stores, the largest part first.
  public var storedWeights: [WeightData] {
    let arrays: [WeightData?] =
      switch self {
      case .convolution(let layer): [layer.weights, layer.bias]
      case .innerProduct(let layer): [layer.weights, layer.bias]
      case .batchedMatrixProduct(let layer): [layer.weights, layer.bias]
      case .loadConstant(let layer), .loadConstantND(let layer): [layer.data]
      case .batchNormalization(let layer): [layer.gamma, layer.beta, layer.mean, layer.variance]
      case .layerNormalization(let layer): [layer.gamma, layer.beta]
      case .scale(let layer): [layer.scale, layer.bias]
      case .bias(let layer): [layer.bias]
      case .activation(.prelu(let alpha)): [alpha]
      case .activation(.parametricSoftplus(let alpha, let beta)): [alpha, beta]
      default: []
      }
    return arrays.compactMap { $0 }
  }
}

extension CoreMLModel {
  /// All layers of all networks in the file, in the order in which they run.
  public var allLayers: [NeuralNetworkLayer] {
    switch body {
    case .pipeline(let pipeline): pipeline.stages.flatMap(\.model.allLayers)
    case .neuralNetwork(let network): network.layers
    case .nonMaximumSuppression, .unsupported: []
    }
  }

  /// The stages of the file: those of a pipeline, or the model itself.
  public var stages: [Pipeline.Stage] {
    if case .pipeline(let pipeline) = body { return pipeline.stages }
    return [Pipeline.Stage(name: "model0", model: self)]
  }
}
