// Fovea - the variants of models, as a plot and a table.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// Size, time and accuracy of models by form of weights and backend: what `variants --csv` writes.
///
/// Every form of weights appears with the backend `float`, and every other backend with the form
/// that comes first: the other combinations repeat the same sizes, times and losses.
package struct VariantFigures: FigureReport {
  private struct Figure {
    var model, machine, date, weights, backend: String
    var minimum, fileBytes: Double
    /// `nil` where there is nothing to find.
    var precision, precision50: Double?

    var mebibytes: String { NumberText.fixed(fileBytes / 1_048_576, digits: 2) }
    var milliseconds: String { NumberText.fixed(minimum, digits: 2) }
    var label: String { "\(weights), \(backend)" }
  }

  private let models: [(name: String, figures: [Figure])]

  package init(_ rows: [FigureTable.Row]) throws(FigureTable.Malformed) {
    var figures: [Figure] = []
    for row in rows {
      figures.append(
        Figure(
          model: try row.text("model"), machine: try row.text("machine"),
          date: try row.text("date"), weights: try row.text("weights"),
          backend: try row.text("backend"), minimum: try row.number("minimum_ms"),
          fileBytes: try row.number("file_bytes"), precision: try? row.number("ap"),
          precision50: try? row.number("ap50")))
    }
    models = figures.map(\.model).withoutRepetition.map { name in
      let own = figures.filter { $0.model == name }
      return (
        name,
        own.filter { $0.backend == "float" }
          + own.filter { $0.weights == own[0].weights && $0.backend != "float" }
      )
    }
  }

  /// A row of panels for each model: file size, time and average precision.
  package var chart: BarGrid {
    let first = models.first?.figures.first
    var grid = BarGrid(
      title: "Size, time and accuracy of a model's variants",
      subtitle: "weights, backend; \(first?.machine ?? ""), 1 thread, \(first?.date ?? "")",
      rows: models.map { model in
        (
          heading: model.name,
          panels: [
            Self.panel("file, MiB (smaller is better)", model.figures, showsLabels: true) {
              ($0.fileBytes, $0.mebibytes)
            },
            Self.panel("one frame, ms (less is better)", model.figures) {
              ($0.minimum, $0.milliseconds)
            },
            Self.panel("average precision (more is better)", model.figures) {
              ($0.precision ?? 0, Self.text($0.precision))
            },
          ]
        )
      })
    grid.barLength = 150
    return grid
  }

  package var svg: String { chart.svg }

  private static func panel(
    _ title: String, _ figures: [Figure], showsLabels: Bool = false,
    _ value: (Figure) -> (Double, String)
  ) -> BarGrid.Panel {
    BarGrid.Panel(
      title,
      figures.map { figure in
        let (length, text) = value(figure)
        let paint: BarGrid.Paint =
          figure.backend == "float" ? .other : figure.backend.hasPrefix("int8") ? .own : .plain
        return BarGrid.Bar(figure.label, length, text: text, paint: paint)
      }, showsLabels: showsLabels)
  }

  /// A table with a line for each variant and three columns for each model.
  package var markdown: String {
    let shared = Self.sharedPrefix(models.map(\.name))
    let header =
      ["weights", "backend"]
      + models.flatMap { ["\($0.name.dropFirst(shared)): AP / AP50", "ms", "MiB"] }
    let labels = models.flatMap { $0.figures.map { [$0.weights, $0.backend] } }.withoutRepetition
    return markdownTable(
      header,
      labels.map { label in
        label
          + models.flatMap { model -> [String] in
            guard let figure = model.figures.first(where: { [$0.weights, $0.backend] == label })
            else { return ["-", "-", "-"] }
            return [
              Self.text(figure.precision) + " / " + Self.text(figure.precision50),
              figure.milliseconds, figure.mebibytes,
            ]
          }
      })
  }

  private static func text(_ precision: Double?) -> String {
    precision.map { NumberText.fixed($0, digits: 4) } ?? "-"
  }

  /// How many characters, up to a hyphen, all names begin with; 0 for a single name.
  private static func sharedPrefix(_ names: [String]) -> Int {
    guard names.count > 1, let first = names.first else { return 0 }
    let same =
      names.dropFirst().map { name in
        zip(first, name).prefix { $0 == $1 }.count
      }.min() ?? 0
    return first.prefix(same).lastIndex(of: "-").map {
      first.distance(from: first.startIndex, to: $0) + 1
    } ?? 0
  }
}
