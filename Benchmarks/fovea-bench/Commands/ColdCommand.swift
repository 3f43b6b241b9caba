// Fovea - fovea-bench cold: from the start of a process to boxes.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// Times `fovea detect` as a process, from its start to the boxes.
enum ColdCommand: Subcommand {
  static let description = CommandDescription(
    name: "cold", synopsis: "MODEL IMAGE [OPTIONS]",
    summary: "Times the process fovea detect from its start to the boxes, and its memory.",
    options: [
      .backends, .threads,
      .init(name: "--starts", value: "N", help: "starts of each backend (default 20)"),
      .init(
        name: "--program", value: "FILE", help: "the command fovea (default: beside this program)"),
      .init(name: "--core", help: "also build the C core alone and print its stripped size"),
    ] + BenchReport.options + [BenchReport.svg],
    operandCount: 2...2,
    notes: """
      The time ends with the last line that the process prints; files are in the system's cache. The
      memory is the largest resident set, as the system counts it for an ended process, libraries
      included.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    // To ask a compiled file for its backend would load it here, and no peak below that could be seen.
    let isCompiled = arguments.operands[0].hasSuffix(".fovea")
    let backends =
      isCompiled && !arguments.has("--backends")
      ? [.auto] : try BackendName.list(arguments.value("--backends"))
    let threads = try arguments.threadCount()
    let starts = try arguments.integer("--starts", in: 1...100_000) ?? 20
    guard let program = arguments.value("--program") ?? BuildFolder.path.map({ $0 + "/fovea" })
    else { throw UsageError("where the command fovea is must be said by --program") }
    let (model, image) = (arguments.operands[0], arguments.operands[1])
    let progress = ProgressLine()
    var runs = backends.map { _ in [ChildProcess]() }
    for start in 0..<starts {
      for (index, backend) in backends.enumerated() {
        progress.show("start \(start + 1) of \(starts), \(backend.rawValue)")
        runs[index].append(
          try ChildProcess.run([
            program, "detect", "--model", model, "--backend", backend.rawValue, "--threads",
            "\(threads)", image,
          ]))
      }
    }
    progress.clear()
    var report = report(
      runs, backends,
      "\(model), \(image): process start to boxes, "
        + "\(threadText(threads)), \(starts) starts")
    if arguments.has("--core") {
      let size = try CoreLibrary.measure()
      report.tables.append(coreTable(size.archive, size.loaded))
    }
    try report.publish(arguments)
    return 0
  }

  private static func report(
    _ runs: [[ChildProcess]], _ backends: [Backend], _ heading: String
  ) -> BenchReport {
    var table = ResultTable(
      "cold",
      [
        .init("backend"), .init("minimum_ms", "min ms"), .init("median_ms", "median"),
        .init("peak_resident_mib", "peak MiB"), .init("lines", "lines printed"),
      ])
    var chart = BarChart(title: heading, bars: [])
    for (backend, runs) in zip(backends, runs) {
      let summary = SampleSummary(runs.map(\.milliseconds))
      table.rows.append([
        .text(backend.rawValue), .number(summary.minimum, digits: 1),
        .number(summary.median, digits: 1),
        .number(runs.map(\.peakResident).max() ?? 0, digits: 1),
        .count(runs[0].output.split(separator: "\n").count),
      ])
      chart.bars.append(
        .init(label: backend.rawValue, minimum: summary.minimum, median: summary.median))
    }
    // A process begins its life in the memory of the one that starts it.
    let own = ProcessStatus.mebibytes("VmHWM").map { NumberText.fixed($0, digits: 1) }
    let notes = own.map { ["A peak cannot be seen below that of this program, \($0) MiB."] } ?? []
    return BenchReport(heading: heading, tables: [table], notes: notes, chart: chart.grid)
  }

  private static func coreTable(_ archive: Int, _ loaded: Int) -> ResultTable {
    var table = ResultTable("core", [.init("c_core", "C core alone"), .init("bytes")])
    table.rows = [
      [.text("stripped static library"), .count(archive)],
      [.text("code and data in it"), .count(loaded)],
    ]
    return table
  }
}
