// Fovea - fovea-bench zoo: other runtimes on the detectors of today.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaLibc

/// Runs Benchmarks/Peers/zoo with the same arguments.
enum ZooCommand: Subcommand {
  static let description = CommandDescription(
    name: "zoo", synopsis: "[ARGUMENTS]",
    summary: "Compares runtimes on today's detectors: runs Benchmarks/Peers/zoo.", options: [],
    operandCount: 0...Int.max)

  /// The program, below the root of the package.
  private static let script = "Benchmarks/Peers/zoo"

  static func run(_ arguments: ArgumentList) throws -> Int32 { try run(arguments.operands) }

  /// The program has options of its own, so it is given all words as they are. Does not return when
  /// it was started.
  static func run(_ words: [String]) throws(CommandFailure) -> Int32 {
    guard let root = BuildFolder.folder(with: [script]) else {
      throw CommandFailure(
        "there is no \(script) at or above "
          + BuildFolder.startingPoints.joined(separator: " or "))
    }
    let path = root + "/" + script
    var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) }
    arguments.append(nil)
    defer { for word in arguments { free(word) } }
    execv(path, arguments)
    throw CommandFailure("\(path): \(String(cString: strerror(errno)))")
  }
}
