// Fovea - what became of a candidate, and why.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// What became of a box that a network put out, and why.
public struct CandidateExplanation: Hashable, Codable, Sendable {
  /// Why a candidate is an object, or is none.
  public enum Outcome: Hashable, Codable, Sendable {
    /// It is object number `rank`, counted from 1.
    case kept(rank: Int)
    /// Its score is below the threshold.
    case belowConfidence(threshold: Float)
    /// Its class is not among the allowed ones.
    case labelNotAllowed
    /// Object number `rank` has a higher score and overlaps it too much.
    case suppressed(by: Int, intersectionOverUnion: Double)
    /// Soft suppression left this of its score, which is below the threshold: object number `rank` has a
    /// higher score and overlaps it.
    case lowered(by: Int, intersectionOverUnion: Double, to: Float)
    /// It would be number `rank`, and fewer were asked for.
    case beyondMaximum(rank: Int)
  }

  /// The box in the network's output, for `DetectionScores.classScores(ofBox:)`.
  public var box: Int
  /// The name of its class.
  public var identifier: String
  /// The index of its class.
  public var classIndex: Int
  /// The score of that class, as the network put it out.
  public var score: Float
  /// Where it is, as in observations.
  public var boundingBox: NormalizedRect
  /// What became of it.
  public var outcome: Outcome

  /// An explanation of its parts.
  public init(
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
    let candidates = try decoder.candidates(
      confidence: scores.confidence.span, coordinates: scores.coordinates.span)
    let order = candidates.scores.indices.filter { candidates.scores[$0] >= least }
      .sorted { (candidates.scores[$1], $0) < (candidates.scores[$0], $1) }
    let map = scores.geometry.normalizedMap(from: .model, to: .upright)
    var judge = CandidateJudge(settings)
    let verdicts = order.map { index in
      judge.judge(
        candidates.boxes[index], label: candidates.classes[index], score: candidates.scores[index])
    }
    let outcomes = judge.outcomes(of: verdicts)
    return zip(order, outcomes).map { index, outcome in
      let label = candidates.classes[index]
      return CandidateExplanation(
        box: candidates.rows[index], identifier: scores.classLabels[label], classIndex: label,
        score: candidates.scores[index],
        boundingBox: map(NormalizedRect(candidates.boxes[index], origin: .upperLeft)),
        outcome: outcome)
    }
  }
}

/// Greedy suppression, one candidate after another by descending score, then soft suppression of
/// those that stayed, with reasons.
private struct CandidateJudge {
  /// What greedy suppression says; those that stayed are counted from 0.
  enum Verdict {
    case stayed(Int)
    case suppressed(by: Int, intersectionOverUnion: Double)
    case left(CandidateExplanation.Outcome)
  }

  private let settings: DetectionSettings
  /// Those that stayed; also those beyond the maximum, which suppress others.
  private var boxes: [CornerBox] = []
  private var labels: [Int] = []
  private var scores: [Float] = []

  init(_ settings: DetectionSettings) { self.settings = settings }

  mutating func judge(_ box: CornerBox, label: Int, score: Float) -> Verdict {
    if let allowed = settings.allowedClasses, !allowed[label] { return .left(.labelNotAllowed) }
    let threshold = Float(settings.minimumConfidence)
    guard score >= threshold else { return .left(.belowConfidence(threshold: threshold)) }
    for (index, other) in boxes.enumerated()
    where settings.isClassAgnostic || labels[index] == label {
      let overlap = box.intersectionOverUnion(with: other)
      if overlap > settings.iouThreshold {
        return .suppressed(by: index, intersectionOverUnion: overlap)
      }
    }
    boxes.append(box)
    labels.append(label)
    scores.append(score)
    return .stayed(boxes.count - 1)
  }

  /// The outcomes, now that it is known how much of their scores those keep that stayed. What is
  /// lowered below the threshold comes behind the objects, and has a number there.
  func outcomes(of verdicts: [Verdict]) -> [CandidateExplanation.Outcome] {
    let remainders = SoftSuppression(strength: settings.softSuppression).remainders(
      of: Array(boxes.indices), boxes: boxes, scores: scores,
      groups: settings.isClassAgnostic ? nil : labels, confidenceThreshold: 0)
    var ranks = [Int](repeating: 0, count: boxes.count)
    for (place, remainder) in remainders.enumerated() { ranks[remainder.index] = place + 1 }
    return verdicts.map { verdict in
      switch verdict {
      case .left(let outcome): outcome
      case .suppressed(let other, let overlap):
        .suppressed(by: ranks[other], intersectionOverUnion: overlap)
      case .stayed(let index): outcome(of: remainders[ranks[index] - 1], ranks)
      }
    }
  }

  private func outcome(
    of remainder: SoftSuppression.Remainder, _ ranks: [Int]
  ) -> CandidateExplanation.Outcome {
    let (index, rank) = (remainder.index, ranks[remainder.index])
    let score = scores[index] * remainder.share
    if score < Float(settings.minimumConfidence), let other = remainder.rival {
      let overlap = boxes[index].intersectionOverUnion(with: boxes[other])
      return .lowered(by: ranks[other], intersectionOverUnion: overlap, to: score)
    }
    if let maximum = settings.maximumObservations, rank > maximum {
      return .beyondMaximum(rank: rank)
    }
    return .kept(rank: rank)
  }
}
