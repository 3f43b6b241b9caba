// Fovea - the JSON of fovea evaluate.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaEvaluation
internal import FoveaMeasurement

/// The JSON document of `fovea evaluate`. Numbers that there are not are -1, as in pycocotools.
struct EvaluationDocument: Encodable {
  var images: Int
  /// COCO's twelve numbers by name.
  var metrics: [String: Double]
  /// The same for masks and turned boxes, and COCO's ten for key points; absent where they were not
  /// measured.
  var maskMetrics: [String: Double]?
  var keypointMetrics: [String: Double]?
  var cornerMetrics: [String: Double]?
  /// What was not measured, and why; absent where nothing was left out.
  var notes: [String]?
  var categories: [Category]
  var model: String?
  var backend: String?
  var settings: SettingsInUse?
  /// The means of an image.
  var milliseconds: [String: Double]?

  /// How well a category was found.
  struct Category: Encodable {
    var id: Int
    var name: String
    var objects: Int
    var detections: Int
    var metrics: [String: Double]
  }

  /// How the detections came about.
  struct Settings: Encodable {
    var confidence: Double
    var iou: Double
    var max: Int
    var candidateRule: String
    /// "name" or "place".
    var categoriesBy: String
    /// Classes that the data set does not have.
    var strangers: [String]
  }

  /// The settings, and what becomes of the objects that suppression leaves, in one object.
  struct SettingsInUse: Encodable {
    var settings: Settings
    var resolved: DetectionSettings

    func encode(to encoder: any Encoder) throws {
      try settings.encode(to: encoder)
      try DetectionNumber.document(DetectionNumber.refinements) { $0.used(resolved) }
        .encode(to: encoder)
    }
  }

  init(_ report: EvaluationReport) {
    images = report.metrics.imageCount
    metrics = ShapeMetrics(overlap: .boxes, metrics: report.metrics).namedNumbers
    for shape in report.shapes {
      switch shape.overlap {
      case .boxes: break
      case .masks: maskMetrics = shape.namedNumbers
      case .keypoints: keypointMetrics = shape.namedNumbers
      case .corners: cornerMetrics = shape.namedNumbers
      }
    }
    notes = report.notes.isEmpty ? nil : report.notes
    categories = report.named.map { name, metrics in
      Category(
        id: metrics.category, name: name, objects: metrics.objectCount,
        detections: metrics.detectionCount,
        metrics: [
          "AP": metrics.averagePrecision() ?? -1,
          "AP50": metrics.averagePrecision(threshold: 0) ?? -1,
          "AP75": metrics.averagePrecision(threshold: 5) ?? -1,
          "AR100": metrics.averageRecall() ?? -1,
        ])
    }
    guard let run = report.run else { return }
    model = run.model
    backend = run.backend.rawValue
    let measure = run.settings.measure
    settings = SettingsInUse(
      settings: Settings(
        confidence: measure.confidence, iou: measure.intersectionOverUnion,
        max: measure.maximum, candidateRule: measure.rule.rawValue,
        categoriesBy: run.mapping.rule.rawValue, strangers: run.strangers),
      resolved: run.resolved)
    milliseconds = run.times.means
  }
}
