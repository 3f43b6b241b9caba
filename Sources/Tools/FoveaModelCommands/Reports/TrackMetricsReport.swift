// Fovea - what fovea evaluate --tracks prints.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaEvaluation

/// The metrics of sequences, and of all of them taken together.
struct TrackMetricsReport {
  private(set) var sequences: [(name: String, metrics: TrackMetrics)] = []

  mutating func add(_ metrics: TrackMetrics, name: String) { sequences.append((name, metrics)) }

  /// The sequences, then their sum if there are several.
  var rows: [(name: String, metrics: TrackMetrics)] {
    guard sequences.count > 1 else { return sequences }
    return sequences + [("all", TrackMetrics(combining: sequences.map(\.metrics)))]
  }

  var text: String {
    var table = TextTable(
      [.left("sequence")] + Self.columns.map { .right($0.title) })
    for (name, metrics) in rows {
      table.rows.append([name] + Self.columns.map { $0.cell(metrics) })
    }
    return table.text()
      + "\nHOTA, DetA, AssA, LocA: means over overlaps of 0.05 ... 0.95; the rest: overlap 0.5\n"
  }

  private struct Column: Sendable {
    var title: String
    var cell: @Sendable (TrackMetrics) -> String

    static func fraction(
      _ title: String, _ value: @escaping @Sendable (TrackMetrics) -> Double
    ) -> Column {
      Column(title: title) { NumberText.fixed(value($0), digits: 4) }
    }
    static func count(
      _ title: String, _ value: @escaping @Sendable (TrackMetrics) -> Int
    ) -> Column {
      Column(title: title) { "\(value($0))" }
    }
  }

  private static let columns: [Column] = [
    .fraction("HOTA") { $0.hota.accuracy },
    .fraction("DetA") { $0.hota.mean(\.detectionAccuracy) },
    .fraction("AssA") { $0.hota.mean(\.associationAccuracy) },
    .fraction("LocA") { $0.hota.mean(\.localizationAccuracy) },
    .fraction("MOTA") { $0.clear.accuracy },
    .fraction("IDF1") { $0.identity.score },
    .count("IDSW") { $0.clear.identitySwitches },
    .count("Frag") { $0.clear.fragmentations },
    .count("FP") { $0.clear.falsePositives },
    .count("FN") { $0.clear.falseNegatives },
  ]
}

/// The JSON document of `fovea evaluate --tracks`. Names are TrackEval's.
struct TrackMetricsDocument: Encodable {
  /// Of all sequences taken together.
  var metrics: [String: Double]
  /// The same at each overlap that a match needs.
  var overlaps: [String: [Double]]
  var sequences: [Sequence]

  /// The numbers of one sequence.
  struct Sequence: Encodable {
    var name: String
    var metrics: [String: Double]
    /// The numbers at each overlap.
    var overlaps: [String: [Double]]
  }

  init(_ report: TrackMetricsReport) {
    let all = TrackMetrics(combining: report.sequences.map(\.metrics))
    metrics = Self.metrics(all)
    overlaps = Self.overlaps(all.hota)
    sequences = report.sequences.map { name, metrics in
      Sequence(name: name, metrics: Self.metrics(metrics), overlaps: Self.overlaps(metrics.hota))
    }
  }

  private static let levels: [(String, @Sendable (HigherOrderAccuracy.Level) -> Double)] = [
    ("HOTA", \.accuracy), ("DetA", \.detectionAccuracy), ("AssA", \.associationAccuracy),
    ("DetRe", \.detectionRecall), ("DetPr", \.detectionPrecision),
    ("AssRe", \.associationRecall), ("AssPr", \.associationPrecision),
    ("LocA", \.localizationAccuracy), ("HOTA_TP", { Double($0.truePositives) }),
    ("HOTA_FN", { Double($0.falseNegatives) }), ("HOTA_FP", { Double($0.falsePositives) }),
  ]

  private static func overlaps(_ hota: HigherOrderAccuracy) -> [String: [Double]] {
    var numbers = ["overlap": HigherOrderAccuracy.overlaps]
    for (name, value) in levels { numbers[name] = hota.levels.map(value) }
    return numbers
  }

  private static func metrics(_ metrics: TrackMetrics) -> [String: Double] {
    let (hota, clear, identity) = (metrics.hota, metrics.clear, metrics.identity)
    let first = hota.levels[0]
    var numbers: [String: Double] = [
      "HOTA(0)": first.accuracy, "LocA(0)": first.localizationAccuracy,
      "HOTALocA(0)": first.accuracy * first.localizationAccuracy,
      "MOTA": clear.accuracy, "MODA": clear.detectionAccuracy, "MOTP": clear.precision,
      "sMOTA": clear.softAccuracy, "CLR_Re": clear.detectionRecall,
      "CLR_Pr": clear.detectionPrecision, "FP_per_frame": clear.falsePositivesPerFrame,
      "CLR_TP": Double(clear.truePositives), "CLR_FN": Double(clear.falseNegatives),
      "CLR_FP": Double(clear.falsePositives), "IDSW": Double(clear.identitySwitches),
      "MT": Double(clear.mostlyTracked), "PT": Double(clear.partlyTracked),
      "ML": Double(clear.mostlyLost), "Frag": Double(clear.fragmentations),
      "CLR_Frames": Double(clear.frameCount),
      "IDF1": identity.score, "IDR": identity.recall, "IDP": identity.precision,
      "IDTP": Double(identity.truePositives), "IDFN": Double(identity.falseNegatives),
      "IDFP": Double(identity.falsePositives),
    ]
    for (name, value) in levels { numbers[name] = hota.mean(value) }
    return numbers
  }
}
