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
  /// Of boxes.
  var metrics: DetectionMetrics
  /// Of masks, key points and turned boxes.
  var shapes: [ShapeMetrics] = []
  /// What was not measured, and why.
  var notes: [String] = []
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
    heading + EvaluationTables(self).text + notes.map { "\n\($0)\n" }.joined()
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
}
