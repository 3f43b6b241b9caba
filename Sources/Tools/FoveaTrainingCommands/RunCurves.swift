// Fovea - losses and precision over the steps of a run.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaPlots

/// Losses and precision over the steps of a run, as plots.
struct RunCurves {
  private let rows: [ResultsFile.Row]

  /// Two stand side by side on a page for wide screens.
  static let size = (width: 480.0, height: 340.0)

  init(_ rows: [ResultsFile.Row]) { self.rows = rows }

  /// The plots as SVG; none for a run of fewer than two evaluations.
  func svg(isMeasured: Bool) -> [[UInt8]] {
    guard rows.count > 1 else { return [] }
    let losses = plot(
      "Losses", "on what is learned from, lower is better", "loss",
      [("box", \.boxLoss), ("object", \.objectLoss)]
        + (rows.contains { $0.labelLoss > 0 } ? [("class", \.labelLoss)] : []))
    let precision = plot(
      "Average precision", "on pictures that were not learned from", "AP",
      [("AP50", \.averagePrecision50), ("AP", \.averagePrecision)])
    return [losses.svgBytes()] + (isMeasured ? [precision.svgBytes()] : [])
  }

  private func plot(
    _ title: String, _ subtitle: String, _ quantity: String,
    _ series: [(name: String, value: KeyPath<ResultsFile.Row, Double>)]
  ) -> Plot {
    Plot(
      title: title, subtitle: subtitle, x: .init("step"), y: .init(quantity),
      series: series.map { name, value in
        .init(name, line: rows.map { .init(x: Double($0.step), y: $0[keyPath: value]) })
      }, width: Self.size.width, height: Self.size.height)
  }
}
