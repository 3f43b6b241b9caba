// Fovea - fuzzing: annotations and detections.
// SPDX-License-Identifier: Apache-2.0
import FoveaAnnotations
import FoveaEvaluation

enum AnnotationFuzzing {
  /// What is read can be evaluated, all twelve numbers within 0...1 or absent (-1); or the text is refused with words.
  static func read(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    do throws(EvaluationError) {
      switch first % 3 {
      case 0:
        let file = try CocoInstances(json: rest)
        var evaluator = AveragePrecisionEvaluator(categories: file.categories.map(\.id))
        for image in file.images {
          try add(file.objects(inImage: image.id), image: image.id, to: &evaluator)
        }
        check(evaluator.metrics())
      case 1:
        check(try CocoResults(json: rest).metrics(against: instances.get()))
      default:
        let text = String(decoding: rest, as: UTF8.self)
        let labels: [YOLOLabelLines.Object]
        do throws(AnnotationError) {
          labels = try YOLOLabelLines.objects(in: text, file: "labels")
        } catch {
          return promise(error.place != nil, "a label is refused without its line")
        }
        let objects = labels.map { label in
          let box = PixelBox(
            x: label.rectangle.x, y: label.rectangle.y, width: label.rectangle.width,
            height: label.rectangle.height)
          promise(box.width >= 0 && box.height >= 0, "a label of negative size")
          return GroundTruthObject(category: label.classIndex, box: box)
        }
        var evaluator = AveragePrecisionEvaluator(categories: Set(objects.map(\.category)))
        try add(objects, image: 1, to: &evaluator)
        check(evaluator.metrics())
      }
    } catch {
      promise(!error.description.isEmpty, "an error without words")
    }
  }

  /// What results are held against.
  private static let instances = Result { () throws(EvaluationError) in
    let text = """
      {"images": [{"id": 1}], "categories": [{"id": 3}],
       "annotations": [{"image_id": 1, "category_id": 3, "bbox": [0, 0, 10, 10]}]}
      """
    return try CocoInstances(json: Array(text.utf8))
  }

  /// Objects that were all found where they are, some of the same score.
  private static func add(
    _ objects: [GroundTruthObject], image: Int, to evaluator: inout AveragePrecisionEvaluator
  ) throws(EvaluationError) {
    let detections = objects.enumerated().map { index, object in
      DetectedObject(category: object.category, box: object.box, score: Double(index % 5))
    }
    try evaluator.add(image: image, objects: objects, detections: detections)
  }

  private static func check(_ metrics: DetectionMetrics) {
    let values = metrics.summary.values
    promise(
      values.allSatisfy { $0 == -1 || (0...1).contains($0) }, "numbers out of range: \(values)")
  }
}
