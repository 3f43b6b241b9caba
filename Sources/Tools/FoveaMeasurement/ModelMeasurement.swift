// Fovea - a model measured on annotated images.
// SPDX-License-Identifier: Apache-2.0
package import FoveaEvaluation
internal import FoveaFoundObjects
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

/// The measure of something beside boxes.
package struct ShapeMetrics: Sendable {
  package let overlap: ObjectOverlap
  package let metrics: DetectionMetrics

  package init(overlap: ObjectOverlap, metrics: DetectionMetrics) {
    (self.overlap, self.metrics) = (overlap, metrics)
  }
}

/// How well a model finds what annotators say is in images.
package struct ModelMeasurement {
  /// Of boxes.
  package let metrics: DetectionMetrics
  /// Of what the model says beside boxes, where the annotations say it too.
  package private(set) var shapes: [ShapeMetrics] = []
  /// What was not measured, and why.
  package private(set) var notes: [String] = []
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
    let identifiers = categories.map(\.id)
    var evaluator = AveragePrecisionEvaluator(categories: identifiers)
    var overlaps: [ObjectOverlap] = []
    for overlap in request.shapes {
      if let obstacle = images.obstacle(to: overlap) {
        notes.append("\(overlap.name) are not measured: \(obstacle)")
      } else {
        overlaps.append(overlap)
      }
    }
    var others = overlaps.map {
      AveragePrecisionEvaluator(categories: identifiers, overlap: $0)
    }
    for (place, entry) in images.entries.enumerated() {
      progress(place + 1)
      do {
        let result = try request.result(
          on: ImageFile(toDetectIn: entry.path), orientation: orientation, settings: settings)
        times.add(result.timings)
        let objects = try images.objects(in: entry, size: result.imageSize)
        let detections = result.detectedObjects(
          categories: mapping.categories, keepsShapes: !overlaps.isEmpty)
        try evaluator.add(image: entry.id, objects: objects, detections: detections)
        for place in others.indices {
          try others[place].add(image: entry.id, objects: objects, detections: detections)
        }
        keep(
          ExaminedImage(
            path: entry.path, size: result.imageSize, objects: objects, detections: detections))
      } catch {
        throw .picture(path: entry.path, error)
      }
    }
    metrics = evaluator.metrics()
    shapes = zip(overlaps, others).map { ShapeMetrics(overlap: $0, metrics: $1.metrics()) }
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
