// Fovea - writing a trained detector.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues
package import FoveaRuntime

extension DetectorTrainer {
  /// Writes what came out of a run: a Core ML pipeline of the detector and a suppression of boxes,
  /// with both thresholds, the classes and words about the run.
  ///
  /// - Parameter path: `NAME.mlpackage`, or `NAME.mlmodel` for one file.
  /// - Throws: `.file`.
  public func write(_ result: TrainingResult, to path: String) throws(TrainingError) {
    try Self.write(files(of: result, isPackage: path.hasSuffix(".mlpackage")), to: path)
  }

  /// Writes the files of a model as a package or as one file.
  package static func write(_ files: PackageFiles, to path: String) throws(TrainingError) {
    do throws(FoveaError) {
      if path.hasSuffix(".mlpackage") {
        try files.write(to: path)
      } else {
        try ModelFile.replace(path, with: files.inOneFile().model)
      }
    } catch {
      throw TrainingError(.file, error.message)
    }
  }

  /// The files of the model.
  package func files(
    of result: TrainingResult, isPackage: Bool
  ) throws(TrainingError) -> PackageFiles {
    var notes = TrainedModelNotes()
    notes.confidence = result.score?.confidence ?? notes.confidence
    notes.metadata = metadata(result)
    return try result.network.files(notes, isPackage: isPackage)
  }

  private func metadata(_ result: TrainingResult) -> ModelMetadata {
    var metadata = ModelMetadata(
      shortDescription: "Finds \(result.labels.prefix(5).joined(separator: ", "))"
        + "\(result.labels.count > 5 ? " and \(result.labels.count - 5) more" : "") in pictures.")
    if let starters {
      metadata.userDefined["trained_starters"] = "\(starters.starters.count)"
      metadata.userDefined["trained_backgrounds"] = "\(starters.backgrounds.count)"
    } else {
      metadata.userDefined["trained_pictures"] = "\(training.pictures.count)"
    }
    metadata.userDefined["trained_steps"] = "\(result.steps)"
    metadata.userDefined["trained_seed"] = "\(options.seed)"
    if let score = result.score {
      if measuresComposed { metadata.userDefined["validation_pictures"] = "composed" }
      metadata.userDefined["validation_AP"] = Self.text(score.averagePrecision)
      metadata.userDefined["validation_AP50"] = Self.text(score.averagePrecision50)
    }
    for (key, value) in options.metadata {
      switch key {
      case "description": metadata.shortDescription = value
      case "author": metadata.author = value
      case "license": metadata.license = value
      case "version": metadata.version = value
      default: metadata.userDefined[key] = value
      }
    }
    return metadata
  }

  private static func text(_ number: Double) -> String {
    let thousandths = Int((number * 1000).rounded())
    let digits = "\(thousandths % 1000)"
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
