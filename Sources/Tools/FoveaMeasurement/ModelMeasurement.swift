// Fovea - a model measured on annotated images.
// SPDX-License-Identifier: Apache-2.0
package import FoveaEvaluation
package import FoveaGeometry
internal import FoveaImaging
package import FoveaVision

/// What detections are measured, as COCO's evaluations have it.
package struct MeasurementSettings: Sendable {
  /// The least confidence.
  package var confidence = 0.001
  /// The greatest overlap of two objects.
  package var intersectionOverUnion = 0.45
  /// The greatest number of objects in an image.
  package var maximum = 100
  package var rule = CandidateRule.bestClass

  package init() {}

  package func apply(to request: inout DetectObjectsRequest) {
    request.minimumConfidence = Float(confidence)
    request.iouThreshold = intersectionOverUnion
    request.isClassAgnostic = false
    request.maximumObservations = maximum
    request.candidateRule = rule
  }
}

/// Why a model cannot be measured.
package enum MeasurementError: Error {
  case noKnownCategory
  case unusableModel(any Error)
  case picture(path: String, any Error)
}

/// How well a model finds what annotators say is in images.
package struct ModelMeasurement {
  package let metrics: DetectionMetrics
  package let categories: [CocoInstances.Category]
  package let mapping: CategoryMapping
  /// What the request and the model come to.
  package let settings: DetectionSettings
  package private(set) var times = StageTimes()

  /// Measures.
  ///
  /// - Parameters:
  ///   - keep: Gets what is in each image, and what was found.
  ///   - progress: Is called before each image with its number, from 1.
  package init(
    of request: DetectObjectsRequest, on images: AnnotatedImages,
    orientation: ImageOrientation? = nil, keep: (ExaminedImage) -> Void, progress: (Int) -> Void
  ) throws(MeasurementError) {
    do throws(DetectionError) {
      settings = try request.resolvedSettings()
    } catch {
      throw .unusableModel(error)
    }
    categories = images.categories(labels: request.classLabels)
    mapping = CategoryMapping(labels: request.classLabels, categories: categories)
    guard mapping.categories.contains(where: { $0 != nil }) else { throw .noKnownCategory }
    var evaluator = AveragePrecisionEvaluator(categories: categories.lazy.map(\.id))
    for (place, entry) in images.entries.enumerated() {
      progress(place + 1)
      do {
        let result = try request.result(
          on: ImageFile(toDetectIn: entry.path), orientation: orientation, settings: settings)
        times.add(result.timings)
        let objects = try images.objects(in: entry, size: result.imageSize)
        let detections = result.detectedObjects(categories: mapping.categories)
        try evaluator.add(image: entry.id, objects: objects, detections: detections)
        keep(
          ExaminedImage(
            path: entry.path, size: result.imageSize, objects: objects, detections: detections))
      } catch {
        throw .picture(path: entry.path, error)
      }
    }
    metrics = evaluator.metrics()
  }
}

extension DetectionMetrics {
  /// Categories with their names.
  package func named(
    _ list: [CocoInstances.Category]
  ) -> [(name: String, metrics: CategoryMetrics)] {
    let names = Dictionary(list.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    return categories.map { ((names[$0.category] ?? nil) ?? "\($0.category)", $0) }
  }
}
