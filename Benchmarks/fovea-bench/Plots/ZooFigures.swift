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

  /// For each machine a summary; then times in float, in int8 and in the precision that others choose;
  /// then memory and starts in float and int8.
  package var markdown: String {
    machines.flatMap { machine in
      [summary(machine)] + Precision.allCases.map { times(machine, $0) }
        + [Precision.float, .int8].flatMap {
          [
            columns(machine, "peak MiB", $0, \.peak),
            columns(machine, "first result, ms", $0, \.firstResult),
          ]
        }
    }.joined(separator: "\n")
  }

  /// Fovea's time and that of the other runtime that is hardest for it, by the number of threads.
  private typealias Pairing = (own: [Figure?], other: [Figure?])

  private func pairing(_ network: String, _ machine: String, _ precision: Precision) -> Pairing {
    let found = threads.map { figures(network, machine, $0) }
    return (
      found.map { $0.first { $0.runtime == precision.own } }, found.map { best($0, precision) }
    )
  }

  private func work(_ network: String) -> String {
    NumberText.fixed(figures.first { $0.network == network }?.work ?? 0, digits: 0)
  }

  private func medians(_ pairings: [Pairing]) -> String {
    Self.joined(
      threads.indices.map { count in
        Self.median(pairings.compactMap { $0.other[count]?.quotient })
      })
  }

  private func summary(_ machine: String) -> String {
    let precisions = [Precision.float, .int8]
    let pairings = precisions.map { precision in
      networks.map { pairing($0, machine, precision) }
    }
    let rows = networks.indices.map { place in
      [networks[place], work(networks[place])]
        + pairings.flatMap {
          [
            Self.joined($0[place].own.map { $0?.minimum }),
            Self.joined($0[place].other.map { $0?.quotient }),
          ]
        }
    }
    return markdownTable(
      ["\(machine), ms", "MMAC", "float", "x other", "int8", "x other"],
      rows + [["median", ""] + pairings.flatMap { ["", medians($0)] }])
  }

  private func times(_ machine: String, _ precision: Precision) -> String {
    let pairings = networks.map { pairing($0, machine, precision) }
    let rows = zip(networks, pairings).map { network, found in
      [
        network, Self.joined(found.own.map { $0?.minimum }),
        Self.joined(found.other.map { $0?.minimum }),
        found.other.compactMap { $0.map { Self.shortName($0.runtime) } }.withoutRepetition
          .joined(separator: " / "),
        Self.joined(found.other.map { $0?.quotient }),
      ]
    }
    let title = precision == .chosen ? "others as they are" : precision == .int8 ? "int8" : "float"
    return markdownTable(
      ["\(machine), \(title), ms", "fovea", "best other", "which", "x other"],
      rows + [["median", "", "", "", medians(pairings)]])
  }

  /// A column for each runtime, with the fewest threads.
  private func columns(
    _ machine: String, _ title: String, _ precision: Precision, _ value: (Figure) -> Double?
  ) -> String {
    let fewest = threads.first ?? 1
    let others = figures.filter { !$0.isOwn && precision.holds($0.runtime) }.map(\.runtime)
      .withoutRepetition.sorted()
    let runtimes = [precision.own] + others
    return markdownTable(
      ["\(machine), \(precision == .int8 ? "int8" : "float"), \(title)"]
        + runtimes.map(Self.shortName),
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

  private static func shortName(_ runtime: String) -> String {
    String(runtime.prefix { $0 != " " })
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
