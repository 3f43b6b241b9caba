// Fovea - tests: output that nobody reads, and output that finds no room.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct OutputFailureTests {
  /// A reader that has seen enough ends the command without a word, as it ends `cat`.
  @Test(arguments: ["inspect '%@'", "inspect --json '%@'", "detect --help", "--help"])
  func aClosedPipeIsNoError(_ arguments: String) throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let line = arguments.replacingOccurrences(of: "%@", with: files.model)
    let run = try CommandRun.shell("{ \"$FOVEA\" \(line); echo \"status $?\" >&2; } | true")
    #expect(run.errors == "status 0\n", "\(run.errors)")
  }

  /// A full disk is: one line says so.
  @Test func aFullDiskIsAnError() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let commands = [
      "detect --model '\(files.model)' '\(files.image)'", "inspect '\(files.model)'",
    ]
    for command in commands {
      let run = try CommandRun.shell("\"$FOVEA\" \(command) >/dev/full")
      #expect(run.status == 1 && run.errorLines.count == 1, "\(command): \(run.errors)")
    }
    let drawing = try CommandRun.shell(
      "\"$FOVEA\" detect --model '\(files.model)' '\(files.image)' --draw /dev/full")
    #expect(drawing.status != 0 && drawing.errors.contains("/dev/full"), "\(drawing.errors)")
  }

  /// A compiled file that is replaced while another process has it mapped stays what it was there.
  @Test func aReplacedModelStaysWhatItWas() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let compiled = files.folder.path("squares.fovea")
    let first = try CommandRun.fovea(["compile", files.model, "-o", compiled])
    #expect(first.status == 0, "\(first.errors)")
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: compiled))
    let before = try handle.readToEnd()
    let second = try CommandRun.fovea(
      ["compile", files.model, "-o", compiled, "--backend", "int8"])
    #expect(second.status == 0, "\(second.errors)")
    try handle.seek(toOffset: 0)
    #expect(try handle.readToEnd() == before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: compiled)) != before)
  }
}
