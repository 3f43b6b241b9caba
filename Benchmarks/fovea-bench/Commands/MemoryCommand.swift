// Fovea - fovea-bench memory: what is planned, and what the system says.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaInspection

/// Compares planned memory with resident memory.
enum MemoryCommand: Subcommand {
  static let description = CommandDescription(
    name: "memory", synopsis: "MODEL [OPTIONS]",
    summary: "Compares planned memory with what the system counts, moment by moment.",
    options: [
      .init(name: "--backend", value: "NAME", help: "backend (default auto)"), .threads,
      .init(name: "--runs", value: "N", help: "runs before the last moment (default 1000)"),
    ] + KernelChoice.options + BenchReport.options,
    operandCount: 1...1,
    notes: """
      resident is VmRSS and peak is VmHWM of /proc/self/status, of this process with its libraries;
      the last column is resident above the moment before loading.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let backend = try BackendName.list(arguments.value("--backend") ?? "auto")
    guard backend.count == 1 else { throw UsageError("--backend takes one name here") }
    let threads = try arguments.threadCount()
    let runs = try arguments.integer("--runs", in: 1...100_000_000) ?? 1000
    let kernels = try KernelChoice(arguments, for: backend)
    let path = arguments.operands[0]
    let progress = ProgressLine()
    var moments = [Moment("before loading")]
    let model: Model
    do {
      model = try Model(contentsOf: path, options: kernels.modelOptions(backend[0]))
    } catch {
      throw CommandFailure(error, file: path)
    }
    moments.append(Moment("model loaded"))
    let loaded = try LoadedSession(model, backend: model.backend, threads: threads)
    moments.append(Moment("session made"))
    _ = loaded.run()
    moments.append(Moment("first run"))
    for run in 1..<max(runs, 2) {
      if run % 16 == 0 { progress.show("run \(run) of \(runs)") }
      _ = loaded.run()
    }
    progress.clear()
    moments.append(Moment("\(runs) runs"))
    let heading =
      "\(path): memory in MiB, \(model.backend.rawValue), \(threadText(threads))"
    try BenchReport(heading: heading, tables: [planned(model.memory), table(moments)])
      .publish(arguments)
    return 0
  }

  /// What the system says at one moment.
  private struct Moment {
    var name: String
    /// MiB; `nil` where the system does not say.
    var resident: Double?
    var peak: Double?

    init(_ name: String) {
      self.name = name
      resident = ProcessStatus.mebibytes("VmRSS")
      peak = ProcessStatus.mebibytes("VmHWM")
    }
  }

  private static func table(_ moments: [Moment]) -> ResultTable {
    var table = ResultTable(
      "resident",
      [
        .init("moment"), .init("resident_mib", "resident"), .init("peak_mib", "peak"),
        .init("above_start_mib", "above start"),
      ])
    for moment in moments {
      let above = moment.resident.flatMap { now in moments[0].resident.map { now - $0 } }
      table.rows.append(
        [.text(moment.name)]
          + [moment.resident, moment.peak, above].map { value in
            value.map { .number($0, digits: 2) } ?? .none
          })
    }
    return table
  }

  private static func planned(_ memory: Model.Memory) -> ResultTable {
    var table = ResultTable("planned", [.init("planned"), .init("bytes"), .init("mib", "MiB")])
    for (name, bytes) in [
      ("weights", memory.weightBytes), ("arena", memory.arenaBytes),
      ("  of it workspace", memory.workspaceBytes), ("session", memory.sessionBytes),
      ("weights and session", memory.weightBytes + memory.sessionBytes),
    ] {
      table.rows.append([
        .text(name), .count(bytes), .number(Double(bytes) / 1_048_576, digits: 2),
      ])
    }
    return table
  }
}

/// What the system says of this process.
enum ProcessStatus {
  /// A line of /proc/self/status that counts kB, in MiB; `nil` without one.
  static func mebibytes(_ key: String) -> Double? {
    SystemText.value(of: key, in: "/proc/self/status")
      .flatMap { $0.split(separator: " ").first }.flatMap { Double($0) }.map { $0 / 1024 }
  }
}
