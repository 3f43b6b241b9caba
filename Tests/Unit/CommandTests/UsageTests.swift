// Fovea - tests of wrong usage, help and version.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct UsageTests {
  static let wrong: [[String]] = [
    [], ["compile", "m", "-o", "x", "--max-loss", "0.1"],
    ["compile", "m", "-o", "x", "--float-share", "0.1"],
    ["compile", "m", "-o", "x", "--int16-share", "0.1"],
    ["compile", "m", "-o", "x", "--calibrate", "p", "--max-loss", "0.1", "--int16-share", "0.1"],
    ["compile", "m", "-o", "x", "--calibrate", "p", "--max-loss", "0.1", "--float-share", "0.1"],
    ["compile", "m", "-o", "x", "--calibrate", "p", "--quality", "30", "--int16-share", "0.1"],
    ["compile", "m", "-o", "x", "--calibrate", "p", "--quality", "30", "--max-loss", "0.1"],
    ["compile", "m", "-o", "x", "--calibrate", "p", "--quality", "101"],
    ["compile", "m", "-o", "x", "--quality", "30"],
    ["compile", "m", "-o", "x", "--calibrate", "p", "--max-loss", "2"], ["frobnicate"], ["detect"],
    ["detect", "--model"],
    ["detect", "--model", "--json", "a.png"], ["detect", "--model", "m", "--nonsense", "a.png"],
    ["detect", "--model", "m", "--model", "n", "a.png"], ["detect", "--model", "m"],
    ["detect", "--model", "m", "--confidence", "2", "a.png"],
    ["detect", "--model", "m", "--confidence", "nan", "a.png"],
    ["detect", "--model", "m", "--iou", "much", "a.png"],
    ["detect", "--model", "m", "--threads", "0", "a.png"],
    ["detect", "--model", "m", "--threads", "99999999999999999999", "a.png"],
    ["detect", "--model", "m", "--max", "0", "a.png"],
    ["detect", "--model", "m", "--only", "", "a.png"],
    ["detect", "--model", "m", "--orientation", "9", "a.png"],
    ["detect", "--model", "m", "--json=yes", "a.png"],
    ["detect", "--model", "m", "--backend", "gpu", "a.png"],
    ["inspect"], ["inspect", "a", "b"], ["inspect", "-x", "a"], ["inspect", "--runs", "0", "a"],
    ["run"], ["run", "m"], ["run", "m", "--output-dir"],
    ["run", "m", "--output-dir", "d", "--input", "image"],
    ["run", "m", "--output-dir", "d", "--input", "=x"],
    ["run", "m", "--output-dir", "d", "--input", "image="],
    ["run", "m", "--output-dir", "d", "--stage", "-1"],
    ["compile"], ["compile", "m"], ["compile", "m", "-o"], ["compile", "m", "n", "-o", "f"],
    ["compile", "m", "-o", "f", "--backend", "blas"],
    ["compile", "m", "-o", "f", "--backend", "float", "--calibrate", "d"],
    ["compile", "m", "-o", "f", "--backend", "int8", "--weights", "coded"],
    ["quantize", "m"], ["quantize", "m", "-o", "f", "--bits", "9"],
    ["quantize", "m", "-o", "f", "--kind", "cubic"],
    ["quantize", "m", "-o", "f", "--size", "9", "--grouped-bits", "8"],
    ["track"], ["track", "--detections", "d"], ["track", "--detections", "d", "-o", "-", "x"],
    ["track", "--detections", "d", "-o", "-", "--frame-rate", "0"],
    ["track", "--detections", "d", "-o", "-", "--frame-rate", "9", "--seqinfo", "s"],
    ["track", "--detections", "d", "-o", "-", "--match_thresh", "2"],
    ["track", "--detections", "d", "-o", "-", "--line", "1,2,3,4"],
    ["track", "--detections", "d", "-o", "-", "--counts", "c"],
    ["track", "--detections", "d", "-o", "-", "--counts", "-", "--line", "1,2,3,4"],
    ["track", "--detections", "d", "-o", "-", "--counts", "c", "--line", "1,2,1,2"],
    ["track", "--detections", "d", "-o", "-", "--counts", "c", "--zone", "1,2,3,4"],
    ["track", "--detections", "d", "-o", "-", "--counts", "c", "--zone", "0,0,50%,0,0,9"],
    ["track", "--detections", "d", "-o", "-", "--anchor", "center"],
    ["evaluate", "--tracks", "t"], ["evaluate", "--truth", "t"],
    ["evaluate", "--tracks", "t", "--truth", "u", "model"],
    ["evaluate", "--tracks", "t", "--truth", "u", "--rules", "mot99"],
    ["evaluate", "--tracks", "t", "--truth", "u", "--images", "i"],
    ["evaluate", "--tracks", "t", "--tracks", "u", "--truth", "v"],
    [
      "evaluate", "--tracks", "t", "--tracks", "u", "--truth", "v", "--truth", "w", "--seqinfo",
      "s",
    ],
    ["completion"], ["completion", "tcsh"], ["completion", "bash", "zsh"], ["manual", "x"],
    ["detect", "--model", "m", "--weights", "small", "a.png"],
    ["detect", "--model", "m", "--weights", "coded", "--backend", "blas", "a.png"],
    ["detect", "--model", "m", "--weights", "coded", "--calibrate", "d", "a.png"],
  ]

  @Test(arguments: wrong)
  func wrongUsageEndsWithTwoAndTheUsageLine(_ arguments: [String]) throws {
    let run = try CommandRun.fovea(arguments)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.contains("usage: fovea"))
  }

  @Test func valuesThatOnlyTheModelCanJudgeAreUsageToo() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let only = try CommandRun.fovea(
      ["detect", "--model", files.model, "--only", "purple square", files.image])
    #expect(only.status == 2)
    #expect(only.errors.contains("purple square") && only.errors.contains("red square"))
    let input = try CommandRun.fovea(
      ["run", files.model, "--output-dir", files.folder.path("out"), "--input", "iouThreshold=7"])
    #expect(input.status == 2)
  }

  @Test(arguments: ["detect", "run", "inspect", "compile", "evaluate", "compare"])
  func helpNamesEveryOption(_ command: String) throws {
    let run = try CommandRun.fovea([command, "--help"])
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output.hasPrefix("usage: fovea \(command) "))
    #expect(run.output.contains("--backend"))
  }

  @Test func overviewAndVersion() throws {
    let help = try CommandRun.fovea(["--help"])
    #expect(help.status == 0)
    for command in ["detect", "run", "inspect"] { #expect(help.output.contains(command)) }
    let version = try CommandRun.fovea(["--version"])
    #expect(version.status == 0)
    #expect(version.output.hasPrefix("fovea "))
  }

  @Test(arguments: [
    (["dtect"], "unknown command 'dtect'; did you mean 'detect'?"),
    (["help", "evalute"], "unknown command 'evalute'; did you mean 'evaluate'?"),
    (["detect", "--confidnece", "0.5", "a.png"], "did you mean '--confidence'?"),
    (["detect", "--backend", "itn8", "a.png"], "did you mean 'int8'?"),
  ])
  func nearNamesAreSuggested(_ arguments: [String], _ words: String) throws {
    let run = try CommandRun.fovea(arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func nearLabelsAreSuggestedAndFarOnesAreNot() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    func errors(only label: String) throws -> String {
      try CommandRun.fovea(["detect", "--model", files.model, "--only", label, files.image]).errors
    }
    #expect(try errors(only: "Red Sqare").contains("did you mean 'red square'?"))
    #expect(try !errors(only: "giraffe").contains("did you mean"))
  }

  @Test func helpFitsTheTerminal() throws {
    let overview = try CommandRun.fovea(["--help"]).output
    let commands = overview.split(separator: "\n").filter { $0.hasPrefix("  ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
      .filter { $0.first?.isLowercase == true }
    #expect(commands.count > 15)
    for command in commands {
      let help = try CommandRun.fovea(["help", command])
      #expect(help.status == 0)
      #expect(help.output == (try CommandRun.fovea([command, "--help"]).output))
      for line in (help.output + overview).split(separator: "\n") where line.count > 100 {
        Issue.record("\(command): \(line)")
      }
    }
  }

  @Test func missingFilesAreFailures() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let runs = [
      ["detect", "--model", "/no/such.mlmodel", files.image], ["inspect", "/no/such.mlmodel"],
      ["inspect", files.folder.url.path], ["detect", "--model", files.model, "/no/such.png"],
      ["run", files.model, "--output-dir", "/proc/no", "--input", "image=/no/such.npy"],
    ]
    for arguments in runs {
      let run = try CommandRun.fovea(arguments)
      #expect(run.status == 1, "\(arguments)")
      #expect(run.errorLines.count == 1, "\(run.errors)")
    }
  }

  @Test func operandsAfterTwoDashesAreFiles() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try CommandRun.fovea(["detect", "--model", files.model, "--", "--help"])
    #expect(run.status == 1)
    #expect(run.errors.contains("--help: "))
  }
}
