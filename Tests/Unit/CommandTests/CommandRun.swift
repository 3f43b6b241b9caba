// Fovea - running the built command, for tests.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport

/// What a run of a command gave.
struct CommandRun {
  /// The exit code; nil when a signal ended the process.
  var status: Int32?
  var output: String
  var errors: String

  /// The lines of standard error.
  var errorLines: [Substring] { errors.split(separator: "\n") }

  /// Standard error without the lines that say what was written.
  var complaints: String {
    errors.split(separator: "\n").filter { !$0.hasPrefix("wrote ") }.joined(separator: "\n")
  }

  /// Where SwiftPM puts executables: beside the test bundle.
  static let buildFolder: URL = {
    let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    return (bundle ?? executable).deletingLastPathComponent()
  }()

  /// Runs `fovea`, or another product of the package, and waits for its end.
  static func fovea(
    _ arguments: [String], product: String = "fovea", in folder: URL? = nil
  ) throws -> CommandRun {
    try run(buildFolder.appendingPathComponent(product), arguments, in: folder)
  }

  /// Runs a line of the shell in which `$FOVEA` is the command.
  static func shell(_ line: String) throws -> CommandRun {
    let path = buildFolder.appendingPathComponent("fovea").path
    return try run(URL(fileURLWithPath: "/bin/bash"), ["-c", "FOVEA='\(path)'; " + line])
  }

  private static func run(
    _ executable: URL, _ arguments: [String], in folder: URL? = nil
  ) throws -> CommandRun {
    let scratch = try TemporaryFolder()
    defer { scratch.remove() }
    // Files, not pipes: a full pipe that nobody reads would stop the command.
    let (output, errors) = (scratch.path("output"), scratch.path("errors"))
    for name in ["output", "errors"] { _ = try scratch.write(name, []) }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
    try process.run()
    process.waitUntilExit()
    return CommandRun(
      status: process.terminationReason == .exit ? process.terminationStatus : nil,
      output: try String(contentsOfFile: output, encoding: .utf8),
      errors: try String(contentsOfFile: errors, encoding: .utf8))
  }

  /// Standard output as a JSON object.
  func json() throws -> [String: Any] {
    let document = try JSONSerialization.jsonObject(with: Data(output.utf8))
    return document as? [String: Any] ?? [:]
  }
}

/// A folder of its own for a test.
typealias TemporaryFolder = FoveaTestSupport.TemporaryFolder
