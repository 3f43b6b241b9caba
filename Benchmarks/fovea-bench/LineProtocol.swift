// Fovea - answering a program that measures several others in turns.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaLibc

/// The protocol of `Benchmarks/Peers/peers.py`.
enum LineProtocol {
  /// The option of commands that speak it.
  static let option = CommandDescription.Option(
    name: "--protocol",
    help: "print 'ready', then k times for every line with a number k on standard input")

  /// Prints `ready` after a first run, and then k times for every line with a number k, until
  /// standard input ends; returns the exit code.
  ///
  /// - Parameter run: Runs once and gives the milliseconds that it took.
  static func answer(_ command: String, run: () throws -> Double) rethrows -> Int32 {
    _ = try run()
    SystemInterface.writeOutput("ready\n")
    while let line = readLine() {
      guard let count = Int(line), (0...1_000_000).contains(count) else {
        SystemInterface.writeError(
          "fovea-bench \(command): '\(line.printable)' on standard input; "
            + "expected a number of runs\n")
        return 1
      }
      let times = try (0..<count).map { _ in NumberText.fixed(try run(), digits: 4) }
      SystemInterface.writeOutput(times.joined(separator: " ") + "\n")
    }
    return 0
  }
}
