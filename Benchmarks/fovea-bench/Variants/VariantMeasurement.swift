// Fovea - time and memory of a model's variants.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// Times variants in turns.
enum VariantTimes {
  /// Adds the times of `rounds` rounds to each row. In a round every row has a run to warm up and one that
  /// counts, beginning with another row each time.
  ///
  /// - Throws: `CommandFailure`.
  static func measure(
    _ rows: inout [VariantRow], threads: Int, rounds: Int, image: String
  ) throws {
    var sessions: [LoadedSession] = []
    for row in rows {
      sessions.append(
        try LoadedSession(row.load(), backend: row.choice, threads: threads, image: image))
    }
    InterleavedRounds(rounds).forEach(rows.count) { place in
      _ = sessions[place].run()
      rows[place].samples.append(sessions[place].run().elapsed)
    }
  }
}

/// Memory of variants.
enum VariantMemory {
  private static let runs = 20

  /// MiB that loading a variant, making a session and running it add to a process of its own:
  /// `fovea-bench memory`. `nil` where the system does not count.
  ///
  /// - Throws: `CommandFailure` when the process fails.
  static func resident(of row: VariantRow, threads: Int) throws(CommandFailure) -> Double? {
    guard let program = BuildFolder.path.map({ $0 + "/fovea-bench" }) else { return nil }
    let child = try ChildProcess.run([
      program, "memory", row.path, "--backend", row.choice.rawValue, "--threads", "\(threads)",
      "--runs", "\(runs)",
    ])
    return resident(in: child.output)
  }

  /// The last figure of the last moment that `fovea-bench memory` prints.
  static func resident(in output: String) -> Double? {
    output.split(separator: "\n").last { $0.hasPrefix("\(runs) runs") }
      .flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }
  }
}
