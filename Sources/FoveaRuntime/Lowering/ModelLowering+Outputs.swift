// Fovea - what can be read after a run.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

extension ModelLowering {
  /// What every output of a network is declared as; a later network shadows an earlier one.
  static func outputTypes(_ stages: ModelStages) -> [String: FeatureType] {
    var types: [String: FeatureType] = [:]
    for feature in stages.networks.flatMap(\.outputs) { types[feature.name] = feature.type }
    return types
  }

  /// Makes outputs of what the file declares and of what suppression reads; of a file that is
  /// cut short, of what its last network declares.
  func markOutputs(
    _ file: CoreMLModel, _ stages: ModelStages
  ) throws(FoveaError) -> [Model.Port] {
    var names: [String] = []
    if stages.isCut, stages.suppression == nil {
      names = stages.networks.last?.outputs.map(\.name) ?? []
    } else {
      names = file.outputs.map(\.name)
      if let suppression = stages.suppression {
        names += [suppression.confidenceInputName, suppression.coordinatesInputName]
      }
    }
    var ports: [Model.Port] = []
    for name in names where !ports.contains(where: { $0.name == name }) {
      guard let feature = features[name] else { continue }
      try graph.markOutput(feature.value, name: name)
      ports.append(Self.outputPort(name, feature.type, computed: feature.value.shape))
    }
    guard !ports.isEmpty else {
      throw FoveaError(
        .invalidModel, "no network writes any of the model's outputs; \(LayerLowering.damaged)")
    }
    return ports
  }

  /// The port of an output that is declared as `type` and has the shape `computed` in the graph.
  static func outputPort(_ name: String, _ type: FeatureType, computed: [Int]) -> Model.Port {
    switch type {
    case .multiArray(let array):
      Model.Port(name: name, type: .float32, shape: shape(array.shape, ofComputed: computed))
    case .image(let image):
      Model.Port(
        name: name, type: .float32,
        shape: shape(
          [image.colorSpace.channelCount, image.height, image.width], ofComputed: computed),
        image: image)
    default: Model.Port(name: name, type: .float32, shape: computed)
    }
  }
}

/// Whether what a network writes is what suppression reads.
enum SuppressionInputs {
  /// Checks names, shapes and the number of labels, as far as shapes are matrices.
  static func check(
    _ suppression: NonMaximumSuppression, outputs: [Model.Port]
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
          + " \(LayerLowering.damaged)")
    }
  }

  private static func port(
    _ name: String, _ outputs: [Model.Port]
  ) throws(FoveaError) -> Model.Port {
    guard let port = outputs.first(where: { $0.name == name }) else {
      throw FoveaError(
        .invalidModel,
        "suppression reads \"\(name)\", which no network writes; \(LayerLowering.damaged)")
    }
    return port
  }
}
