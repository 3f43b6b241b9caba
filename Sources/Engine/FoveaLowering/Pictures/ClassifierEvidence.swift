// Fovea - classifiers whose files do not say that they are some.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaLibc
internal import FoveaModelValues
internal import FoveaNetworkTasks

/// Which output of a network has the scores of classes, as far as its shape and its last operations
/// tell. Core ML says so itself; other formats do not.
struct ClassifierEvidence {
  /// The output.
  let name: String
  /// Whether the output has probabilities already, and not their logarithms.
  let hasProbabilities: Bool
  /// Whether the network is plainly a classifier, and not one that embeds or measures something.
  let isPlain: Bool

  /// The scores of a network whose only output is one number for each class.
  init?(
    _ stages: ModelStages, outputs: [ModelPort], classLabels: [String]?,
    metadata: [String: String]
  ) {
    guard stages.networks.count == 1, stages.suppression == nil, !stages.isCut,
      stages.networks[0].predictedFeatureName.isEmpty, outputs.count == 1,
      let output = outputs.first, output.count >= 2, output.shape.contains(output.count),
      case .operations(let function) = stages.networks[0].body
    else { return nil }
    if let classLabels, classLabels.count != output.count { return nil }
    let trace = OutputTrace(function)
    let last = trace.lastKind(of: output.name)
    name = output.name
    hasProbabilities = ["softmax", "sigmoid", "logistic"].contains(last)
    isPlain =
      metadata["task"] == "classify" || last == "softmax" || classLabels != nil
      || Self.usualCounts.contains(output.count)
    // Rows of length 1 are no scores, and what is called an embedding has no classes.
    guard !trace.hasRowsOfLengthOne(output.name),
      isPlain || !output.name.lowercased().includes("embed")
    else { return nil }
  }

  /// ImageNet's classes, without and with one for the background.
  private static let usualCounts = [1000, 1001]
}

extension ModelLowering {
  /// The name of the output of probabilities of a network that classifies pictures; `nil` for others.
  /// One is added if what the network writes are their logarithms. Classes without names get numbers.
  func addProbabilities(
    _ file: ModelDescription, _ stages: ModelStages, labels: inout [String]?,
    to outputs: inout [ModelPort]
  ) throws(FoveaError) -> String? {
    guard options.decodesHead,
      let evidence = ClassifierEvidence(
        stages, outputs: outputs, classLabels: labels, metadata: file.metadata.userDefined),
      let scores = features[evidence.name]?.value,
      evidence.isPlain || options.pictures?.needsEvidence != true
    else { return nil }
    if labels == nil { labels = (0..<outputs[0].count).map { "class \($0)" } }
    guard !evidence.hasProbabilities else { return evidence.name }
    let isTaken = evidence.name == Self.probabilitiesName
    let name = Self.probabilitiesName + (isTaken ? "_" : "")
    try graph.setLabel(name)
    let row = try graph.reshape(scores, to: [1, outputs[0].count])
    let probabilities = try graph.softmax(row, axis: 1)
    try graph.markOutput(probabilities, name: name)
    outputs.append(ModelPort(name: name, type: .float32, shape: probabilities.shape))
    return name
  }

  private static let probabilitiesName = "probabilities"
}
