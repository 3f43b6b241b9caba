// Fovea - the table and the plot of a model's variants.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaPlots

/// The table and the plot of a model's variants.
struct VariantReport {
  var rows: [VariantRow]
  var model: String
  var heading: String
  /// What the figures' file calls the machine; `nil` for the processor's name.
  var machine: String?

  /// - Throws: `CommandFailure` where nothing can be drawn.
  func benchReport() throws(CommandFailure) -> BenchReport {
    let table = table
    do throws(FigureTable.Malformed) {
      // The plot is made from what the file will hold.
      let figures = try VariantFigures(FigureTable(csv: table.csv).rows)
      return BenchReport(heading: heading, tables: [table], chart: figures.chart)
    } catch {
      throw CommandFailure("\(model): \(error)")
    }
  }

  private var table: ResultTable {
    let facts = MachineFacts()
    let name = model.split(separator: "/").last.map(String.init) ?? model
    var table = ResultTable(
      "variants",
      [
        .init("model", isInText: false), .init("machine", isInText: false),
        .init("date", isInText: false), .init("weights"), .init("backend"), .init("ap", "AP"),
        .init("ap50", "AP50"), .init("minimum_ms", "min ms"), .init("median_ms", "median"),
        .init("resident_mib", "resident MiB"), .init("file_bytes", "file bytes"),
      ])
    for row in rows {
      let times = SampleSummary(row.samples)
      table.rows.append([
        .text(name.hasSuffix(".mlmodel") ? String(name.dropLast(8)) : name),
        .text(machine ?? facts.processor), .text(String(facts.time.prefix(10))),
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
}
