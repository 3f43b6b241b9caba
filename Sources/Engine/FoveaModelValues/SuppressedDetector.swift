// Fovea - a detector and the suppression of its boxes in one model.
// SPDX-License-Identifier: Apache-2.0

/// A detector behind which boxes are suppressed, as Core ML's own detectors are built.
///
///     image -> detector -> scores [N, C], boxes [N, 4]
///           -> suppression -> confidence [kept, C], coordinates [kept, 4]
package struct SuppressedDetector {
  /// The network. Its two outputs are the scores and the boxes.
  package var detector: ModelDescription
  /// The name of the network's stage.
  package var stageName: String
  /// The number of classes, C.
  package var classCount: Int

  /// The names of the results.
  package static let outputNames = ["confidence", "coordinates"]
  private static let thresholdNames = ["iouThreshold", "confidenceThreshold"]

  /// Describes a detector.
  package init(_ detector: ModelDescription, stageName: String, classCount: Int) {
    self.detector = detector
    self.stageName = stageName
    self.classCount = classCount
  }

  /// The pipeline of the detector and its suppression. Callers may give both thresholds.
  ///
  /// - Parameter specificationVersion: The version of the pipeline and of its suppression.
  package func pipeline(
    perClass: Bool, classLabels: ClassLabels, iouThreshold: Double, confidenceThreshold: Double,
    specificationVersion: Int, metadata: ModelMetadata
  ) -> ModelDescription {
    let thresholds = Self.thresholdNames.map { FeatureDescription(name: $0, type: .double) }
    let results = zip(Self.outputNames, [classCount, 4]).map { name, columns in
      FeatureDescription(
        name: name,
        type: .multiArray(
          MultiArrayFeature(
            shape: [], dataType: .float32,
            allowedShapes: .ranges([
              SizeRange(lower: 0, upper: nil), SizeRange(lower: columns, upper: columns),
            ]))))
    }
    let suppression = ModelDescription(
      specificationVersion: specificationVersion, inputs: detector.outputs + thresholds,
      outputs: results,
      body: .nonMaximumSuppression(
        NonMaximumSuppression(
          perClass: perClass, classLabels: classLabels, iouThreshold: iouThreshold,
          confidenceThreshold: confidenceThreshold,
          confidenceInputName: detector.outputs[0].name,
          coordinatesInputName: detector.outputs[1].name,
          iouThresholdInputName: thresholds[0].name,
          confidenceThresholdInputName: thresholds[1].name,
          confidenceOutputName: Self.outputNames[0], coordinatesOutputName: Self.outputNames[1])))
    // The pipeline says that callers may leave the thresholds out.
    let optional = thresholds.map {
      FeatureDescription(name: $0.name, type: .double, isOptional: true)
    }
    return ModelDescription(
      specificationVersion: specificationVersion, inputs: detector.inputs + optional,
      outputs: results, metadata: metadata,
      body: .pipeline(
        Pipeline(stages: [
          Pipeline.Stage(name: stageName, model: detector),
          Pipeline.Stage(name: "suppression", model: suppression),
        ])))
  }
}
