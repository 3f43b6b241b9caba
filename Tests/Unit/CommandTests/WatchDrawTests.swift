// Fovea - tests of fovea watch --draw.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

@Suite struct WatchDrawTests {
  private func rows(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  /// Every picture is in the video, at its time; lines of JSON are the same as without a video.
  @Test func everyPictureIsWritten() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let squares = try MovingSquares(in: files.folder)
    let counting = ["--track", "--line", "door:240,0,240,359", "--zone", "50%,0,100%,0,100%,100%"]
    let watch = ["watch", squares.pattern, "--model", files.model, "--jsonl", "-"] + counting
    let plain = try CommandRun.fovea(watch)
    for ending in ["mp4", "mkv", "avi"] {
      let video = files.folder.path("drawn.\(ending)")
      let run = try CommandRun.fovea(watch + ["--draw", video])
      #expect(run.status == 0 && run.errors == "", "\(run.errors)")
      let tracks = try rows(run.output).map { $0["tracks"] as? NSArray }
      #expect(try tracks == rows(plain.output).map { $0["tracks"] as? NSArray })
      #expect(tracks.count == MovingSquares.count && !tracks.contains(nil))
      let info = try CommandRun.fovea(["watch", "--frames-info", video])
      #expect(info.status == 0 && info.errors == "", "\(info.errors)")
      let pictures = try rows(info.output)
      #expect(pictures.count == MovingSquares.count)
      for (index, picture) in pictures.enumerated() {
        #expect(picture["size"] as? [Int] == [480, 360])
        #expect(abs((picture["time"] as? Double ?? -1) - 0.04 * Double(index)) < 0.0011)
      }
    }
  }

  /// Without --jsonl only the counts are printed.
  @Test func picturesAreNotPrinted() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let squares = try MovingSquares(in: files.folder)
    let watch = [
      "watch", squares.pattern, "--model", files.model, "--draw", files.folder.path("a.mkv"),
    ]
    let run = try CommandRun.fovea(watch)
    #expect(run.status == 0 && run.output == "" && run.errors == "", "\(run.errors)")
    let counted = try CommandRun.fovea(watch + ["--track", "--line", "door:240,0,240,359"])
    #expect(counted.output.hasPrefix("door: 1 to the left, 1 to the right\n"))
  }

  /// A run that is killed leaves a video that can be played.
  @Test(.enabled(if: SharedData.isPresent)) func killedRuns() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let video = files.folder.path("killed.mp4")
    let rows = files.folder.path("rows.jsonl")
    let process = Process()
    process.executableURL = CommandRun.buildFolder.appendingPathComponent("fovea")
    process.arguments = [
      "watch", SharedData.url("video/clips/pets-768x576.mp4").path, "--model", files.model,
      "--draw", video, "--jsonl", rows,
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    func lines() -> Int {
      (try? String(contentsOfFile: rows, encoding: .utf8))?.split(separator: "\n").count ?? 0
    }
    // Ten pictures are a second.
    #expect(waitUntil { lines() >= 32 })
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let info = try CommandRun.fovea(["watch", "--frames-info", video])
    #expect(info.status == 0)
    #expect(info.output.split(separator: "\n").count >= 20)
  }

  @Test func whatMeansNothingIsRefused() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let clip = try folder.write("a.mp4", [0])
    for (arguments, words) in [
      (["--audio"], "--audio is for a video that is written; add --draw"),
      (["--draw", folder.path("b.gif")], "the ending .gif says no video format"),
      (["--draw", folder.path("b")], "a name without an ending"),
      (["--draw", clip], "is the source itself; name another file"),
      (["--jsonl", clip, "--follow", "1,1,9,9"], "is the source itself; name another file"),
      (["--track", "--line", "1,1,9,9", "--counts", clip], "is the source itself; name another"),
      (["--draw", "b.mp4", "--jsonl", "b.mp4"], "name two files"),
      (["--draw", "b.mp4", "--follow", "1,1,9,9"], "--draw says nothing to --follow"),
      (["--draw", "b.mp4", "--frames-info"], "leave --draw out"),
    ] {
      let run = try CommandRun.fovea(["watch"] + arguments + [clip])
      #expect(run.status == 2 && run.output == "")
      #expect(run.errorLines.first?.contains(words) == true, "\(run.errors)")
    }
  }
}
