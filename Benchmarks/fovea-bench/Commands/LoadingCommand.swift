// Fovea - fovea-bench loading: the time that it takes to load a model.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// Measures the time that it takes to load a model.
enum LoadingCommand: Subcommand {
  static let description = CommandDescription(
    name: "loading", synopsis: "MODEL... [OPTIONS]",
    summary: "Times the loading of models, in turns.",
    options: [
      .init(name: "--backend", value: "NAME", help: "backend (default auto)"),
      .init(name: "--rounds", value: "N", help: "rounds of three loads of each (default 10)"),
    ] + KernelChoice.options + BenchReport.options,
    operandCount: 1...64,
    notes: """
      A load reads the file, checks it, makes the graph and packs the weights. No session is made,
      and nothing runs. The file itself is in the system's cache. cpu ms is processor time.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let backend = try BackendName.list(arguments.value("--backend") ?? "auto")
    guard backend.count == 1 else { throw UsageError("--backend takes one name here") }
    let rounds = try arguments.integer("--rounds", in: 1...1_000_000) ?? 10
    let options = try KernelChoice(arguments, for: backend).modelOptions(backend[0])
    let paths = arguments.operands
    let times = try InterleavedRounds(rounds).samples(paths.count) { index in
      do {
        return try RunTime.measure { _ = try Model(contentsOf: paths[index], options: options) }
      } catch {
        throw CommandFailure(error, file: paths[index])
      }
    }
    var table = ResultTable(
      "loading",
      [
        .init("model"), .init("loads"), .init("minimum_ms", "min ms"),
        .init("median_ms", "median"), .init("processor_ms", "cpu ms"),
        .init("processor_median_ms", "median cpu"),
      ])
    for (path, times) in zip(paths, times) {
      let (elapsed, processor) = (
        SampleSummary(times.map(\.elapsed)), SampleSummary(times.map(\.processor))
      )
      table.rows.append(
        [.text(path), .count(elapsed.count)]
          + [elapsed.minimum, elapsed.median, processor.minimum, processor.median]
          .map { .number($0, digits: 2) })
    }
    try BenchReport(heading: "loading, backend \(backend[0].rawValue)", tables: [table])
      .publish(arguments)
    return 0
  }
}
