// Fovea - the times of other runtimes, as a plot and a table.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// Times of Fovea and of other runtimes on networks and machines: what `Peers/compare --csv`
/// writes.
package struct PeerFigures: FigureReport {
  private struct Figure {
    var network, machine, date, runtime: String
    var threads: Int
    var minimum: Double
    /// To OpenVINO's faster precision, the median over the rounds; `nil` where it did not run.
    var ratio: Double?
  }

  /// Runtimes that are no peers.
  private static let yardstick = "yardstick"

  private let figures: [Figure]
  private let networks: [String]
  private let machines: [String]
  private let threads: [Int]

  package init(_ rows: [FigureTable.Row]) throws(FigureTable.Malformed) {
    var figures: [Figure] = []
    for row in rows {
      let figure = Figure(
        network: try row.text("network"), machine: try row.text("machine"),
        date: try row.text("date"), runtime: try row.text("runtime"),
        threads: Int(try row.number("threads")), minimum: try row.number("minimum_ms"),
        ratio: try? row.number("to_openvino"))
      if !figure.runtime.hasPrefix(Self.yardstick) { figures.append(figure) }
    }
    self.figures = figures
    networks = figures.map(\.network).withoutRepetition
    machines = figures.map(\.machine).withoutRepetition
    threads = figures.map(\.threads).withoutRepetition.sorted()
  }

  private func figures(_ network: String, _ machine: String, threads: Int) -> [Figure] {
    figures.filter { $0.network == network && $0.machine == machine && $0.threads == threads }
      .sorted { ($0.minimum, $0.runtime) < ($1.minimum, $1.runtime) }
  }

  /// A row of panels for each network, a panel for each machine, the fastest runtime first.
  package var chart: BarGrid {
    let fewest = threads.first ?? 1
    let rows = networks.map { network in
      (
        heading: network,
        panels: machines.map { machine in
          let shown = figures(network, machine, threads: fewest)
          return BarGrid.Panel(
            machine + (shown.first.map { ", \($0.date)" } ?? ""),
            shown.map { figure in
              BarGrid.Bar(
                figure.runtime, figure.minimum,
                text: NumberText.fixed(figure.minimum, digits: 2) + " ms",
                paint: figure.runtime.hasPrefix("fovea") ? .own : .plain)
            })
        }
      )
    }
    return BarGrid(
      title: "One frame, beside other runtimes",
      subtitle: "least time of the network on \(threadText(fewest)), ms; shorter is better",
      rows: rows)
  }

  package var svg: String { chart.svg }

  /// A table for each network: least times with few and with many threads, and ratios.
  package var markdown: String {
    networks.map { network in
      let header =
        ["\(network), ms"] + machines.flatMap { ["\($0)", "x OpenVINO"] }
      let runtimes = machines.flatMap { machine in
        figures(network, machine, threads: threads.first ?? 1).map(\.runtime)
      }.withoutRepetition
      return markdownTable(header, runtimes.map { line(network, $0) })
    }.joined(separator: "\n")
  }

  private func line(_ network: String, _ runtime: String) -> [String] {
    var cells = [runtime]
    for machine in machines {
      let found = threads.map { count in
        figures(network, machine, threads: count).first { $0.runtime == runtime }
      }
      cells.append(
        found.map { $0.map { NumberText.fixed($0.minimum, digits: 2) } ?? "-" }
          .joined(separator: " / "))
      cells.append(
        found.map { $0?.ratio.map { NumberText.fixed($0, digits: 2) } ?? "-" }
          .joined(separator: " / "))
    }
    return cells
  }
}
