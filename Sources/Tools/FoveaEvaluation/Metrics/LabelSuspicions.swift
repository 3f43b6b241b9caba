// Fovea - labels that a trained detector doubts.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// A label that a detector doubts, or an object that it finds where there is no label.
package struct LabelSuspicion: Sendable {
  package enum Kind: String, Sendable {
    /// Something is found where there is no label.
    case missingLabel = "no label"
    /// Another class is found in the box of a label.
    case otherClass = "other class"
    /// Nothing is found in the box of a label.
    case nothingFound = "nothing found"
  }

  package let kind: Kind
  /// The place of the image.
  package let image: Int
  /// The category of the label; of what is found where there is none.
  package let category: Int
  /// What is found in place of the label.
  package let found: Int?
  package let box: PixelBox
  /// The greatest confidence of what is found there; 0 for nothing.
  package let score: Double
  /// How much the detector doubts, 0...1: it compares suspicions of all kinds.
  package let suspicion: Double
}

/// Finds labels that a trained detector doubts, in images that it has learned from and others.
package struct LabelSuspicions: Sendable {
  /// The most doubtful first.
  package private(set) var all: [LabelSuspicion] = []
  private let habits: LabelHabits

  /// Overlaps from here on are one object.
  static let same = 0.5
  /// Overlaps from here on may be one object.
  static let near = 0.3

  package init(_ images: [ExaminedImage]) {
    habits = LabelHabits(images)
    for (place, image) in images.enumerated() {
      all += missing(image, place) + doubted(image, place)
    }
    all.sort { ($1.suspicion, $0.image) < ($0.suspicion, $1.image) }
  }

  /// What is found where there is no label.
  private func missing(_ image: ExaminedImage, _ place: Int) -> [LabelSuspicion] {
    var kept: [PixelBox] = []
    var suspicions: [LabelSuspicion] = []
    for detection in image.detections.sorted(by: { $0.score > $1.score }) {
      let overlap = image.overlap(with: detection)
      guard overlap < Self.same,
        !kept.contains(where: { $0.intersectionOverUnion(with: detection.box) >= Self.near })
      else { continue }
      kept.append(detection.box)
      // The more it overlaps a label, the more likely it is that label's object, badly placed.
      let apart = 1 - overlap / Self.same
      let odds = habits.oddsOfLabel(detection, in: image) * apart * apart * apart
      suspicions.append(
        LabelSuspicion(
          kind: .missingLabel, image: place, category: detection.category,
          found: detection.category, box: detection.box, score: detection.score,
          suspicion: Self.suspicion(Self.forgotten, odds)))
    }
    return suspicions
  }

  /// Labels in whose boxes another class is found, or nothing.
  private func doubted(_ image: ExaminedImage, _ place: Int) -> [LabelSuspicion] {
    image.objects.compactMap { object in
      if object.isCrowd { return nil }
      let own = image.best(over: object.box, Self.near) { $0 == object.category }?.score ?? 0
      func suspicion(
        _ kind: LabelSuspicion.Kind, _ found: DetectedObject?, _ value: Double
      ) -> LabelSuspicion {
        LabelSuspicion(
          kind: kind, image: place, category: object.category, found: found?.category,
          box: object.box, score: found?.score ?? own, suspicion: value)
      }
      if let other = image.best(over: object.box, Self.same, { $0 != object.category }),
        other.score > own
      {
        let odds = habits.oddsOfLabel(other, in: image) * (1 - own)
        return suspicion(.otherClass, other, Self.suspicion(Self.mixedUp, odds))
      }
      // Hardly anything is found in a box around nothing.
      let share = habits.shareOfLabels(object.category, foundAtMost: own)
      let odds = (1 - own) * (1 - own) * (1 - own) / max(share, 1e-9)
      return suspicion(.nothingFound, nil, Self.suspicion(Self.drawnAroundNothing, odds))
    }
  }

  /// By Bayes: how likely an error is.
  ///
  /// - Parameters:
  ///   - share: How many labels usually have an error of the kind.
  ///   - odds: How much likelier what was seen is with an error than without one.
  private static func suspicion(_ share: Double, _ odds: Double) -> Double {
    let all = share / (1 - share) * odds
    return all / (1 + all)
  }

  // People forget objects, sometimes mix classes up, and hardly ever draw boxes around nothing.
  private static let forgotten = 0.1
  private static let mixedUp = 0.05
  private static let drawnAroundNothing = 0.01
}

extension ExaminedImage {
  /// The greatest overlap of a detection with a label; the share of it that lies in a crowd.
  func overlap(with detection: DetectedObject) -> Double {
    objects.reduce(0) { greatest, object in
      max(
        greatest,
        object.isCrowd
          ? detection.box.shareInside(object.box)
          : object.box.intersectionOverUnion(with: detection.box))
    }
  }

  /// The best detection of chosen categories that overlaps a box.
  func best(
    over box: PixelBox, _ overlap: Double, _ isChosen: (Int) -> Bool
  ) -> DetectedObject? {
    detections.filter {
      isChosen($0.category) && $0.box.intersectionOverUnion(with: box) >= overlap
    }.max { $0.score < $1.score }
  }
}
