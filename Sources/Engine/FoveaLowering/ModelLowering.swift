// Fovea - from a model file to one graph.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCore
package import FoveaModelValues
internal import FoveaProgramEnds

/// A graph with its interface.
package struct LoweredModel {
  package let graph: GraphBuilder
  /// The model as it was lowered: with a picture among its inputs, where one was asked for.
  package var file: ModelDescription
  package var inputs: [ModelPort]
  package var outputs: [ModelPort]
  package var suppression: NonMaximumSuppression?
  package var classLabels: [String]?
  package var head: RecognizedHead?
  /// Whether the head can be told for certain only from what the network writes for a picture.
  package var needsSample = false
  /// Why outputs are not read as those of a head, in words.
  package var doubts: [String] = []
  /// The output of probabilities of a classifier whose file names none; `nil` for others.
  package var probabilities: String?
  /// How a picture takes the place of an array; `nil` where all inputs are as in the file.
  package var picture: PictureForm?
  /// The operations of ML Programs that the model was lowered by, if the options ask for them.
  package var translation: [TensorProgram.Operation] = []
  /// The decoding of the head in the same way.
  package var decoding: HeadDecoding?
}

/// Wires all networks of a file into one graph, by the names of features.
package struct ModelLowering {
  /// What a stage wrote: a value and the type it was declared with.
  struct Feature {
    var value: GraphValue
    var type: FeatureType
  }

  let graph: GraphBuilder
  let options: ModelOptions
  /// How a picture takes the place of an array of the first program.
  private var picture: PictureForm?
  /// What the constants of all programs may take.
  let budget: ConstantBudget
  /// What networks wrote so far, by feature name; a later one shadows an earlier one.
  var features: [String: Feature] = [:]
  /// Inputs of the graph by feature name, and in their order.
  var inputValues: [String: GraphValue] = [:]
  var inputs: [ModelPort] = []
  private(set) var translation: [TensorProgram.Operation] = []
  /// The decoding of the head, if the options ask for the operations.
  var decoding: HeadDecoding?
  /// The kinds of operations of ML Programs that all programs consist of, or were translated to.
  var kinds: Set<String> = []
  /// Where values of the last program come from.
  private(set) var trace: ColumnTrace?
  /// Whether the head is asked for what the network writes for a picture.
  var needsSample = false
  /// Why outputs are not read as those of a head.
  var doubts: [String] = []

  /// Lowers a file.
  ///
  /// - Parameter picture: How a picture takes the place of an array, if one does.
  package static func lower(
    _ file: ModelDescription, options: ModelOptions, picture: PictureForm? = nil
  ) throws(FoveaError) -> LoweredModel {
    let (file, inner) = InnerSuppression.cut(withPicture(picture, file, options)) {
      try? ConstantValue($0).floats()
    }
    let stages = try ModelStages(file, lastStage: options.lastStage)
    var lowering = ModelLowering(
      graph: try GraphBuilder(), options: options, picture: picture)
    for stage in stages.networks { try lowering.add(stage) }
    try lowering.checkSizes()
    var outputs = try lowering.markOutputs(file, stages)
    if let suppression = stages.suppression {
      try SuppressionInputs.check(suppression, outputs: outputs)
    }
    var classLabels = ClassNames.find(in: file, stages)
    let head = try lowering.addHead(
      file, stages, classLabels: classLabels, inner: inner, to: &outputs)
    classLabels = classLabels ?? head?.classLabels
    let probabilities =
      picture == nil || head != nil
      ? nil
      : try lowering.addProbabilities(file, stages, labels: &classLabels, to: &outputs)
    return LoweredModel(
      graph: lowering.graph, file: file, inputs: lowering.inputs, outputs: outputs,
      suppression: stages.suppression, classLabels: classLabels, head: head,
      needsSample: lowering.needsSample, doubts: lowering.doubts,
      probabilities: probabilities, picture: picture,
      translation: lowering.translation, decoding: lowering.decoding)
  }

  private init(graph: GraphBuilder, options: ModelOptions, picture: PictureForm?) {
    self.graph = graph
    self.options = options
    self.picture = picture
    budget = ConstantBudget(maximum: options.maximumSessionBytes)
  }

  private mutating func add(_ stage: ModelStages.NetworkStage) throws(FoveaError) {
    switch stage.body {
    case .layers(let network): try add(network, of: stage)
    case .operations(let function): try add(function, of: stage)
    }
  }

  private mutating func add(
    _ network: NeuralNetwork, of stage: ModelStages.NetworkStage
  ) throws(FoveaError) {
    var values: [String: GraphValue] = [:]
    let readNames = Set(network.layers.flatMap(\.inputs) + stage.outputs.map(\.name))
    for feature in stage.inputs {
      do throws(FoveaError) {
        values[feature.name] = try value(
          of: feature, for: network, isRead: readNames.contains(feature.name))
      } catch {
        throw error.prefixed(by: "\(stage.place)input \"\(feature.name)\"")
      }
    }
    var lowering = NetworkLowering(graph: graph, place: stage.place, inputs: values)
    try lowering.lower(network.layers)
    try collectOutputs(of: stage) { feature in
      Self.blob(of: feature, in: network, lowering.blobs)
    }
  }

  private mutating func add(
    _ function: TensorProgram.Function, of stage: ModelStages.NetworkStage
  ) throws(FoveaError) {
    budget.allow(function)
    graph.budget = budget
    defer { graph.budget = nil }
    var values: [String: ProgramValue] = [:]
    let described = Dictionary(
      stage.inputs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for input in function.inputs {
      do throws(FoveaError) {
        values[input.name] = try programValue(of: input, described[input.name])
      } catch {
        throw error.prefixed(by: "\(stage.place)input \"\(input.name)\"")
      }
    }
    var lowering = ProgramLowering(
      graph: graph, place: stage.place, inputs: values,
      maximumConstantBytes: min(options.maximumSessionBytes, Self.greatestConstantWork))
    // Later stages read what the first one makes of the picture.
    defer { picture = nil }
    let written = try lowering.lowerInAnyFormat(
      function, picture: picture, keepsTranslation: options.keepsTranslation)
    if options.keepsTranslation { translation += written }
    kinds.formUnion(lowering.kinds)
    trace = ColumnTrace(lowering)
    try graph.setLabel("")
    try collectOutputs(of: stage) { feature throws(FoveaError) in
      try lowering.graphValue(of: feature.name)
    }
  }

  /// Constants of more bytes than this are computed in every run.
  private static let greatestConstantWork = 1 << 28

  private mutating func collectOutputs(
    of stage: ModelStages.NetworkStage,
    from value: (FeatureDescription) throws(FoveaError) -> GraphValue?
  ) throws(FoveaError) {
    for feature in stage.outputs {
      switch feature.type {
      case .image, .multiArray, .double, .dictionary:
        guard let value = try value(feature) else {
          throw FoveaError(
            .invalidModel,
            "\(stage.place)output \"\(feature.name)\": nothing computes it;"
              + " \(FoveaError.damaged)")
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
    of feature: FeatureDescription, in network: NeuralNetwork, _ blobs: [String: GraphValue]
  ) -> GraphValue? {
    if let value = blobs[feature.name] { return value }
    switch feature.type {
    case .dictionary, .double:
      let name = network.labelProbabilityLayerName
      return blobs[name.isEmpty ? network.layers.last?.outputs.first ?? "" : name]
    default: return nil
    }
  }
}
