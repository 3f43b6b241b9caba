// Fovea - single mistakes of a detector, by their kinds.
// SPDX-License-Identifier: Apache-2.0

/// A mistake of a detector in one image.
package struct DetectionMistake: Sendable {
  /// Kinds of mistakes, in the order in which they are told.
  package enum Kind: String, Sendable, CaseIterable {
    case wrongClass = "wrong class"
    case misplaced = "badly placed"
    case invented = "not there"
    case missed
  }

  package let kind: Kind
  /// The place of the image.
  package let image: Int
  /// The place of the object in the judgement; `nil` for what is not there.
  package let object: Int?
  /// The place of the detection in the judgement; `nil` for what was missed.
  package let detection: Int?
  /// How bad it is beside others of its kind: the confidence, or the area of what was missed.
  package let weight: Double
}

/// The mistakes of a detector in all images.
package struct DetectionMistakes: Sendable {
  package let judgements: [ImageJudgement]
  /// Those of each kind, the worst first.
  package let ofKind: [DetectionMistake.Kind: [DetectionMistake]]
  private let images: [ExaminedImage]
  private let confidence: Double

  /// Looks at detections of at least a confidence.
  package init(_ images: [ExaminedImage], confidence: Double) {
    (self.images, self.confidence) = (images, confidence)
    judgements = images.map {
      ImageJudgement(objects: $0.objects, detections: $0.detections, confidence: confidence)
    }
    let all = judgements.enumerated().flatMap { Self.mistakes(of: $1, $0) }
    ofKind = Dictionary(grouping: all, by: \.kind).mapValues { mistakes in
      mistakes.sorted { ($1.weight, $0.image) < ($0.weight, $1.image) }
    }
  }

  private static func mistakes(of judgement: ImageJudgement, _ image: Int) -> [DetectionMistake] {
    func weight(_ detection: Int) -> Double { judgement.detections[detection].score }
    var mistakes = judgement.confused.map { pair in
      DetectionMistake(
        kind: .wrongClass, image: image, object: pair.object, detection: pair.detection,
        weight: weight(pair.detection))
    }
    var near: Set<Int> = []
    for detection in judgement.invented {
      let nearest = judgement.nearestMissed(detection)
      if let nearest { near.insert(nearest.object) }
      mistakes.append(
        DetectionMistake(
          kind: nearest == nil ? .invented : .misplaced, image: image, object: nearest?.object,
          detection: detection, weight: weight(detection)))
    }
    for object in judgement.missed where !near.contains(object) {
      mistakes.append(
        DetectionMistake(
          kind: .missed, image: image, object: object, detection: nil,
          weight: judgement.objects[object].box.area))
    }
    return mistakes
  }

  /// The worst of all kinds in turn.
  package func worst(_ count: Int) -> [DetectionMistake] {
    var chosen: [DetectionMistake] = []
    let longest = ofKind.values.map(\.count).max() ?? 0
    for rank in 0..<longest {
      for kind in DetectionMistake.Kind.allCases {
        guard let list = ofKind[kind], rank < list.count else { continue }
        chosen.append(list[rank])
        if chosen.count == count { return chosen }
      }
    }
    return chosen
  }

  /// The average precision at an overlap of 0.50, were the mistakes of a kind repaired.
  package func precision(
    repairing kind: DetectionMistake.Kind, categories: [Int]
  ) throws(EvaluationError) -> Double? {
    let repaired = Dictionary(grouping: ofKind[kind] ?? [], by: \.image)
    var evaluator = AveragePrecisionEvaluator(categories: categories, annotationZero: .matched)
    for (place, judgement) in judgements.enumerated() {
      var objects: [GroundTruthObject?] = judgement.objects
      var found: [DetectedObject?] = judgement.detections
      for mistake in repaired[place] ?? [] {
        switch (mistake.object, mistake.detection) {
        case (let object?, let detection?):
          found[detection]?.category = judgement.objects[object].category
          if kind == .misplaced { found[detection]?.box = judgement.objects[object].box }
        case (let object?, nil): objects[object] = nil
        case (nil, let detection?): found[detection] = nil
        case (nil, nil): continue
        }
      }
      let below = images[place].detections.filter { $0.score < confidence }
      try evaluator.add(
        image: place,
        objects: objects.compactMap(\.self) + images[place].objects.filter(\.isCrowd),
        detections: found.compactMap(\.self) + below)
    }
    return evaluator.metrics().summary.averagePrecision50
  }
}
