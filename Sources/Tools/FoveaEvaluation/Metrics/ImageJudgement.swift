// Fovea - what is right and wrong in one image, for people to look at.
// SPDX-License-Identifier: Apache-2.0

/// What a detector found in one image, beside what is there.
///
/// Boxes that overlap by half or more are pairs: first those of one category, then others, each by
/// descending overlap. Crowds need not be found, and what lies in one to half or more counts
/// neither way.
package struct ImageJudgement: Sendable {
  /// An object and the detection that stands for it.
  package struct Pair: Hashable, Sendable {
    package let object: Int
    package let detection: Int
    package let overlap: Double
  }

  /// What has to be found; no crowds.
  package let objects: [GroundTruthObject]
  /// What was found with at least the confidence, the best first.
  package let detections: [DetectedObject]
  /// Objects and detections of one category.
  package let right: [Pair]
  /// Objects and detections of two categories.
  package let confused: [Pair]
  /// Objects without a detection.
  package let missed: [Int]
  /// Detections without an object.
  package let invented: [Int]

  package init(objects all: [GroundTruthObject], detections: [DetectedObject], confidence: Double) {
    let objects = all.filter { !$0.isCrowd }
    let found = detections.filter { $0.score >= confidence }.sorted { $0.score > $1.score }
    var isPaired = (
      [Bool](repeating: false, count: objects.count), [Bool](repeating: false, count: found.count)
    )
    func pairs(_ areAlike: Bool) -> [Pair] {
      var possible: [Pair] = []
      for (place, object) in objects.enumerated() where !isPaired.0[place] {
        for (rank, detection) in found.enumerated() where !isPaired.1[rank] {
          guard (object.category == detection.category) == areAlike else { continue }
          let overlap = object.box.intersectionOverUnion(with: detection.box)
          if overlap >= 0.5 {
            possible.append(Pair(object: place, detection: rank, overlap: overlap))
          }
        }
      }
      possible.sort {
        ($1.overlap, $0.detection, $0.object) < ($0.overlap, $1.detection, $1.object)
      }
      return possible.filter { pair in
        guard !isPaired.0[pair.object], !isPaired.1[pair.detection] else { return false }
        (isPaired.0[pair.object], isPaired.1[pair.detection]) = (true, true)
        return true
      }
    }
    right = pairs(true)
    confused = pairs(false)
    missed = objects.indices.filter { !isPaired.0[$0] }
    let crowds = all.filter(\.isCrowd)
    invented = found.indices.filter { rank in
      !isPaired.1[rank]
        && !crowds.contains { found[rank].box.shareInside($0.box) >= 0.5 }
    }
    (self.objects, self.detections) = (objects, found)
  }

  /// How much is wrong. A mistake of high confidence tells more than many of low, about the detector
  /// or about the annotations, so mistakes count by the squares of their confidences: twice where an
  /// object was taken for another, half as much again where a box is too far off. Missed objects
  /// count half, as a part of all: small ones in crowds are missed by dozens.
  package var badness: Double {
    let wrong = confused.reduce(0) { $0 + 2 * weight($1.detection) }
    let strange = invented.reduce(0) { $0 + (nearMiss($1) == nil ? 1 : 1.5) * weight($1) }
    return wrong + strange + 0.5 * Double(missed.count) / Double(max(1, objects.count))
  }

  private func weight(_ detection: Int) -> Double {
    detections[detection].score * detections[detection].score
  }

  /// The overlap of a detection without an object with the nearest object of its category that was
  /// missed; `nil` where none is near. Such a box is too far off.
  package func nearMiss(_ detection: Int) -> Double? { nearestMissed(detection)?.overlap }

  /// That object, with its overlap.
  package func nearestMissed(_ detection: Int) -> Pair? {
    let box = detections[detection]
    return missed.filter { objects[$0].category == box.category }.map {
      let overlap = objects[$0].box.intersectionOverUnion(with: box.box)
      return Pair(object: $0, detection: detection, overlap: overlap)
    }.filter { $0.overlap >= 0.1 }.max { $0.overlap < $1.overlap }
  }
}

/// Counts over images at one confidence.
package struct JudgementTotals: Sendable {
  package private(set) var objectCount = 0
  package private(set) var rightCount = 0
  package private(set) var foundCount = 0

  package init(_ judgements: [ImageJudgement]) {
    for judgement in judgements {
      objectCount += judgement.objects.count
      rightCount += judgement.right.count
      foundCount += judgement.right.count + judgement.confused.count + judgement.invented.count
    }
  }

  /// The part of what was found that is right; `nil` where nothing was found.
  package var precision: Double? {
    foundCount > 0 ? Double(rightCount) / Double(foundCount) : nil
  }

  /// The part of the objects that were found; `nil` without objects.
  package var recall: Double? {
    objectCount > 0 ? Double(rightCount) / Double(objectCount) : nil
  }
}

/// How often objects of one category were taken for another.
package struct ConfusionCounts: Sendable {
  /// By the category that is there, then by the one that was found; `nil` is the background.
  private var counts: [Int?: [Int?: Int]] = [:]

  package init() {}

  package mutating func add(_ judgement: ImageJudgement) {
    for pair in judgement.right + judgement.confused {
      add(judgement.objects[pair.object].category, judgement.detections[pair.detection].category)
    }
    for place in judgement.missed { add(judgement.objects[place].category, nil) }
    for place in judgement.invented { add(nil, judgement.detections[place].category) }
  }

  /// How often `found` stood for `there`.
  package func count(there: Int?, found: Int?) -> Int { counts[there]?[found] ?? 0 }

  /// Objects of the category, or detections on the background.
  package func total(there: Int?) -> Int { counts[there]?.values.reduce(0, +) ?? 0 }

  /// Detections of the category, or objects that were missed.
  package func total(found: Int?) -> Int { counts.values.reduce(0) { $0 + ($1[found] ?? 0) } }

  private mutating func add(_ there: Int?, _ found: Int?) {
    counts[there, default: [:]][found, default: 0] += 1
  }
}
