// Fovea - the files that a run has written, measured as fovea evaluate measures.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaFiles
internal import FoveaMeasurement
internal import FoveaReports
internal import FoveaRuntime
internal import FoveaTraining
internal import FoveaVision

/// A file that a run has written.
struct WrittenModel {
  /// What its weights are, such as "half".
  let name: String
  let path: String

  /// Measures the file as `fovea evaluate` does.
  ///
  /// - Parameters:
  ///   - keep: Gets what is in each image, and what was found.
  ///   - words: What the line of progress says.
  /// - Throws: `.file`, `.unsuitablePictures`.
  func measurement(
    on images: AnnotatedImages, pool: ThreadPool, words: String,
    keep: (ExaminedImage) -> Void = { _ in }
  ) throws(TrainingError) -> ModelMeasurement {
    do {
      let model = try Model(contentsOf: path)
      var request = try DetectObjectsRequest(model: model, pool: pool)
      MeasurementSettings().apply(to: &request)
      let count = images.entries.count
      return try ModelMeasurement(of: request, on: images, keep: keep) {
        SystemInterface.writeProgress("report: \(words) \($0)/\(count)")
      }
    } catch MeasurementError.picture(let picture, let error) {
      throw TrainingError(.unsuitablePictures, "\(picture): \(error)")
    } catch {
      throw TrainingError(.file, "\(path): \(error)")
    }
  }

  /// What the page says of it.
  func variant(_ measurement: ModelMeasurement) -> TrainingPage.Variant {
    TrainingPage.Variant(
      name: name, path: path, metrics: measurement.metrics,
      byteCount: FilePath.byteCount(below: path),
      milliseconds: measurement.times.means.values.reduce(0, +))
  }
}
