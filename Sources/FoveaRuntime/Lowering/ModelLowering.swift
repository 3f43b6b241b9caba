// Fovea - from a model file to one graph.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// A graph with its interface.
struct LoweredModel {
  let graph: GraphBuilder
  var inputs: [Model.Port]
  var outputs: [Model.Port]
  var suppression: NonMaximumSuppression?
  var classLabels: [String]?
}

/// Wires all networks of a file into one graph, by the names of features.
struct ModelLowering {
  /// What a stage wrote: a value and the type it was declared with.
  struct Feature {
    var value: GraphValue
    var type: FeatureType
  }

  let graph: GraphBuilder
  let options: Model.Options
  /// What networks wrote so far, by feature name; a later one shadows an earlier one.
  var features: [String: Feature] = [:]
  /// Inputs of the graph by feature name, and in their order.
  var inputValues: [String: GraphValue] = [:]
  var inputs: [Model.Port] = []

  /// Lowers a file.
  static func lower(
    _ file: CoreMLModel, options: Model.Options
  ) throws(FoveaError) -> LoweredModel {
    let stages = try ModelStages(file, lastStage: options.lastStage)
    var lowering = ModelLowering(graph: try GraphBuilder(), options: options)
    for stage in stages.networks { try lowering.add(stage) }
    try lowering.checkImageSizes()
    let outputs = try lowering.markOutputs(file, stages)
    if let suppression = stages.suppression {
      try SuppressionInputs.check(suppression, outputs: outputs)
    }
    return LoweredModel(
      graph: lowering.graph, inputs: lowering.inputs, outputs: outputs,
      suppression: stages.suppression, classLabels: ClassNames.find(in: file, stages))
  }

  private init(graph: GraphBuilder, options: Model.Options) {
    self.graph = graph
    self.options = options
  }

  private mutating func add(_ stage: ModelStages.NetworkStage) throws(FoveaError) {
    var values: [String: GraphValue] = [:]
    let readNames = Set(stage.network.layers.flatMap(\.inputs) + stage.outputs.map(\.name))
    for feature in stage.inputs {
      do throws(FoveaError) {
        values[feature.name] = try value(
          of: feature, in: stage, isRead: readNames.contains(feature.name))
      } catch {
        throw error.prefixed(by: "\(stage.place)input \"\(feature.name)\"")
      }
    }
    var network = NetworkLowering(graph: graph, place: stage.place, inputs: values)
    try network.lower(stage.network.layers)
    try collectOutputs(of: stage, from: network.blobs)
  }

  private mutating func collectOutputs(
    of stage: ModelStages.NetworkStage, from blobs: [String: GraphValue]
  ) throws(FoveaError) {
    for feature in stage.outputs {
      switch feature.type {
      case .image, .multiArray, .double, .dictionary:
        guard let value = Self.blob(of: feature, in: stage, blobs) else {
          throw FoveaError(
            .invalidModel,
            "\(stage.place)output \"\(feature.name)\": no layer writes it; \(LayerLowering.damaged)"
          )
        }
        features[feature.name] = Feature(value: value, type: feature.type)
      // The label of a classifier: whoever reads the probabilities finds it.
      case .string, .int64, .sequence, .state, .unspecified: continue
      }
    }
  }

  /// Arrays are blobs of the same name. The probabilities of a classifier are the blob it names,
  /// and the number of a regressor or unnamed probabilities are what the last layer writes.
  private static func blob(
    of feature: FeatureDescription, in stage: ModelStages.NetworkStage,
    _ blobs: [String: GraphValue]
  ) -> GraphValue? {
    if let value = blobs[feature.name] { return value }
    switch feature.type {
    case .dictionary, .double:
      let name = stage.network.labelProbabilityLayerName
      return blobs[name.isEmpty ? stage.network.layers.last?.outputs.first ?? "" : name]
    default: return nil
    }
  }
}
