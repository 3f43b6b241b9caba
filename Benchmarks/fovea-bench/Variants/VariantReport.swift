// Fovea - the table and the plots of a model's variants.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaEvaluation

/// The table and the plots of a model's variants.
struct VariantReport {
  var rows: [VariantRow]
  var model: String
  var heading: String

  var benchReport: BenchReport { BenchReport(heading: heading, tables: [table]) }

  private var table: ResultTable {
    var table = ResultTable(
      "variants",
      [
        .init("weights"), .init("backend"), .init("ap", "AP"), .init("ap50", "AP50"),
        .init("minimum_ms", "min ms"), .init("median_ms", "median"),
        .init("resident_mib", "resident MiB"), .init("file_bytes", "file bytes"),
      ])
    for row in rows {
      let times = SampleSummary(row.samples)
      table.rows.append([
        .text(row.weights), .text(row.backend), Self.cell(row.metrics?.averagePrecision),
        Self.cell(row.metrics?.averagePrecision50), .number(times.minimum, digits: 2),
        .number(times.median, digits: 2),
        row.residentMebibytes.map { .number($0, digits: 1) } ?? .none, .count(row.fileBytes),
      ])
    }
    return table
  }

  private static func cell(_ value: Double?) -> ResultTable.Cell {
    value.map { .number($0, digits: 4) } ?? .none
  }

  // MARK: Plots

  /// Draws what the arguments ask for.
  ///
  /// - Throws: `CommandFailure` for a file that cannot be written.
  func writePlots(_ arguments: ArgumentList) throws(CommandFailure) {
    if let path = arguments.value("--size-plot") {
      let plot = plot("Size and accuracy", "size of the file, MiB", isLabeled: isBestOfItsFile) {
        Double($0.fileBytes) / 1_048_576
      }
      try write(plot, to: path)
    }
    if let path = arguments.value("--time-plot") {
      try write(
        plot("Time and accuracy", "least time of the network, ms") {
          SampleSummary($0.samples).minimum
        }, to: path)
    }
  }

  /// A series for each backend, a mark for each form of weights. Backends whose marks lie on one another
  /// are one series.
  private func plot(
    _ title: String, _ axis: String, isLabeled: (VariantRow) -> Bool = { _ in true },
    _ x: (VariantRow) -> Double
  ) -> Plot {
    var names: [String] = []
    for row in rows where !names.contains(row.backend) { names.append(row.backend) }
    var series: [Plot.Series] = []
    for name in names {
      let marks = rows.filter { $0.backend == name }.map { row in
        Plot.Point(
          x: x(row), y: row.metrics?.averagePrecision ?? .nan,
          label: isLabeled(row) ? row.weights : "")
      }
      if let same = series.firstIndex(where: { Self.cover($0.points, marks) }) {
        series[same].name += ", " + name
      } else {
        series.append(Plot.Series(name, marks: marks))
      }
    }
    return Plot(
      title: title, subtitle: model.split(separator: "/").last.map(String.init) ?? model,
      x: .init(axis, in: 0...0), y: .init("average precision"), series: series)
  }

  /// Whether marks cannot be told apart.
  private static func cover(_ one: [Plot.Point], _ other: [Plot.Point]) -> Bool {
    one.count == other.count
      && zip(one, other).allSatisfy { $0.x == $1.x && abs($0.y - $1.y) < 1e-4 }
  }

  /// Whether no other row of the same file is better, or as good and before it.
  private func isBestOfItsFile(_ row: VariantRow) -> Bool {
    let others = rows.filter { $0.path == row.path }
    let best = others.map { $0.metrics?.averagePrecision ?? -1 }.max()
    return others.first { ($0.metrics?.averagePrecision ?? -1) == best }?.backend == row.backend
  }

  private func write(_ plot: Plot, to path: String) throws(CommandFailure) {
    do throws(DrawingError) { try plot.write(to: path) } catch { throw CommandFailure("\(error)") }
  }
}
