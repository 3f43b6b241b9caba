// Fovea - the description of a file without the file's bytes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension ModelDescription {
  /// The same description with weights that keep their encoding and lose their values.
  ///
  /// Weights share the bytes of the whole file, so that one of them would keep all of it in
  /// memory beside the weights that the core has packed.
  func releasingWeights() -> ModelDescription {
    var model = self
    switch body {
    case .pipeline(var pipeline):
      pipeline.stages = pipeline.stages.map {
        Pipeline.Stage(name: $0.name, model: $0.model.releasingWeights())
      }
      model.body = .pipeline(pipeline)
    case .neuralNetwork(var network):
      for index in network.layers.indices { network.layers[index].kind.releaseWeights() }
      for index in network.preprocessing.indices {
        if case .meanImage = network.preprocessing[index].kind {
          network.preprocessing[index].kind = .meanImage([])
        }
      }
      model.body = .neuralNetwork(network)
    case .program(let program): model.body = .program(program.released)
    case .nonMaximumSuppression, .unsupported: break
    }
    return model
  }
}

extension TensorProgram {
  /// The same operations with constants that keep their types and lose their elements. Single numbers
  /// stay: they say what the last operations do.
  fileprivate var released: TensorProgram {
    var program = self
    for (name, var function) in functions {
      for index in function.operations.indices {
        function.operations[index].arguments = function.operations[index].arguments.mapValues {
          $0.map { argument in
            guard case .constant(var constant) = argument else { return argument }
            var kept: [UInt8] = []
            if constant.count == 1, case .bytes(let bytes) = constant.content { kept = bytes.array }
            constant.content = .bytes(StoredBytes(kept))
            return .constant(constant)
          }
        }
      }
      program.functions[name] = function
    }
    return program
  }
}

extension WeightData {
  /// The encoding without values.
  fileprivate var released: WeightData {
    WeightData(bytes: [], segments: [], encoding: encoding)
  }
}

extension LayerKind {
  fileprivate mutating func releaseWeights() {
    switch self {
    case .convolution(var layer):
      (layer.weights, layer.bias) = (layer.weights.released, layer.bias?.released)
      self = .convolution(layer)
    case .innerProduct(var layer):
      (layer.weights, layer.bias) = (layer.weights.released, layer.bias?.released)
      self = .innerProduct(layer)
    case .batchedMatrixProduct(var layer):
      (layer.weights, layer.bias) = (layer.weights?.released, layer.bias?.released)
      self = .batchedMatrixProduct(layer)
    case .loadConstant(var layer):
      layer.data = layer.data.released
      self = .loadConstant(layer)
    case .loadConstantND(var layer):
      layer.data = layer.data.released
      self = .loadConstantND(layer)
    case .batchNormalization(var layer):
      (layer.gamma, layer.beta) = (layer.gamma.released, layer.beta.released)
      (layer.mean, layer.variance) = (layer.mean?.released, layer.variance?.released)
      self = .batchNormalization(layer)
    case .layerNormalization(var layer):
      (layer.gamma, layer.beta) = (layer.gamma.released, layer.beta.released)
      self = .layerNormalization(layer)
    case .scale(var layer):
      (layer.scale, layer.bias) = (layer.scale.released, layer.bias?.released)
      self = .scale(layer)
    case .bias(var layer):
      layer.bias = layer.bias.released
      self = .bias(layer)
    case .activation(.prelu(let alpha)): self = .activation(.prelu(alpha: alpha.released))
    case .activation(.parametricSoftplus(let alpha, let beta)):
      self = .activation(.parametricSoftplus(alpha: alpha.released, beta: beta.released))
    default: break
    }
  }
}
