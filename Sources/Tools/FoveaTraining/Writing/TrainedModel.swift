// Fovea - a trained network as a Core ML model.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat
package import FoveaModelValues
package import FoveaRuntime

/// What is written about a trained detector.
package struct TrainedModelNotes: Sendable {
  package var metadata = ModelMetadata()
  package var intersectionOverUnion = 0.45
  package var confidence = 0.25
  /// Whether boxes of all classes suppress each other.
  package var isClassAgnostic = false

  /// Creates notes.
  package init() {}
}

extension TrainableNetwork {
  /// The pipeline of the network and a suppression of boxes.
  package func model(_ notes: TrainedModelNotes) throws(TrainingError) -> ModelDescription {
    pipeline(of: try NetworkProgram.detector(self), notes)
  }

  private func pipeline(
    of detector: ModelDescription, _ notes: TrainedModelNotes
  ) -> ModelDescription {
    var metadata = notes.metadata
    metadata.userDefined["names"] = nil
    return SuppressedDetector(
      detector, stageName: "detector", classCount: labels.count
    ).pipeline(
      perClass: !notes.isClassAgnostic, classLabels: .strings(labels),
      iouThreshold: notes.intersectionOverUnion, confidenceThreshold: notes.confidence,
      specificationVersion: 0, metadata: metadata)
  }

  /// The files of the model; one without files beside it where it is no package.
  package func files(_ notes: TrainedModelNotes, isPackage: Bool) throws(TrainingError)
    -> PackageFiles
  {
    try files(of: NetworkProgram.detector(self), notes, isPackage: isPackage)
  }

  /// The files of a detector of this network and a suppression of boxes.
  func files(
    of detector: ModelDescription, _ notes: TrainedModelNotes, isPackage: Bool
  ) throws(TrainingError) -> PackageFiles {
    let model = pipeline(of: detector, notes)
    do throws(ModelWritingError) {
      let written = try ModelEncoder.files(of: model, isPackage: isPackage)
      return PackageFiles(model: written.model, constants: written.constants)
    } catch {
      throw TrainingError(.unsuitableStart, error.message)
    }
  }
}
