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
        let file = try CocoInstances(json: rest, keepsShapes: true)
        let overlaps: [ObjectOverlap] = [
          .boxes, .masks, .keypoints(PointSimilarity(pointCount: 2)),
        ]
        for overlap in overlaps {
          guard file.obstacle(to: overlap) == nil else { continue }
          var evaluator = AveragePrecisionEvaluator(
            categories: file.categories.map(\.id), overlap: overlap)
          for image in file.images {
            try add(file.objects(inImage: image.id), image: image.id, to: &evaluator)
          }
          check(evaluator.metrics())
        }
      case 1:
        let results = try CocoResults(json: rest)
        check(try results.metrics(against: instances.get()))
        for overlap in results.shapes {
          check(try results.metrics(against: instances.get(), overlap: overlap))
        }
      default:
        let text = String(decoding: rest, as: UTF8.self)
        let labels: [YOLOLabelLines.Object]
        do throws(AnnotationError) {
          _ = try? YOLOLabelLines.objects(in: text, file: "labels", keyPointNumbers: 3)
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
      {"images": [{"id": 1, "width": 20, "height": 10}], "categories": [{"id": 3}],
       "annotations": [{"image_id": 1, "category_id": 3, "bbox": [0, 0, 10, 10],
       "segmentation": [[0, 0, 9, 1, 4, 8]], "keypoints": [1, 2, 2, 5, 6, 0]}]}
      """
    return try CocoInstances(json: Array(text.utf8), keepsShapes: true)
  }

  /// Objects that were all found where they are, some of the same score.
  private static func add(
    _ objects: [GroundTruthObject], image: Int, to evaluator: inout AveragePrecisionEvaluator
  ) throws(EvaluationError) {
    let detections = objects.enumerated().map { index, object in
      var found = DetectedObject(
        category: object.category, box: object.box, score: Double(index % 5))
      found.mask = object.mask
      found.keypoints = object.keypoints?.map { $0 ?? PixelPoint(x: 0, y: 0) }
      return found
    }
    try evaluator.add(image: image, objects: objects, detections: detections)
  }

  private static func check(_ metrics: DetectionMetrics) {
    let values = metrics.summary.values
    promise(
      values.allSatisfy { $0 == -1 || (0...1).contains($0) }, "numbers out of range: \(values)")
  }
}
