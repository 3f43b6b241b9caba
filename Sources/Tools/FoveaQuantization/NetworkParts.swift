// Fovea - the neural networks of a file.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// A neural network of a file.
struct NetworkPart {
  /// The places of its stage in the pipelines around it; empty for a file that is a network itself.
  var path: [Int]
  var network: NeuralNetwork
  /// The names of the outputs of its model.
  var outputs: [String]
}

extension ModelDescription {
  /// The neural networks, in the order of the file.
  var networks: [NetworkPart] { networks(path: []) }

  private func networks(path: [Int]) -> [NetworkPart] {
    switch body {
    case .pipeline(let pipeline):
      pipeline.stages.enumerated().flatMap { $1.model.networks(path: path + [$0]) }
    case .neuralNetwork(let network):
      [NetworkPart(path: path, network: network, outputs: outputs.map(\.name))]
    case .program, .nonMaximumSuppression, .unsupported: []
    }
  }
}
