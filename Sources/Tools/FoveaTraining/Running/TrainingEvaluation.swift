// Fovea - how well a network finds what is in pictures that it has not learned from.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaEvaluation
internal import FoveaFoundObjects
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaRuntime
internal import FoveaVision

/// What an evaluation of a network says.
public struct TrainingScore: Sendable, Hashable, Codable {
  /// Average precision over overlaps of 0.50 to 0.95.
  public var averagePrecision: Double
  /// Average precision at an overlap of 0.50.
  public var averagePrecision50: Double
  /// The confidence of the greatest F1.
  public var confidence: Double
  /// The precision there.
  public var precision: Double
  /// The recall there.
  public var recall: Double

  /// Creates a score.
  public init(
    averagePrecision: Double, averagePrecision50: Double, confidence: Double, precision: Double,
    recall: Double
  ) {
    (self.averagePrecision, self.averagePrecision50) = (averagePrecision, averagePrecision50)
    (self.confidence, self.precision, self.recall) = (confidence, precision, recall)
  }

  /// What is said where nothing was measured.
  static let none = TrainingScore(
    averagePrecision: 0, averagePrecision50: 0, confidence: 0.25, precision: 0, recall: 0)
}

/// Measures networks on pictures.
struct TrainingEvaluation {
  private let pictures: any MeasuredPictures
  private let pool: ThreadPool

  /// Measures on pictures.
  init(_ pictures: any MeasuredPictures, pool: ThreadPool) {
    (self.pictures, self.pool) = (pictures, pool)
  }

  /// The pictures to measure on.
  var count: Int { pictures.count }

  /// The score of a network; `nil` without pictures.
  func score(_ network: TrainableNetwork) throws(TrainingError) -> TrainingScore? {
    if count == 0 { return nil }
    let description = try network.model(TrainedModelNotes())
    do {
      let model = try Model(file: description, name: "trained")
      var request = try DetectObjectsRequest(model: model, pool: pool)
      request.minimumConfidence = 0.001
      request.iouThreshold = 0.45
      request.isClassAgnostic = false
      request.maximumObservations = 100
      return try score(request)
    } catch let error as TrainingError {
      throw error
    } catch {
      throw TrainingError(.unsuitableStart, "\(error)")
    }
  }

  private func score(_ request: DetectObjectsRequest) throws -> TrainingScore {
    var evaluator = AveragePrecisionEvaluator(
      categories: pictures.labels.indices, annotationZero: .matched)
    var balance = ConfidenceBalance()
    for place in 0..<count {
      let (image, labeled) = try pictures.picture(place)
      let result = try request.result(on: image)
      let size = result.imageSize
      let objects = labeled.map { object in
        GroundTruthObject(
          category: object.label,
          box: PixelBox(
            x: object.x * Double(size.width), y: object.y * Double(size.height),
            width: object.width * Double(size.width),
            height: object.height * Double(size.height)), isCrowd: object.weight <= 0)
      }
      let found = result.detectedObjects(categories: Array(pictures.labels.indices))
      try evaluator.add(image: place, objects: objects, detections: found)
      balance.add(objects: objects, detections: found)
    }
    let summary = evaluator.metrics().summary
    let choice = balance.best()
    return TrainingScore(
      averagePrecision: summary.averagePrecision ?? 0,
      averagePrecision50: summary.averagePrecision50 ?? 0,
      confidence: choice?.confidence ?? 0.25, precision: choice?.precision ?? 0,
      recall: choice?.recall ?? 0)
  }
}
