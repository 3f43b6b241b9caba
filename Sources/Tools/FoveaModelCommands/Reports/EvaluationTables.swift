// Fovea - the tables of fovea evaluate.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaLibc
internal import FoveaMeasurement

/// The tables of an evaluation: COCO's numbers, and those of each category. What a network says beside
/// boxes has columns of its own.
struct EvaluationTables {
  private let report: EvaluationReport

  init(_ report: EvaluationReport) { self.report = report }

  var text: String { summary + "\n" + categories }

  private var columns: [ShapeMetrics] {
    [ShapeMetrics(overlap: .boxes, metrics: report.metrics)] + report.shapes
  }

  private var summary: String {
    let columns = columns
    var table = TextTable(
      [.left("measure")]
        + columns.map { .right(columns.count == 1 ? "value" : $0.overlap.name) } + [.left("of")])
    let numbers = columns.map(\.numbers)
    for (name, meaning) in zip(CocoSummary.names, Self.meanings) {
      table.rows.append([name] + numbers.map { Self.cell($0[name]) } + [meaning])
    }
    return table.text()
  }

  private var categories: String {
    let shapes = report.shapes.map { shape in
      Dictionary(
        shape.metrics.categories.map { ($0.category, $0.averagePrecision()) },
        uniquingKeysWith: { first, _ in first })
    }
    var table = TextTable(
      [
        .left("category"), .right("objects"), .right("AP"), .right("AP50"), .right("AP75"),
        .right("AR100"),
      ] + report.shapes.map { .right("AP of \($0.overlap.name)") })
    for (name, metrics) in report.named {
      let own = [
        metrics.averagePrecision(), metrics.averagePrecision(threshold: 0),
        metrics.averagePrecision(threshold: 5), metrics.averageRecall(),
      ]
      let others = shapes.map { $0[metrics.category] ?? nil }
      table.rows.append([name, "\(metrics.objectCount)"] + (own + others).map(Self.cell))
    }
    return table.text()
  }

  private static func cell(_ value: Double?) -> String {
    guard let value, value >= 0 else { return "-" }
    return NumberText.fixed(value, digits: 4)
  }

  private static let meanings = [
    "precision, overlaps 0.50 ... 0.95", "precision, overlap 0.50", "precision, overlap 0.75",
    "precision, at most 32 x 32 pixels", "precision, 32 x 32 to 96 x 96",
    "precision, at least 96 x 96", "recall of 1 detection an image and category", "recall of 10",
    "recall of 100; of 20 for key points", "recall, at most 32 x 32 pixels",
    "recall, 32 x 32 to 96 x 96", "recall, at least 96 x 96",
  ]
}

extension ShapeMetrics {
  /// COCO's numbers by their names, with -1 for those that there are not. Key points have ten, of
  /// which "AR" is that of 20 detections.
  var namedNumbers: [String: Double] {
    if case .keypoints = overlap {
      return Dictionary(
        uniqueKeysWithValues: zip(KeypointSummary.names, metrics.keypointSummary.values))
    }
    return Dictionary(uniqueKeysWithValues: zip(CocoSummary.names, metrics.summary.values))
  }

  /// The same under the names of boxes, for one table.
  fileprivate var numbers: [String: Double] {
    var numbers = namedNumbers
    if let recall = numbers["AR"] { numbers["AR100"] = recall }
    return numbers
  }
}
