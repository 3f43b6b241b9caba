// Fovea - tests of fovea compile.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct CompileCommandTests {
  /// Standard output of detect, which names no model.
  private func detected(_ model: String, _ files: ExampleFiles, _ more: [String] = []) throws
    -> String
  {
    let run = try CommandRun.fovea(["detect", "--model", model] + more + [files.image])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("%"))
    return run.output
  }

  @Test(arguments: ["float", "int8"])
  func compiledModelsDetectTheSame(_ backend: String) throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let output = files.folder.path("shapes.fovea")
    let run = try CommandRun.fovea(["compile", files.model, "-o", output, "--backend", backend])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors == "")
    #expect(run.output.contains("backend \(backend)"))
    #expect(try detected(output, files) == detected(files.model, files, ["--backend", backend]))
    let inspection = try CommandRun.fovea(["inspect", output, "--json"])
    #expect(try inspection.json()["backend"] as? String == backend)
    // Nothing is left beside the two files and the image.
    let names = try FileManager.default.contentsOfDirectory(atPath: files.folder.url.path)
    #expect(names.sorted() == ["shapes.fovea", "shapes.mlmodel", "shapes.png"])
  }

  @Test func calibratedModelsDetectTheSame() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let output = files.folder.path("shapes.fovea")
    let folder = files.folder.url.path
    let run = try CommandRun.fovea(["compile", files.model, "-o", output, "--calibrate", folder])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("backend int8, calibrated"))
    #expect(try detected(output, files) == detected(files.model, files, ["--calibrate", folder]))
  }

  /// Every object of the example is found in any arithmetic: nothing has to stay in float.
  @Test func allowedLossSaysWhatItTook() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let output = files.folder.path("shapes.fovea")
    let run = try CommandRun.fovea([
      "compile", files.model, "-o", output, "--calibrate", files.folder.url.path, "--max-loss", "0",
    ])
    #expect(run.status == 0, "\(run.errors)")
    let found = "of 6 objects that float finds 0 are lost, 0 are new; 0.0 % without a partner"
    #expect(run.output.contains(found), "\(run.output)")
  }

  @Test func compiledFilesComeThroughPipesToo() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let output = files.folder.path("shapes.fovea")
    #expect(try CommandRun.fovea(["compile", files.model, "-o", output]).status == 0)
    let run = try CommandRun.shell(
      "cat '\(output)' | \"$FOVEA\" detect --model /dev/stdin '\(files.image)'")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.output == detected(output, files))
  }

  @Test func whatCannotBeDoneIsSaidInOneLine() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let output = files.folder.path("shapes.fovea")
    #expect(try CommandRun.fovea(["compile", files.model, "-o", output]).status == 0)
    let failures = [
      ["compile", files.model, "-o", files.folder.path("no/such/folder/x.fovea")],
      ["compile", files.model, "-o", "/dev/full"], ["compile", output, "-o", output],
      ["compile", "/no/such/model", "-o", output],
      ["detect", "--model", output, "--backend", "blas", files.image],
    ]
    for arguments in failures {
      let run = try CommandRun.fovea(arguments)
      #expect(run.status == 1, "\(arguments)")
      #expect(run.errorLines.count == 1, "\(run.errors)")
    }
    // A failed attempt leaves the file that was there.
    _ = try detected(output, files)
  }
}
