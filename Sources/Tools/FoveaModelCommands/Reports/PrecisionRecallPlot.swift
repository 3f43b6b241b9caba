// Fovea - precision over recall as lines.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaFiles
internal import FoveaLibc
internal import FoveaPlots

extension EvaluationReport {
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

  /// Precision over recall, the means over all categories with objects: at an overlap of 0.50, and over the
  /// overlaps 0.50 ... 0.95. The area below each line is its average precision.
  ///
  /// - Parameter names: Categories that have a line of their own each, at an overlap of 0.50.
  func plot(categories names: [String]) -> Plot {
    let all = named.filter { !$0.metrics.curves.isEmpty }
    var series = [
      Self.series("all, IoU 0.50", all.compactMap { $0.metrics.curves.first }),
      Self.series("all, IoU 0.50 ... 0.95", all.flatMap(\.metrics.curves)),
    ]
    for (name, metrics) in all where names.contains(name) {
      series.append(Self.series(name.printable, Array(metrics.curves.prefix(1))))
    }
    let objects = metrics.categories.reduce(0) { $0 + $1.objectCount }
    var subtitle = "\(metrics.imageCount) images, \(objects) objects"
    if let run {
      let name = FilePath.name(of: run.model)
      subtitle += ", \(name.printable) (\(run.backend.rawValue))"
    }
    return Plot(
      title: "Precision and recall", subtitle: subtitle, x: .init("recall", in: 0...1),
      y: .init("precision", in: 0...1), series: series)
  }

  /// The mean of curves, named with the area below it.
  private static func series(_ name: String, _ curves: [PrecisionRecallCurve]) -> Plot.Series {
    let recalls = CocoProtocol.recallThresholds
    var means = [Double](repeating: 0, count: recalls.count)
    for curve in curves {
      for (place, precision) in curve.precisions.enumerated() { means[place] += precision }
    }
    for place in means.indices { means[place] /= Double(max(curves.count, 1)) }
    let area = means.reduce(0, +) / Double(means.count)
    return Plot.Series(
      "\(NumberText.fixed(area, digits: 3))  \(name)",
      line: zip(recalls, means).map { Plot.Point(x: $0, y: $1) })
  }
}
