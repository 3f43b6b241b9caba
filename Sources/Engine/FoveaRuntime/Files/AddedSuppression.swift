// Fovea - a suppression stage behind a detector that has none.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaLowering
internal import FoveaModelValues

/// A suppression stage that is added to a detector: what Core ML's own detectors end with.
package struct AddedSuppression: Sendable {
  /// Boxes that overlap a better one by more are dropped; `nil` for what the model says, or 1 where
  /// boxes do not stand for one object.
  package var iouThreshold: Double?
  /// Boxes whose best score is below are dropped; `nil` for what the model says.
  package var confidenceThreshold: Double?
  /// Whether boxes of all classes suppress each other; `nil` for what the model says.
  package var isClassAgnostic: Bool?

  /// Creates a stage that does as the model says.
  package init() {}

  /// The pipeline of a detector and its suppression.
  ///
  /// - Parameter model: A program. Its outputs are those of its decoded head, where it has one.
  func pipeline(of model: ModelDescription, _ lowered: LoweredModel) throws(FoveaError)
    -> ModelDescription
  {
    guard lowered.suppression == nil else {
      throw FoveaError(
        .unsupported, "the model has a suppression stage already; leave the other one out")
    }
    guard case .program = model.body else {
      throw FoveaError(
        .unsupported,
        "a suppression stage can be added to programs; this model has networks of layers")
    }
    let found = try outputs(of: lowered)
    var detector = model
    detector.metadata = ModelMetadata()
    detector.outputs = found.map { name, shape in Self.array(name, shape) }
    if case .program(var program) = detector.body {
      program.functions[detector.functionName]?.outputs = found.map(\.name)
      detector.body = .program(program)
    }
    let classes = found[0].shape[1]
    let own = ModelThresholds(suppression: nil, metadata: model.metadata)
    let needsSuppression = lowered.head?.head.needsSuppression ?? true
    var labels = lowered.classLabels ?? []
    if labels.count != classes { labels = (0..<classes).map { "\($0)" } }
    return SuppressedDetector(detector, stageName: "detector", classCount: classes).pipeline(
      perClass: !(isClassAgnostic ?? own.isClassAgnostic), classLabels: .strings(labels),
      iouThreshold: iouThreshold ?? (needsSuppression ? own.intersectionOverUnion : 1),
      confidenceThreshold: confidenceThreshold ?? own.confidence, specificationVersion: 0,
      metadata: model.metadata)
  }

  private static func array(_ name: String, _ shape: [Int]) -> FeatureDescription {
    FeatureDescription(
      name: name, type: .multiArray(MultiArrayFeature(shape: shape, dataType: .float32)))
  }

  /// The scores [N, C] and the boxes [N, 4].
  private func outputs(
    of lowered: LoweredModel
  ) throws(FoveaError) -> [(name: String, shape: [Int])] {
    let ports = SuppressedDetector.outputNames.compactMap { name in
      lowered.outputs.first { $0.name.lowercased() == name }
    }
    guard ports.count == 2, ports.allSatisfy({ $0.shape.count == 2 }),
      ports[0].shape[0] == ports[1].shape[0], ports[1].shape[1] == 4
    else {
      let list = lowered.outputs.map { "\"\(ModelText.readable($0.name))\" \($0.shape)" }
      throw FoveaError(
        .unsupported,
        "no suppression can be added: no scores and boxes are known among the outputs"
          + " \(list.joined(separator: ", ")). Name the head of the detector")
    }
    return zip(lowered.decoding?.outputs ?? ports.map(\.name), ports).map { ($0, $1.shape) }
  }
}
