// Fovea - what fovea evaluate prints.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaFiles
internal import FoveaLibc
internal import FoveaMeasurement
internal import FoveaPlots

/// What an evaluation found, and how it was done.
struct EvaluationReport {
  var metrics: DetectionMetrics
  var categories: [CocoInstances.Category]
  var hasAnnotationZero: Bool
  /// How the detections came about; `nil` where a file stated them.
  var run: Run?

  /// How the detections came about.
  struct Run {
    var model: String
    var backend: Backend
    var settings: EvaluationSettings
    /// What the options and the model come to.
    var resolved: DetectionSettings
    var mapping: CategoryMapping
    var labels: [String]
    var times: StageTimes

    /// Classes that the data set does not have: they can only be missed.
    var strangers: [String] {
      zip(labels, mapping.categories).compactMap { $1 == nil ? $0 : nil }
    }
  }

  /// Categories with their names.
  var named: [(name: String, metrics: CategoryMetrics)] { metrics.named(categories) }

  // MARK: Plots

  /// The categories that `--plot-classes` names.
  ///
  /// - Throws: `UsageError` for one that there is not.
  func plotted(_ arguments: ArgumentList) throws(UsageError) -> [String] {
    guard let list = arguments.value("--plot-classes") else { return [] }
    let known = named.map(\.name)
    if list == "all" { return known }
    let names = list.split(separator: ",").map(String.init)
    if let stranger = names.first(where: { !known.contains($0) }) {
      throw UsageError(
        "--plot-classes: there is no category '\(stranger)'; the categories are "
          + known.map(\.printable).joined(separator: ", "))
    }
    return names
  }

  /// Precision over recall.
  ///
  /// - Parameter names: Categories that have a line of their own each.
  func plot(categories names: [String]) -> Plot {
    let objects = metrics.categories.reduce(0) { $0 + $1.objectCount }
    var subtitle = "\(metrics.imageCount) images, \(objects) objects"
    if let run {
      let name = FilePath.name(of: run.model)
      subtitle += ", \(name.printable) (\(run.backend.rawValue))"
    }
    return .precisionOverRecall(named, chosen: names, subtitle: subtitle)
  }

  // MARK: Text

  var text: String {
    heading + summary + "\n" + table
      + (hasAnnotationZero
        ? "\nannotation 0 counts as never found, as pycocotools counts it; number annotations from "
          + "1\n" : "")
  }

  private var heading: String {
    let objects = metrics.categories.reduce(0) { $0 + $1.objectCount }
    var text = "\(metrics.imageCount) images, \(objects) objects, "
    guard let run else { return text + "\(metrics.categories.count) categories\n\n" }
    text += "backend \(run.backend.rawValue), \(run.settings.measure.rule.rawValue), "
    text += DetectionNumbers.text { $0.used(run.resolved) }
    text += "classes and categories by \(run.mapping.rule.rawValue)\n"
    if run.mapping.rule == .place { text += places(run) }
    let strangers = run.strangers
    if !strangers.isEmpty {
      text += "not among the categories: " + strangers.map(\.printable).joined(separator: ", ")
      text += "\n"
    }
    return text + "\n"
  }

  /// Which class is which category, where names do not tell.
  private func places(_ run: Run) -> String {
    let names = Dictionary(
      categories.map { ($0.id, $0.name ?? "\($0.id)") }, uniquingKeysWith: { first, _ in first })
    let pairs = zip(run.labels, run.mapping.categories).compactMap { label, category in
      category.flatMap { names[$0] }.map { "\(label.printable) = \($0.printable)" }
    }
    let others = pairs.count > 4 ? ", ..." : ""
    let counts =
      run.labels.count == categories.count
      ? "" : " (\(run.labels.count) classes, \(categories.count) categories)"
    return "no names agree, so classes are categories in the order of the file's list\(counts): "
      + pairs.prefix(4).joined(separator: ", ") + others + "\n"
  }

  private var summary: String {
    var table = TextTable([.left("measure"), .right("value"), .left("of")])
    for ((name, value), meaning) in zip(
      zip(CocoSummary.names, metrics.summary.values), Self.meanings)
    {
      table.rows.append([name, Self.cell(value < 0 ? nil : value), meaning])
    }
    return table.text()
  }

  private var table: String {
    var table = TextTable([
      .left("category"), .right("objects"), .right("AP"), .right("AP50"), .right("AP75"),
      .right("AR100"),
    ])
    for (name, metrics) in named {
      table.rows.append(
        [name, "\(metrics.objectCount)"]
          + [
            metrics.averagePrecision(), metrics.averagePrecision(threshold: 0),
            metrics.averagePrecision(threshold: 5), metrics.averageRecall(),
          ].map(Self.cell))
    }
    return table.text()
  }

  private static func cell(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, digits: 4) } ?? "-"
  }

  private static let meanings = [
    "precision, overlaps 0.50 ... 0.95", "precision, overlap 0.50", "precision, overlap 0.75",
    "precision, at most 32 x 32 pixels", "precision, 32 x 32 to 96 x 96",
    "precision, at least 96 x 96", "recall of 1 detection an image and category", "recall of 10",
    "recall of 100", "recall, at most 32 x 32 pixels", "recall, 32 x 32 to 96 x 96",
    "recall, at least 96 x 96",
  ]
}

/// The JSON document of `fovea evaluate`. Numbers that there are not are -1, as in pycocotools.
struct EvaluationDocument: Encodable {
  var images: Int
  /// COCO's twelve numbers by name.
  var metrics: [String: Double]
  var categories: [Category]
  var model: String?
  var backend: String?
  var settings: SettingsInUse?
  /// The means of an image.
  var milliseconds: [String: Double]?

  /// How well a category was found.
  struct Category: Encodable {
    var id: Int
    var name: String
    var objects: Int
    var detections: Int
    var metrics: [String: Double]
  }

  /// How the detections came about.
  struct Settings: Encodable {
    var confidence: Double
    var iou: Double
    var max: Int
    var candidateRule: String
    /// "name" or "place".
    var categoriesBy: String
    /// Classes that the data set does not have.
    var strangers: [String]
  }

  /// The settings, and what becomes of the objects that suppression leaves, in one object.
  struct SettingsInUse: Encodable {
    var settings: Settings
    var resolved: DetectionSettings

    func encode(to encoder: any Encoder) throws {
      try settings.encode(to: encoder)
      try DetectionNumber.document(DetectionNumber.refinements) { $0.used(resolved) }
        .encode(to: encoder)
    }
  }

  init(_ report: EvaluationReport) {
    images = report.metrics.imageCount
    metrics = Dictionary(
      uniqueKeysWithValues: zip(CocoSummary.names, report.metrics.summary.values))
    categories = report.named.map { name, metrics in
      Category(
        id: metrics.category, name: name, objects: metrics.objectCount,
        detections: metrics.detectionCount,
        metrics: [
          "AP": metrics.averagePrecision() ?? -1,
          "AP50": metrics.averagePrecision(threshold: 0) ?? -1,
          "AP75": metrics.averagePrecision(threshold: 5) ?? -1,
          "AR100": metrics.averageRecall() ?? -1,
        ])
    }
    guard let run = report.run else { return }
    model = run.model
    backend = run.backend.rawValue
    let measure = run.settings.measure
    settings = SettingsInUse(
      settings: Settings(
        confidence: measure.confidence, iou: measure.intersectionOverUnion,
        max: measure.maximum, candidateRule: measure.rule.rawValue,
        categoriesBy: run.mapping.rule.rawValue, strangers: run.strangers),
      resolved: run.resolved)
    milliseconds = run.times.means
  }
}
