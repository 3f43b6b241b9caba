// Fovea - metrics of tracks against stored answers of TrackEval and closed forms.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaEvaluation
import FoveaTestSupport
import Testing

@Suite struct TrackMetricsTests {
  /// The stored answers, case by case.
  private static func cases() throws -> [String: [String: Any]] {
    let document = try SharedData.json("video/mot-metrics/expected.json") as? [String: Any]
    return try #require(document?["cases"] as? [String: [String: Any]])
  }

  private static func metrics(_ name: String, frameCount: Int) throws -> TrackMetrics {
    let folder = SharedData.url("video/mot-metrics/\(name)").path
    return try TrackMetrics(
      results: MOTChallengeFile(contentsOf: folder + "/result.txt"),
      truth: MOTChallengeFile(contentsOf: folder + "/gt.txt"), frameCount: frameCount)
  }

  /// The stored numbers have nine digits after the point.
  @Test(.enabled(if: SharedData.isPresent)) func numbersAreThoseOfTrackEval() throws {
    let cases = try Self.cases()
    #expect(cases.count >= 18)
    var sequences: [TrackMetrics] = []
    for (name, answer) in cases where name != Self.combined {
      let frames = try #require(answer["frames"] as? Int)
      let found = try Self.metrics(name, frameCount: frames)
      try compare(found, Answers(answer, name: name))
      // The stored sum is of the cases without preprocessing.
      if name != "MOT17-09-bytetrack" { sequences.append(found) }
    }
    let sum = try #require(cases[Self.combined])
    try compare(TrackMetrics(combining: sequences), Answers(sum, name: Self.combined))
  }

  private static let combined = "COMBINED_SEQ"

  private func compare(_ found: TrackMetrics, _ answers: Answers) throws {
    let tables: [(String, (HigherOrderAccuracy.Level) -> Double)] = [
      ("HOTA", \.accuracy), ("DetA", \.detectionAccuracy), ("AssA", \.associationAccuracy),
      ("DetRe", \.detectionRecall), ("DetPr", \.detectionPrecision),
      ("AssRe", \.associationRecall), ("AssPr", \.associationPrecision),
      ("LocA", \.localizationAccuracy), ("HOTA_TP", { Double($0.truePositives) }),
      ("HOTA_FN", { Double($0.falseNegatives) }), ("HOTA_FP", { Double($0.falsePositives) }),
    ]
    for (field, value) in tables {
      try answers.compare("HOTA", field, found.hota.levels.map(value))
    }
    try answers.compare("CLEAR", "MOTA", [found.clear.accuracy])
    try answers.compare("CLEAR", "MODA", [found.clear.detectionAccuracy])
    try answers.compare("CLEAR", "MOTP", [found.clear.precision])
    try answers.compare("CLEAR", "sMOTA", [found.clear.softAccuracy])
    try answers.compare("CLEAR", "CLR_Re", [found.clear.detectionRecall])
    try answers.compare("CLEAR", "CLR_Pr", [found.clear.detectionPrecision])
    try answers.compare("CLEAR", "FP_per_frame", [found.clear.falsePositivesPerFrame])
    try answers.compare("CLEAR", "MOTP_sum", [found.clear.overlapSum])
    for (field, value) in [
      ("CLR_TP", found.clear.truePositives), ("CLR_FN", found.clear.falseNegatives),
      ("CLR_FP", found.clear.falsePositives), ("IDSW", found.clear.identitySwitches),
      ("MT", found.clear.mostlyTracked), ("PT", found.clear.partlyTracked),
      ("ML", found.clear.mostlyLost), ("Frag", found.clear.fragmentations),
      ("CLR_Frames", found.clear.frameCount),
    ] { try answers.compare("CLEAR", field, [Double(value)]) }
    try answers.compare("Identity", "IDF1", [found.identity.score])
    try answers.compare("Identity", "IDR", [found.identity.recall])
    try answers.compare("Identity", "IDP", [found.identity.precision])
    try answers.compare("Identity", "IDTP", [Double(found.identity.truePositives)])
    try answers.compare("Identity", "IDFN", [Double(found.identity.falseNegatives)])
    try answers.compare("Identity", "IDFP", [Double(found.identity.falsePositives)])
  }

  /// Stored answers of one case.
  private struct Answers {
    var answer: [String: Any]
    var name: String

    init(_ answer: [String: Any], name: String) {
      self.answer = answer
      self.name = name
    }

    func compare(_ metric: String, _ field: String, _ found: [Double]) throws {
      let fields = try #require(answer[metric] as? [String: Any])
      let stored = try #require(fields[field], "\(name): \(field)")
      let expected =
        (stored as? [NSNumber])?.map(\.doubleValue) ?? [(stored as? NSNumber)?.doubleValue ?? .nan]
      try #require(expected.count == found.count)
      for (expected, found) in zip(expected, found) {
        #expect(abs(expected - found) <= 1e-9, "\(name): \(field) \(expected) \(found)")
      }
    }
  }
}
