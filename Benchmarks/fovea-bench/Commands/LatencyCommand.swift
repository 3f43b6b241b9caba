// Fovea - fovea-bench latency: the time of one inference.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaInspection

/// Measures the time of one inference.
enum LatencyCommand: Subcommand {
  static let description = CommandDescription(
    name: "latency", synopsis: "MODEL [OPTIONS]",
    summary: "Times inference on a prepared image, backends and thread counts in turns.",
    options: [
      .init(
        name: "--backend", value: "A,B",
        help:
          "backends (default: that of a .fovea file, else \(BackendName.comparedNames))"),
      .init(name: "--threads", value: "N,M", help: "thread counts (default 1)"),
      .init(name: "--runs", value: "K", help: "timed runs of each (default 60)"),
      .image,
      LineProtocol.option,
    ] + KernelChoice.options + BenchReport.options + [BenchReport.svg],
    operandCount: 1...1,
    notes: """
      The time of a run is that of the whole network, with its own decoding to confidence and
      coordinates, on an image that already has the network's size. Everybody takes turns of
      three runs after one that is not counted. cpu ms is the least processor time of a run, all
      threads together: with one thread, what the run would take if nobody else wanted the core.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let backends = try BackendName.list(arguments.value("--backend"), of: arguments.operands[0])
    let threads = try arguments.integers("--threads", in: 1...1024) ?? [1]
    let runs = try arguments.integer("--runs", in: 1...1_000_000) ?? 60
    let speaksProtocol = arguments.has("--protocol")
    guard !speaksProtocol || (backends.count == 1 && threads.count == 1) else {
      throw UsageError("--protocol takes one backend and one thread count")
    }
    let kernels = try KernelChoice(arguments, for: backends)
    let path = arguments.operands[0]
    var sessions: [LoadedSession] = []
    for threads in threads {
      for backend in backends {
        sessions.append(
          try LoadedSession(
            model: path, backend: backend, kernels: kernels, threads: threads,
            image: arguments.value("--image")))
      }
    }
    if speaksProtocol {
      return LineProtocol.answer(description.name) { sessions[0].run().elapsed }
    }
    try report(measure(sessions, runs: runs), sessions, path).publish(arguments)
    return 0
  }

  private static func measure(_ sessions: [LoadedSession], runs: Int) -> [[RunTime]] {
    let runsInTurn = InterleavedRounds.runsInTurn
    let rounds = InterleavedRounds((runs + runsInTurn - 1) / runsInTurn)
    // Of the last round only what was asked for counts.
    return rounds.samples(sessions.count) { sessions[$0].run() }.map { Array($0.prefix(runs)) }
  }

  private static func report(
    _ times: [[RunTime]], _ sessions: [LoadedSession], _ path: String
  ) -> BenchReport {
    var table = ResultTable(
      "latency",
      [
        .init("backend"), .init("threads"), .init("runs"), .init("minimum_ms", "min ms"),
        .init("median_ms", "median"), .init("p90_ms", "p90"), .init("p99_ms", "p99"),
        .init("processor_ms", "cpu ms"),
        .init("gmac_per_second", "GMAC/s"),
      ])
    var chart = BarChart(title: path, bars: [])
    for (session, times) in zip(sessions, times) {
      let summary = SampleSummary(times.map(\.elapsed))
      let processor = SampleSummary(times.map(\.processor)).minimum
      let work = session.session.model.nodes.reduce(0.0) { $0 + Double($1.multiplyAccumulates) }
      let label = "\(session.backend.rawValue), \(threadText(session.threads))"
      table.rows.append(
        [.text(session.backend.rawValue), .count(session.threads), .count(summary.count)]
          + [
            summary.minimum, summary.median, summary.percentile(90), summary.percentile(99),
            processor,
          ]
          .map { .number($0, digits: 3) } + [.number(work / summary.minimum / 1e6, digits: 1)])
      chart.bars.append(.init(label: label, minimum: summary.minimum, median: summary.median))
    }
    return BenchReport(
      heading: "\(path): inference on a prepared image", tables: [table], chart: chart.grid)
  }
}
