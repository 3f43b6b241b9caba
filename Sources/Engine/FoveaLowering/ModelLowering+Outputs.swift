// Fovea - what can be read after a run.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCore
package import FoveaModelValues

extension ModelLowering {
  /// What every output of a network is declared as; a later network shadows an earlier one.
  package static func outputTypes(_ stages: ModelStages) -> [String: FeatureType] {
    var types: [String: FeatureType] = [:]
    for feature in stages.networks.flatMap(\.outputs) { types[feature.name] = feature.type }
    return types
  }

  /// Makes outputs of what the file declares and of what suppression reads; of a file that is
  /// cut short, of what its last network declares.
  func markOutputs(
    _ file: ModelDescription, _ stages: ModelStages
  ) throws(FoveaError) -> [ModelPort] {
    var names: [String] = []
    if stages.isCut, stages.suppression == nil {
      names = stages.networks.last?.outputs.map(\.name) ?? []
    } else {
      names = file.outputs.map(\.name)
      if let suppression = stages.suppression {
        names += [suppression.confidenceInputName, suppression.coordinatesInputName]
      }
    }
    var ports: [ModelPort] = []
    for name in names where !ports.contains(where: { $0.name == name }) {
      guard let feature = features[name] else { continue }
      try graph.markOutput(feature.value, name: name)
      ports.append(Self.outputPort(name, feature.type, computed: feature.value.shape))
    }
    guard !ports.isEmpty else {
      throw FoveaError(
        .invalidModel, "no network writes any of the model's outputs; \(FoveaError.damaged)")
    }
    return ports
  }

  /// The port of an output that is declared as `type` and has the shape `computed` in the graph.
  package static func outputPort(_ name: String, _ type: FeatureType, computed: [Int]) -> ModelPort
  {
    switch type {
    case .multiArray(let array):
      ModelPort(name: name, type: .float32, shape: shape(array.shape, ofComputed: computed))
    case .image(let image):
      ModelPort(
        name: name, type: .float32,
        shape: shape(
          [image.colorSpace.channelCount, image.height, image.width], ofComputed: computed),
        image: image)
    default: ModelPort(name: name, type: .float32, shape: computed)
    }
  }
}

/// Whether what a network writes is what suppression reads.
package enum SuppressionInputs {
  /// Checks names, shapes and the number of labels, as far as shapes are matrices.
  package static func check(
    _ suppression: NonMaximumSuppression, outputs: [ModelPort]
  ) throws(FoveaError) {
    let confidence = try port(suppression.confidenceInputName, outputs)
    let coordinates = try port(suppression.coordinatesInputName, outputs)
    guard confidence.shape.count == 2, coordinates.shape.count == 2 else { return }
    guard coordinates.shape[1] == 4, coordinates.shape[0] == confidence.shape[0] else {
      throw FoveaError(
        .shapeMismatch,
        "suppression reads scores of shape \(confidence.shape) and boxes of shape"
          + " \(coordinates.shape); [boxes, classes] and [boxes, 4] were expected")
    }
    let labels = suppression.classLabels.count
    guard labels == 0 || labels == confidence.shape[1] else {
      throw FoveaError(
        .invalidModel,
        "suppression has \(labels) class labels for \(confidence.shape[1]) classes;"
          + " \(FoveaError.damaged)")
    }
  }

  private static func port(
    _ name: String, _ outputs: [ModelPort]
  ) throws(FoveaError) -> ModelPort {
    guard let port = outputs.first(where: { $0.name == name }) else {
      throw FoveaError(
        .invalidModel,
        "suppression reads \"\(name)\", which no network writes; \(FoveaError.damaged)")
    }
    return port
  }
}
