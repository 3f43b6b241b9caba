// Fovea - from one network of a file to a part of the graph.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// Adds the layers of one network to a graph.
struct NetworkLowering {
  /// The graph.
  let graph: GraphBuilder
  /// What messages call the network, such as "stage 1, "; empty for a model of one network.
  let place: String
  /// What exists so far, by name.
  private(set) var blobs: [String: GraphValue]

  /// Begins with the network's inputs.
  init(graph: GraphBuilder, place: String, inputs: [String: GraphValue]) {
    self.graph = graph
    self.place = place
    blobs = inputs
  }

  /// Adds all layers in their order.
  ///
  /// - Throws: At the first layer that cannot be run, an error that names it.
  mutating func lower(_ layers: [NeuralNetworkLayer]) throws(FoveaError) {
    for (index, layer) in layers.enumerated() {
      do throws(FoveaError) {
        try lower(layer, index: index)
      } catch {
        throw error.prefixed(by: "\(place)layer \(index) \"\(layer.name)\" (\(layer.typeName))")
      }
    }
  }

  private mutating func lower(_ layer: NeuralNetworkLayer, index: Int) throws(FoveaError) {
    try graph.setLabel(layer.name.isEmpty ? "layer \(index)" : layer.name)
    var inputs: [GraphValue] = []
    for name in layer.inputs {
      guard let value = blobs[name] else {
        throw FoveaError(
          .invalidModel,
          "it reads \"\(name)\", which nothing before it writes;"
            + " \(FoveaError.damaged)")
      }
      inputs.append(value)
    }
    let values = try LayerLowering(graph: graph, layer: layer, inputs: inputs).lower()
    guard values.count == layer.outputs.count else {
      throw FoveaError(
        .unsupported,
        "it writes \(layer.outputs.count) values; \(values.count) can be computed")
    }
    for (name, value) in zip(layer.outputs, values) { blobs[name] = value }
  }
}
