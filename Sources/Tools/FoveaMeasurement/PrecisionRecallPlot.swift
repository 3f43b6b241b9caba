// Fovea - precision over recall as lines.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
package import FoveaEvaluation
internal import FoveaLibc
package import FoveaPlots

extension Plot {
  /// Precision over recall, the means over all categories with objects: at an overlap of 0.50, and over the
  /// overlaps 0.50 ... 0.95. The area below each line is its average precision.
  ///
  /// - Parameters:
  ///   - named: All categories with their names.
  ///   - chosen: Categories that have a line of their own each, at an overlap of 0.50.
  package static func precisionOverRecall(
    _ named: [(name: String, metrics: CategoryMetrics)], chosen: [String], subtitle: String
  ) -> Plot {
    let all = named.filter { !$0.metrics.curves.isEmpty }
    var series = [
      mean("all, IoU 0.50", all.compactMap { $0.metrics.curves.first }),
      mean("all, IoU 0.50 ... 0.95", all.flatMap(\.metrics.curves)),
    ]
    for (name, metrics) in all where chosen.contains(name) {
      series.append(mean(name.printable, Array(metrics.curves.prefix(1))))
    }
    return Plot(
      title: "Precision and recall", subtitle: subtitle, x: .init("recall", in: 0...1),
      y: .init("precision", in: 0...1), series: series)
  }

  /// The mean of curves, named with the area below it.
  private static func mean(_ name: String, _ curves: [PrecisionRecallCurve]) -> Series {
    let recalls = CocoProtocol.recallThresholds
    var means = [Double](repeating: 0, count: recalls.count)
    for curve in curves {
      for (place, precision) in curve.precisions.enumerated() { means[place] += precision }
    }
    for place in means.indices { means[place] /= Double(max(curves.count, 1)) }
    let area = means.reduce(0, +) / Double(means.count)
    return Series(
      "\(NumberText.fixed(area, digits: 3))  \(name)",
      line: zip(recalls, means).map { Point(x: $0, y: $1) })
  }
}
