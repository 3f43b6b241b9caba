// Fovea - what became of a candidate, and why.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
internal import FoveaRuntime

/// The outcome of one box of a network's output, and its reason.
public struct CandidateExplanation: Hashable, Codable, Sendable {
  /// The reason why a candidate is an object or not.
  public enum Outcome: Hashable, Codable, Sendable {
    /// The candidate is object number `rank`, counted from 1.
    case kept(rank: Int)
    /// The score is below the threshold.
    case belowConfidence(threshold: Float)
    /// The class is not allowed.
    case labelNotAllowed
    /// An object with a higher score overlaps it too much. Objects count from 1.
    case suppressed(by: Int, intersectionOverUnion: Double)
    /// Soft suppression lowered the score below the threshold, because an object with a higher
    /// score overlaps it.
    case lowered(by: Int, intersectionOverUnion: Double, to: Float)
    /// The candidate would be number `rank`, which is above the greatest number of objects.
    case beyondMaximum(rank: Int)
  }

  /// The index of the box in the network's output, for `DetectionScores.classScores(ofBox:)`.
  public var box: Int
  /// The name of the class.
  public var identifier: String
  /// The index of the class.
  public var classIndex: Int
  /// The score of the class in the network's output.
  public var score: Float
  /// The box, as in observations.
  public var boundingBox: NormalizedRect
  /// The outcome.
  public var outcome: Outcome

  /// Creates an explanation.
  package init(
    box: Int, identifier: String, classIndex: Int, score: Float, boundingBox: NormalizedRect,
    outcome: Outcome
  ) {
    self.box = box
    self.identifier = identifier
    self.classIndex = classIndex
    self.score = score
    self.boundingBox = boundingBox
    self.outcome = outcome
  }
}

extension CandidateExplanation: CustomStringConvertible {
  /// For example `dog 61.3 %: suppressed by #3, IoU 0.62`.
  public var description: String {
    let percent = (Double(score) * 1000).rounded() / 10
    return "\(identifier) \(percent) %: \(outcome)"
  }
}

extension CandidateExplanation.Outcome: CustomStringConvertible {
  /// For example `suppressed by #3, IoU 0.62`.
  public var description: String {
    switch self {
    case .kept(let rank): "#\(rank)"
    case .belowConfidence(let threshold): "below the confidence of \(threshold)"
    case .labelNotAllowed: "class not asked for"
    case .suppressed(let rank, let overlap):
      "suppressed by #\(rank), IoU \((overlap * 100).rounded() / 100)"
    case .lowered(let rank, let overlap, let score):
      "lowered to \((Double(score) * 1000).rounded() / 10) % by #\(rank), IoU \((overlap * 100).rounded() / 100)"
    case .beyondMaximum(let rank): "#\(rank), beyond the greatest number"
    }
  }
}

extension CandidateExplanation {
  /// The explanations of all candidates, by the rules of both suppressions: `kept` are the
  /// observations that the same reader gives, with their numbers.
  static func all(
    _ reader: ObservationReader, _ scores: DetectionScores, least: Float
  ) throws(DetectionError) -> [CandidateExplanation] {
    let settings = reader.settings
    var decoder = reader.decoder
    decoder.settings = try DetectionSettings(
      minimumConfidence: Double(min(least, Float(settings.minimumConfidence))),
      iouThreshold: settings.iouThreshold, candidateRule: settings.candidateRule)
    let candidates = DetectionCandidates()
    try decoder.find(
      candidates, confidence: scores.confidence.span, coordinates: scores.coordinates.span)
    let sorted = candidates.enumerated().filter { $0.element.score >= least }
      .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
      .map(\.element)
    let map = scores.geometry.normalizedMap(from: .model, to: .upright)
    let turned = scores.parts.hasTurnedBoxes ? scores.numbers.arrays[.turnedBoxes] : nil
    let reasons = SuppressionReasons(sorted, settings, turned: turned)
    return zip(sorted, reasons.outcomes).map { candidate, outcome in
      CandidateExplanation(
        box: candidate.row, identifier: scores.classLabels[candidate.classIndex],
        classIndex: candidate.classIndex, score: candidate.score,
        boundingBox: map(NormalizedRect(candidate.box, origin: .upperLeft)), outcome: outcome)
    }
  }
}

/// Why both suppressions keep candidates, or do not.
private struct SuppressionReasons {
  /// One for each candidate.
  private(set) var outcomes: [CandidateExplanation.Outcome] = []

  private let settings: DetectionSettings
  /// Those of an allowed class that reach the threshold, and so compete.
  private let competitors: DetectionCandidates
  /// Rows of turned boxes, where boxes are turned.
  private let turned: [Float]?

  /// Suppresses candidates, which are sorted by descending score.
  init(
    _ candidates: [DetectionCandidates.Candidate], _ settings: DetectionSettings,
    turned: [Float]?
  ) {
    (self.settings, self.turned) = (settings, turned)
    competitors = DetectionCandidates(capacity: candidates.count)
    let threshold = Float(settings.minimumConfidence)
    var places: [Int] = []
    for (place, candidate) in candidates.enumerated() {
      if settings.allowedClasses?[candidate.classIndex] == false {
        outcomes.append(.labelNotAllowed)
        continue
      }
      outcomes.append(.belowConfidence(threshold: threshold))
      guard candidate.score >= threshold else { continue }
      places.append(place)
      competitors.append(candidate)
    }
    for (place, outcome) in zip(places, competitorOutcomes()) {
      outcomes[place] = outcome
    }
  }

  /// What becomes of those that compete. What is lowered below the threshold comes behind the
  /// objects, and has a number there.
  private func competitorOutcomes() -> [CandidateExplanation.Outcome] {
    var suppression = settings.suppression
    suppression.confidenceThreshold = 0
    suppression.maximumCount = nil
    competitors.suppress(suppression, turned: turned?.span)
    let survivors = Array(competitors.survivors)
    var ranks = [Int](repeating: 0, count: competitors.count)
    for (place, survivor) in survivors.enumerated() { ranks[survivor.index] = place + 1 }
    return competitors.indices.map { index in
      guard let winner = competitors.winner(over: index) else {
        return outcome(of: survivors[ranks[index] - 1], ranks)
      }
      return .suppressed(
        by: ranks[winner], intersectionOverUnion: overlap(of: index, with: winner))
    }
  }

  private func overlap(of index: Int, with other: Int) -> Double {
    if let turned {
      return DetectionCandidates.overlap(
        ofTurned: turned.span, competitors[index].row, competitors[other].row)
    }
    return competitors[index].box.intersectionOverUnion(with: competitors[other].box)
  }

  private func outcome(
    of survivor: DetectionCandidates.Survivor, _ ranks: [Int]
  ) -> CandidateExplanation.Outcome {
    let (index, rank) = (survivor.index, ranks[survivor.index])
    let score = competitors[index].score * survivor.share
    if score < Float(settings.minimumConfidence), let other = survivor.rival {
      let overlap = overlap(of: index, with: other)
      return .lowered(by: ranks[other], intersectionOverUnion: overlap, to: score)
    }
    if let maximum = settings.maximumObservations, rank > maximum {
      return .beyondMaximum(rank: rank)
    }
    return .kept(rank: rank)
  }
}
