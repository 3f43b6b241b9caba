// Fovea - the times of other runtimes on the detectors of today, as a plot and tables.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// Times and memory of Fovea and of other runtimes on many networks: what `Peers/zoo --csv` writes.
package struct ZooFigures: FigureReport {
  private struct Figure {
    var network, machine, date, runtime: String
    /// Millions of multiply-adds of the network.
    var work: Double
    var threads: Int
    var minimum: Double
    /// Fovea's time over this one's, the median over the rounds.
    var quotient: Double?
    /// Largest resident set, MiB.
    var peak: Double?
    /// Milliseconds from the files to the first result.
    var firstResult: Double?

    var isOwn: Bool { runtime.hasPrefix("fovea") }
  }

  /// What Fovea is compared with: other runtimes in the same precision, or in that which they choose.
  private enum Precision: CaseIterable {
    case float, int8, chosen

    var own: String { self == .int8 ? "fovea int8" : "fovea float" }

    func holds(_ runtime: String) -> Bool {
      switch self {
      case .float: runtime.hasSuffix(" fp32")
      case .int8: runtime.hasSuffix(" int8")
      case .chosen: runtime.hasSuffix(" fp32") || runtime.hasSuffix(" default")
      }
    }
  }

  private let figures: [Figure]
  private let networks: [String]
  private let machines: [String]
  private let threads: [Int]

  package init(_ rows: [FigureTable.Row]) throws(FigureTable.Malformed) {
    var figures: [Figure] = []
    for row in rows {
      figures.append(
        Figure(
          network: try row.text("network"), machine: try row.text("machine"),
          date: try row.text("date"), runtime: try row.text("runtime"),
          work: try row.number("mmac"), threads: Int(try row.number("threads")),
          minimum: try row.number("minimum_ms"), quotient: try? row.number("fovea_quotient"),
          peak: try? row.number("peak_mib"), firstResult: try? row.number("first_result_ms")))
    }
    self.figures = figures.sorted { $0.work < $1.work }
    networks = self.figures.map(\.network).withoutRepetition
    machines = figures.map(\.machine).withoutRepetition
    threads = figures.map(\.threads).withoutRepetition.sorted()
  }

  private func figures(_ network: String, _ machine: String, _ threads: Int) -> [Figure] {
    figures.filter { $0.network == network && $0.machine == machine && $0.threads == threads }
  }

  /// The other runtime that is hardest for Fovea.
  private func best(_ figures: [Figure], _ precision: Precision) -> Figure? {
    figures.filter { !$0.isOwn && precision.holds($0.runtime) && $0.quotient != nil }
      .max { ($0.quotient ?? 0) < ($1.quotient ?? 0) }
  }

  // MARK: Plot

  /// Times over sizes: Fovea and the best others, on the first machine with the fewest threads.
  package var plot: LogarithmicPlot {
    let machine = machines.first ?? ""
    let fewest = threads.first ?? 1
    func points(_ choice: ([Figure]) -> Figure?) -> [(x: Double, y: Double)] {
      networks.compactMap { network in
        choice(figures(network, machine, fewest)).map { ($0.work, $0.minimum) }
      }
    }
    func own(_ name: String) -> [(x: Double, y: Double)] {
      points { $0.first { $0.runtime == name } }
    }
    return LogarithmicPlot(
      title: "One frame of today's detectors",
      subtitle: "least time on \(threadText(fewest)); \(machine), "
        + (figures.first?.date ?? ""),
      axes: (x: "million multiply-adds of the network", y: "ms"),
      columns: networks.compactMap { network in
        figures(network, machine, fewest).first.map { ($0.work, network) }
      },
      series: [
        .init(
          name: "best other in float", paint: .other, isFilled: false,
          points: points { best($0, .float) }),
        .init(
          name: "best other in int8", paint: .other, isFilled: true,
          points: points { best($0, .int8) }),
        .init(name: "fovea float", paint: .own, isFilled: false, points: own("fovea float")),
        .init(name: "fovea int8", paint: .own, isFilled: true, points: own("fovea int8")),
      ])
  }

  package var svg: String { plot.svg }

  // MARK: Tables

  /// For each machine: times in float and int8, times in chosen precision, memory, and starts.
  package var markdown: String {
    machines.flatMap { machine in
      [
        times(machine, [.float, .int8]), times(machine, [.chosen]),
        columns(machine, "peak MiB", \.peak), columns(machine, "first result, ms", \.firstResult),
      ]
    }.joined(separator: "\n")
  }

  private func times(_ machine: String, _ precisions: [Precision]) -> String {
    let header =
      ["\(machine), ms", "MMAC"]
      + precisions.flatMap { precision in
        [precision.own, precision == .chosen ? "best other as it is" : "best other", "x other"]
      }
    var quotients: [[[Double]]] = precisions.map { _ in threads.map { _ in [] } }
    var rows = networks.map { network in
      let found = threads.map { figures(network, machine, $0) }
      var cells = [network, NumberText.fixed(found.first?.first?.work ?? 0, digits: 0)]
      for (place, precision) in precisions.enumerated() {
        let own = found.map { $0.first { $0.runtime == precision.own } }
        let others = found.map { best($0, precision) }
        for (count, other) in others.enumerated() {
          if let quotient = other?.quotient { quotients[place][count].append(quotient) }
        }
        let names = others.compactMap { $0?.runtime }.withoutRepetition
        let name = names.isEmpty ? "" : " " + names.joined(separator: " / ")
        cells += [
          Self.joined(own.map { $0?.minimum }), Self.joined(others.map { $0?.minimum }) + name,
          Self.joined(others.map { $0?.quotient }),
        ]
      }
      return cells
    }
    rows.append(
      ["median", ""] + quotients.flatMap { ["", "", Self.joined($0.map(Self.median))] })
    return markdownTable(header, rows)
  }

  /// A column for each runtime, with the fewest threads.
  private func columns(
    _ machine: String, _ title: String, _ value: (Figure) -> Double?
  ) -> String {
    let fewest = threads.first ?? 1
    let runtimes = figures.map(\.runtime).withoutRepetition.filter { runtime in
      Precision.float.holds(runtime) || Precision.int8.holds(runtime) || runtime == "fovea float"
    }.sorted { ($0.hasSuffix("int8") ? 1 : 0, $0) < ($1.hasSuffix("int8") ? 1 : 0, $1) }
    return markdownTable(
      ["\(machine), \(title)"] + runtimes,
      networks.map { network in
        let found = figures(network, machine, fewest)
        return [network]
          + runtimes.map { runtime in
            found.first { $0.runtime == runtime }.flatMap(value).map {
              NumberText.fixed($0, digits: 1)
            } ?? "-"
          }
      })
  }

  private static func joined(_ values: [Double?]) -> String {
    values.map { $0.map { NumberText.fixed($0, digits: 2) } ?? "-" }.joined(separator: " / ")
  }

  private static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    return (sorted[(values.count - 1) / 2] + sorted[values.count / 2]) / 2
  }
}
