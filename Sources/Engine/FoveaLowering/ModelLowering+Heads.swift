// Fovea - scores and boxes of detectors that write them in other forms.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues
internal import FoveaProgramEnds

extension ModelLowering {
  /// The names of the outputs in which detectors give what is decoded.
  static let decodedNames = ["confidence", "coordinates"]

  /// Adds scores and boxes, if the outputs are those of a head.
  ///
  /// Heads are decoded by operations of the graph: what follows - suppression in Swift and in C,
  /// compiled files, evaluation - sees one form of detector.
  mutating func addHead(
    _ file: ModelDescription, _ stages: ModelStages, classLabels: [String]?,
    inner: InnerSuppression?, to outputs: inout [ModelPort]
  ) throws(FoveaError) -> RecognizedHead? {
    guard options.decodesHead, let evidence = evidence(file, stages, classLabels, inner) else {
      if let head = options.head {
        throw FoveaError(
          .invalidArgument,
          "the head \(head.rawValue) is asked for; it needs one network that reads one image and has"
            + " no suppression stage")
      }
      return nil
    }
    let forced = options.head
    let names = outputs.map { $0.name.lowercased() }
    let isDecoded = Self.decodedNames.allSatisfy(names.contains)
    guard forced != nil || !isDecoded else { return nil }
    let program = HeadProgram(
      graph, outputs: features.mapValues(\.value), taken: translation,
      keepsOperations: options.keepsTranslation)
    let decoded: DecodedHead?
    do throws(FoveaError) {
      decoded = try HeadRecognition.decode(evidence, program, forced: forced)
    } catch {
      guard evidence.notes.needsSample, evidence.samples == nil else { throw error }
      decoded = nil
    }
    needsSample = evidence.notes.needsSample && evidence.samples == nil
    doubts = decoded == nil ? evidence.notes.doubts : []
    guard let decoded else { return nil }
    let values = [decoded.confidence, decoded.coordinates] + decoded.parts.map(\.value)
    let added = Self.decodedNames + decoded.parts.map(\.output.rawValue)
    outputs.removeAll { added.contains($0.name) }
    for (name, value) in zip(added, values) {
      guard let result = try program.graphValue(value) else { continue }
      try graph.markOutput(result, name: name)
      outputs.append(ModelPort(name: name, type: .float32, shape: value.shape))
    }
    if options.keepsTranslation { decoding = try HeadDecoding(decoded, program) }
    return decoded.recognized
  }

  private func evidence(
    _ file: ModelDescription, _ stages: ModelStages, _ classLabels: [String]?,
    _ inner: InnerSuppression?
  ) -> HeadEvidence? {
    guard stages.suppression == nil, !stages.isCut, stages.networks.count == 1, inputs.count == 1,
      let image = inputs[0].image, file.metadata.userDefined["task"] != "classify",
      stages.networks[0].predictedFeatureName.isEmpty
    else { return nil }
    var metadata = file.metadata.userDefined
    if let task = options.task { metadata["task"] = task.rawValue }
    var kinds: Set<String>?
    if case .operations = stages.networks[0].body { kinds = self.kinds }
    let found = stages.networks[0].outputs.compactMap { feature in
      features[feature.name].map {
        HeadEvidence.Output(
          name: feature.name,
          value: HeadValue(argument: .value(feature.name), shape: $0.value.shape))
      }
    }
    return HeadEvidence(
      outputs: found, width: image.width, height: image.height, classNames: classLabels,
      metadata: metadata, kinds: kinds, trace: kinds == nil ? nil : trace,
      suppression: inner, boxes: options.boxes, scores: options.scores,
      samples: options.outputSamples)
  }
}
