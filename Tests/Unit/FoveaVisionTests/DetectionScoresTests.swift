// Fovea - tests of thresholds that change after the network has run.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import Testing

@Suite struct DetectionScoresTests {
  /// A request with scores kept, its result, and variations of it.
  struct Case {
    var request: DetectObjectsRequest
    var image: Image

    init() throws {
      request = try ExampleDetector.request()
      request.retainsScores = true
      image = try ExampleDetector.image()
    }

    func scores() throws -> DetectionScores {
      try #require(try request.result(on: image).scores)
    }
  }

  static let changes: [(String, @Sendable (inout DetectObjectsRequest) -> Void)] = [
    ("nothing", { _ in }),
    ("lower confidence", { $0.minimumConfidence = 0.02 }),
    ("higher confidence", { $0.minimumConfidence = 0.95 }),
    (
      "no suppression",
      {
        $0.iouThreshold = 1; $0.minimumConfidence = 0.05
      }
    ),
    (
      "strict suppression",
      {
        $0.iouThreshold = 0; $0.minimumConfidence = 0.05
      }
    ),
    (
      "across classes",
      {
        $0.isClassAgnostic = true; $0.minimumConfidence = 0.01
      }
    ),
    (
      "two",
      {
        $0.maximumObservations = 2; $0.minimumConfidence = 0.01
      }
    ),
    (
      "blue",
      {
        $0.allowedLabels = ["blue square"]; $0.minimumConfidence = 0.01
      }
    ),
    (
      "every class",
      {
        $0.candidateRule = .multiLabel; $0.minimumConfidence = 0.01
      }
    ),
    (
      "soft",
      {
        $0.softSuppression = 1; $0.iouThreshold = 0.9; $0.minimumConfidence = 0.05
      }
    ),
    ("crop", { $0.cropAndScaleAction = .centerCrop }),
  ]

  @Test func scoresAreKeptWhenAskedForOnly() throws {
    let kept = try Case()
    let scores = try kept.scores()
    #expect(scores.boxCount > 0 && scores.classLabels == kept.request.classLabels)
    #expect(scores.classScores(ofBox: 0).count == scores.classLabels.count)
    var plain = kept.request
    plain.retainsScores = false
    #expect(try plain.result(on: kept.image).scores == nil)
  }

  /// Whatever changes, the answer is that of a new inference.
  @Test(arguments: changes.indices)
  func otherThresholdsNeedNoInference(_ index: Int) throws {
    var kept = try Case()
    let scores = try kept.scores()
    let (name, change) = Self.changes[index]
    change(&kept.request)
    guard name != "crop" else { return }
    let found = try kept.request.observations(in: scores)
    #expect(try kept.request.perform(on: kept.image) == found, "\(name)")
  }

  /// Observations keep the geometry with which the network ran.
  @Test func boxesAreThoseOfTheUprightImageWhateverTheAction() throws {
    var kept = try Case()
    kept.request.cropAndScaleAction = .scaleToFit
    let scores = try kept.scores()
    let expected = try kept.request.perform(on: kept.image)
    kept.request.cropAndScaleAction = .scaleToFill
    #expect(try kept.request.observations(in: scores) == expected)
  }

  @Test(arguments: changes.indices)
  func explanationsAgreeWithTheObservations(_ index: Int) throws {
    var kept = try Case()
    let scores = try kept.scores()
    Self.changes[index].1(&kept.request)
    let request = kept.request
    let settings = try request.resolvedSettings()
    let explanations = try request.explanations(in: scores)
    let observations = try request.observations(in: scores)
    #expect(explanations.map(\.score) == explanations.map(\.score).sorted(by: >))
    // Soft suppression orders objects by what it leaves of their scores.
    let objects = observations.indices.compactMap { place in
      explanations.first { $0.outcome == .kept(rank: place + 1) }
    }
    #expect(objects.map(\.boundingBox) == observations.map(\.boundingBox))
    let keptCount = explanations.count { if case .kept = $0.outcome { true } else { false } }
    #expect(keptCount == observations.count)
    if settings.softSuppression > 0 {
      #expect(explanations.contains { if case .lowered = $0.outcome { true } else { false } })
    }
    for candidate in explanations {
      switch candidate.outcome {
      case .kept: #expect(candidate.score >= Float(settings.minimumConfidence))
      case .belowConfidence(let threshold): #expect(candidate.score < threshold)
      case .labelNotAllowed: #expect(request.allowedLabels?.contains(candidate.identifier) == false)
      case .suppressed(let rank, let overlap):
        #expect(overlap > settings.iouThreshold && overlap <= 1)
        guard rank <= objects.count else { continue }
        let winner = objects[rank - 1]
        #expect(winner.score >= candidate.score)
        #expect(settings.isClassAgnostic || winner.classIndex == candidate.classIndex)
        let again = winner.boundingBox.intersectionOverUnion(with: candidate.boundingBox)
        #expect(abs(again - overlap) < 1e-9)
      case .lowered(let rank, let overlap, let score):
        #expect(overlap > 0 && overlap <= settings.iouThreshold)
        #expect(abs(Double(score) - Double(candidate.score) * (1 - overlap)) < 1e-6)
        #expect(score < Float(settings.minimumConfidence))
        guard rank <= objects.count else { continue }
        let again = objects[rank - 1].boundingBox
          .intersectionOverUnion(with: candidate.boundingBox)
        #expect(abs(again - overlap) < 1e-9)
      case .beyondMaximum(let rank): #expect(rank > settings.maximumObservations ?? 0)
      }
    }
  }

  @Test func reasonsReadAsSentences() throws {
    let box = NormalizedRect(x: 0, y: 0, width: 1, height: 1)
    func text(_ outcome: CandidateExplanation.Outcome) -> String {
      CandidateExplanation(
        box: 7, identifier: "dog", classIndex: 1, score: 0.613, boundingBox: box, outcome: outcome
      ).description
    }
    #expect(
      text(.suppressed(by: 3, intersectionOverUnion: 0.6249))
        == "dog 61.3 %: suppressed by #3, IoU 0.62")
    #expect(
      text(.lowered(by: 3, intersectionOverUnion: 0.4049, to: 0.2449))
        == "dog 61.3 %: lowered to 24.5 % by #3, IoU 0.4")
    #expect(text(.kept(rank: 1)) == "dog 61.3 %: #1")
    #expect(text(.belowConfidence(threshold: 0.75)) == "dog 61.3 %: below the confidence of 0.75")
    #expect(text(.beyondMaximum(rank: 9)) == "dog 61.3 %: #9, beyond the greatest number")
    #expect(text(.labelNotAllowed) == "dog 61.3 %: class not asked for")
  }

  @Test func senselessQuestionsAreRefused() throws {
    let kept = try Case()
    let scores = try kept.scores()
    for least: Float in [0, -1, .nan, 2] {
      #expect(throws: DetectionError.self) {
        try kept.request.explanations(in: scores, scoringAtLeast: least)
      }
    }
    var wrong = kept.request
    wrong.iouThreshold = 2
    #expect(throws: DetectionError.self) { try wrong.observations(in: scores) }
  }
}
