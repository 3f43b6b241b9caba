// Fovea - images to calibrate with, and labeled ones to measure on.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaEvaluation

/// Images to calibrate with, and labeled ones to measure on.
struct LabeledImages {
  /// Which images serve for what.
  enum Split: String, CaseIterable {
    /// In the order of their names, the first, the third ... calibrate, the second, the fourth ... are
    /// measured.
    case alternate
    /// The first half calibrates, the second is measured.
    case halves
    /// The first half calibrates, and all are measured, those of the calibration too.
    case all
  }

  /// An image with its number in the annotations.
  struct Entry {
    var id: Int
    var path: String
  }

  let instances: CocoInstances
  let calibration: [Entry]
  let measured: [Entry]
  /// What was done, in words.
  let description: String

  /// The images of a COCO file, in a folder.
  ///
  /// - Parameter limit: The most images to look at, the first by name.
  /// - Throws: `CommandFailure`.
  init(
    annotations: String, folder: String, split: Split, limit: Int?
  ) throws(CommandFailure) {
    do throws(EvaluationError) {
      instances = try CocoInstances(contentsOf: annotations)
    } catch {
      throw CommandFailure(error, file: annotations)
    }
    var entries = instances.images.compactMap { image in
      image.fileName.map { Entry(id: image.id, path: "\(folder)/\($0)") }
    }.sorted { $0.path < $1.path }
    if let limit { entries = Array(entries.prefix(limit)) }
    guard entries.count > 1 else {
      throw CommandFailure("\(annotations): names fewer than two images")
    }
    let half = entries.count / 2
    switch split {
    case .alternate:
      calibration = stride(from: 0, to: entries.count, by: 2).map { entries[$0] }
      measured = stride(from: 1, to: entries.count, by: 2).map { entries[$0] }
      description = "of \(entries.count) by name, every second from the second"
    case .halves:
      (calibration, measured) = (Array(entries[..<half]), Array(entries[half...]))
      description = "of \(entries.count) by name, the second half"
    case .all:
      (calibration, measured) = (Array(entries[..<half]), entries)
      description = "all, those of the calibration too"
    }
  }

  /// Calls `body` for each image of the calibration.
  ///
  /// - Throws: `CommandFailure` for one that cannot be read, or what `body` throws.
  func forEachOfCalibration(
    _ progress: ProgressLine, _ what: String, _ body: (Image) throws -> Void
  ) throws {
    for (place, entry) in calibration.enumerated() {
      progress.show("\(what), image \(place + 1) of \(calibration.count)")
      do {
        try body(try Image(contentsOf: entry.path))
      } catch {
        throw CommandFailure(error, file: entry.path)
      }
    }
  }

  /// COCO's numbers of a model on the measured images: confidence from 0.001, one class a box, IoU 0.45,
  /// at most 100 objects an image.
  ///
  /// - Throws: `CommandFailure` for an image that cannot be read, `DetectionError` for a model that is no
  ///   detector.
  func metrics(
    of model: Model, pool: ThreadPool, _ progress: ProgressLine, _ what: String
  ) throws -> CocoSummary {
    var request = try DetectObjectsRequest(model: model, pool: pool)
    request.minimumConfidence = 0.001
    request.iouThreshold = 0.45
    request.isClassAgnostic = false
    request.maximumObservations = 100
    request.candidateRule = .bestClass
    let mapping = CategoryMapping(
      labels: request.classLabels, categories: instances.categories)
    var evaluator = AveragePrecisionEvaluator(categories: instances.categories.lazy.map(\.id))
    for (place, entry) in measured.enumerated() {
      progress.show("\(what), image \(place + 1) of \(measured.count)")
      do {
        let result = try request.result(on: ImageFile(contentsOf: entry.path))
        try evaluator.add(
          image: entry.id, objects: instances.objects(inImage: entry.id),
          detections: result.observations.compactMap {
            DetectedObject(
              classIndex: $0.bestLabel?.classIndex, categories: mapping.categories,
              boundingBox: $0.boundingBox, imageSize: result.imageSize,
              confidence: $0.topConfidence)
          })
      } catch {
        throw CommandFailure(error, file: entry.path)
      }
    }
    return evaluator.metrics().summary
  }
}
