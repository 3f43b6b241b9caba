// Fovea - fovea-bench model: where the time of a model goes.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaInspection

/// Times every operation of a model, backends side by side.
enum ModelCommand: Subcommand {
  static let description = CommandDescription(
    name: "model", synopsis: "MODEL [OPTIONS]",
    summary: "Times every operation of a model, backends side by side in rounds.",
    options: [
      .backends, .threads,
      .init(name: "--rounds", value: "R", help: "rounds (default 20)"),
      .init(name: "--pause", value: "S", help: "seconds between rounds (default 0)"), .image,
    ] + KernelChoice.options + BenchReport.options + [BenchReport.svg],
    operandCount: 1...1,
    notes: """
      The rate is that of the minimum; its share is of what a loop of multiply-adds in registers
      reached in the best of the same rounds, on as many threads. The time of an operation contains
      what is fused into it.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let backends = try BackendName.list(arguments.value("--backends"), of: arguments.operands[0])
    let threads = try arguments.threadCount()
    let rounds = try arguments.integer("--rounds", in: 1...1_000_000) ?? 20
    let pause = try arguments.integer("--pause", in: 0...86_400) ?? 0
    let kernels = try KernelChoice(arguments, for: backends)
    let path = arguments.operands[0]
    var times: [OperationTimes] = []
    for backend in backends {
      times.append(
        OperationTimes(
          try LoadedSession(
            model: path, backend: backend, kernels: kernels, threads: threads,
            image: arguments.value("--image"))))
    }
    InterleavedRounds(rounds, pause: pause).forEach(times.count) { times[$0].takeTurn() }
    let heading = "\(path): every operation, \(threadText(threads)), \(rounds) rounds"
    let (operations, totals) = (operationTable(times), totalTable(times))
    try BenchReport(
      heading: heading, tables: [operations, totals], chart: chart(times, title: path).grid
    ).publish(arguments)
    return 0
  }

  private static func operationTable(_ all: [OperationTimes]) -> ResultTable {
    var columns: [ResultTable.Column] = [
      .init("label"), .init("operation"), .init("output_shape", "output"), .init("mmac", "MMAC"),
    ]
    for times in all {
      let name = times.loaded.backend.rawValue
      columns += [
        .init("\(name)_minimum_ms", "\(name) min ms"), .init("\(name)_median_ms", "median"),
        .init("\(name)_share", "share"), .init("\(name)_gmac_per_second", "GMAC/s"),
        .init("\(name)_share_of_peak", "of peak"),
      ]
    }
    var table = ResultTable("operations", columns)
    let keys = all.map { times in
      OperationAlignment.keys(times.nodes.map { ($0.operation, $0.label) })
    }
    let sums = all.map { times in times.samples.reduce(0) { $0 + SampleSummary($1).minimum } }
    for row in OperationAlignment.rows(keys) {
      let nodes = zip(all, row.indices).compactMap { times, index in index.map { times.nodes[$0] } }
      guard let node = nodes.max(by: { $0.multiplyAccumulates < $1.multiplyAccumulates }) else {
        continue
      }
      var cells: [ResultTable.Cell] = [
        .text(node.label), .text(node.operation), .text(NumberText.shape(node.outputShape)),
        node.multiplyAccumulates > 0
          ? .number(Double(node.multiplyAccumulates) / 1e6, digits: 2) : .none,
      ]
      for (index, times) in all.enumerated() {
        cells += figures(times, row.indices[index], sum: sums[index])
      }
      table.rows.append(cells)
    }
    return table
  }

  private static func figures(
    _ times: OperationTimes, _ index: Int?, sum: Double
  ) -> [ResultTable.Cell] {
    guard let index else { return [.none, .none, .none, .none, .none] }
    let summary = SampleSummary(times.samples[index])
    let rate = times.rate(
      multiplyAccumulates: times.nodes[index].multiplyAccumulates, milliseconds: summary.minimum)
    return [
      .number(summary.minimum, digits: 3), .number(summary.median, digits: 3),
      .share(sum > 0 ? summary.minimum / sum : 0),
      rate.map { .number($0.gigaMACs, digits: 1) } ?? .none,
      rate?.share.map { .share($0) } ?? .none,
    ]
  }

  private static func totalTable(_ all: [OperationTimes]) -> ResultTable {
    var table = ResultTable(
      "total",
      [
        .init("backend"), .init("mmac", "MMAC"), .init("sum_of_minima_ms", "sum of minima ms"),
        .init("minimum_ms", "min ms"), .init("median_ms", "median"),
        .init("processor_ms", "cpu ms"),
        .init("gmac_per_second", "GMAC/s"), .init("share_of_peak", "of peak"),
        .init("peak_gmac_per_second", "peak GMAC/s"),
      ])
    for times in all {
      let work = times.nodes.reduce(UInt64(0)) { $0 &+ $1.multiplyAccumulates }
      let total = SampleSummary(times.totals)
      let rate = times.rate(multiplyAccumulates: work, milliseconds: total.minimum)
      table.rows.append([
        .text(times.loaded.backend.rawValue), .number(Double(work) / 1e6, digits: 1),
        .number(times.samples.reduce(0) { $0 + SampleSummary($1).minimum }, digits: 3),
        .number(total.minimum, digits: 3), .number(total.median, digits: 3),
        .number(SampleSummary(times.processorTotals).minimum, digits: 3),
        rate.map { .number($0.gigaMACs, digits: 1) } ?? .none,
        rate?.share.map { .share($0) } ?? .none,
        times.peak.map { .number($0 / 1e9 * Double(times.loaded.threads), digits: 1) } ?? .none,
      ])
    }
    return table
  }

  private static func chart(_ all: [OperationTimes], title: String) -> BarChart {
    BarChart(
      title: title,
      bars: all.map { times in
        let total = SampleSummary(times.totals)
        return .init(
          label: "\(times.loaded.backend.rawValue), \(threadText(times.loaded.threads))",
          minimum: total.minimum, median: total.median)
      })
  }
}
