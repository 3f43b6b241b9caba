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
    /// It would be number `rank`, and fewer were asked for.
    case beyondMaximum(rank: Int)
  }

  /// The box in the network's output, for `DetectionScores.classScores(ofBox:)`.
  public var box: Int
  /// The name of its class.
  public var identifier: String
  /// The index of its class.
  public var classIndex: Int
  /// The score of that class.
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
    case .beyondMaximum(let rank): "#\(rank), beyond the greatest number"
    }
  }
}

extension CandidateExplanation {
  /// The explanations of all candidates, by the rules of the suppression: `kept` are the
  /// observations that the same reader gives, in their order.
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
    return order.map { index in
      let (box, label) = (candidates.boxes[index], candidates.classes[index])
      return CandidateExplanation(
        box: candidates.rows[index], identifier: scores.classLabels[label], classIndex: label,
        score: candidates.scores[index],
        boundingBox: map(NormalizedRect(box, origin: .upperLeft)),
        outcome: judge.judge(box, label: label, score: candidates.scores[index]))
    }
  }
}

/// Greedy suppression, one candidate after another by descending score, with reasons.
private struct CandidateJudge {
  private let settings: DetectionSettings
  /// Those that stayed, and their class; also those beyond the maximum, which suppress others.
  private var kept: [(box: CornerBox, label: Int)] = []

  init(_ settings: DetectionSettings) { self.settings = settings }

  mutating func judge(
    _ box: CornerBox, label: Int, score: Float
  ) -> CandidateExplanation.Outcome {
    if let allowed = settings.allowedClasses, !allowed[label] { return .labelNotAllowed }
    let threshold = Float(settings.minimumConfidence)
    guard score >= threshold else { return .belowConfidence(threshold: threshold) }
    for (index, other) in kept.enumerated()
    where settings.isClassAgnostic || other.label == label {
      let overlap = box.intersectionOverUnion(with: other.box)
      if overlap > settings.iouThreshold {
        return .suppressed(by: index + 1, intersectionOverUnion: overlap)
      }
    }
    kept.append((box, label))
    if let maximum = settings.maximumObservations, kept.count > maximum {
      return .beyondMaximum(rank: kept.count)
    }
    return .kept(rank: kept.count)
  }
}
