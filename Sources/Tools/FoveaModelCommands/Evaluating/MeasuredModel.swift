// Fovea - what fovea evaluate measures, and how it detects.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaMeasurement

/// The model that is measured, and the options that are known before it is loaded.
struct MeasuredModel {
  let model: Model
  let path: String
  /// Where the images are.
  let folder: String
  let settings: EvaluationSettings

  /// Reads the options and loads the model; `nil` for a file of results in its place.
  init?(_ arguments: ArgumentList) throws {
    guard !arguments.has("--detections") else { return nil }
    guard let path = arguments.operands.first else { throw UsageError("no MODEL is named") }
    self.path = path
    folder = try arguments.required("--images", "name the folder of the images")
    settings = try EvaluationSettings(arguments)
    model = try ModelLoading.load(.file(path), arguments)
  }
}

/// What the options say about the detections to evaluate.
struct EvaluationSettings {
  private(set) var measure = MeasurementSettings()
  private let refinement: DetectionNumbers
  private let images: ImageOptions

  var orientation: ImageOrientation? { images.orientation }

  /// Reads the options.
  ///
  /// - Throws: `UsageError`.
  init(_ arguments: ArgumentList) throws(UsageError) {
    if let confidence = try arguments.fraction("--confidence") { measure.confidence = confidence }
    if let overlap = try arguments.fraction("--iou") { measure.intersectionOverUnion = overlap }
    if let maximum = try arguments.integer("--max", in: 1...Int.max) { measure.maximum = maximum }
    if arguments.has("--multi-label") { measure.rule = .multiLabel }
    refinement = try DetectionNumbers(DetectionNumber.refinements, arguments)
    images = try ImageOptions(arguments)
  }

  /// The request for a model.
  func request(model: Model, path: String, pool: ThreadPool) throws -> DetectObjectsRequest {
    do throws(DetectionError) {
      var request = try DetectObjectsRequest(model: model, pool: pool)
      measure.apply(to: &request)
      refinement.apply(to: &request)
      images.apply(to: &request)
      return request
    } catch {
      throw error.reported(file: path)
    }
  }
}
