// Fovea - tests of fovea watch.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct WatchCommandTests {
  private static func clip(_ name: String) -> String {
    SharedData.url("video/clips/\(name)").path
  }

  /// What another program decodes a clip to.
  private func expected(_ name: String) throws -> [[String: Any]] {
    let bytes = Data(try SharedData.bytes("video/expected.json"))
    let clips = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    return try #require((clips[name] as? [String: Any])?["frames"] as? [[String: Any]])
  }

  private func rows(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test func framesInfo() throws {
    let run = try CommandRun.fovea(["watch", Self.clip("base.mp4"), "--frames-info"])
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    let rows = try rows(run.output)
    let expected = try expected("base.mp4")
    #expect(rows.count == expected.count)
    for (index, (row, frame)) in zip(rows, expected).enumerated() {
      #expect(Set(row.keys) == ["frame", "time", "pts", "size"])
      #expect(row["frame"] as? Int == index)
      #expect(row["pts"] as? Int == frame["pts"] as? Int)
      #expect(row["size"] as? [Int] == frame["size"] as? [Int])
      #expect(abs((row["time"] as? Double ?? -1) - 0.04 * Double(index)) < 1e-6)
    }
  }

  @Test func checksums() throws {
    let run = try CommandRun.fovea(
      ["watch", "--frames-info", "--rgb-md5", "--frames", "2", Self.clip("size-changes.ts")])
    let expected = try expected("size-changes.ts").prefix(2)
    #expect(
      try rows(run.output).map { $0["rgbMd5"] as? String }
        == expected.map { $0["rgbMd5"] as? String })
  }

  @Test func damageIsSaid() throws {
    for name in ["corrupt.mp4", "truncated.mkv", "corrupt-hevc.mp4"] {
      let run = try CommandRun.fovea(["watch", "--frames-info", Self.clip(name)])
      #expect(run.status == 0)
      #expect(run.errorLines.count == 1)
      #expect(run.errors.hasPrefix("fovea watch: \(Self.clip(name)): "), "\(run.errors)")
    }
    let refused = try CommandRun.fovea(["watch", Self.clip("truncated-no-index.mp4")])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("moov atom not found"), "\(refused.errors)")
  }

  @Test func objectsOfEveryPicture() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let out = files.folder.path("objects.jsonl")
    let run = try CommandRun.fovea(
      ["watch", "--model", files.model, "--jsonl", out, Self.clip("base.mp4")])
    #expect(run.status == 0 && run.output == "" && run.errors == "", "\(run.errors)")
    let text = try String(contentsOfFile: out, encoding: .utf8)
    let rows = try rows(text)
    #expect(rows.count == 24)
    // A detector that cannot be opened leaves what was found before.
    let failed = try CommandRun.fovea(
      ["watch", "--model", "/no.mlmodel", "--jsonl", out, Self.clip("base.mp4")])
    #expect(failed.status == 1)
    #expect(try String(contentsOfFile: out, encoding: .utf8) == text)
    for (index, row) in rows.enumerated() {
      #expect(
        Set(row.keys) == [
          "frame", "time", "stated", "width", "height", "objects", "age", "latency", "late",
          "damaged", "counts",
        ])
      #expect(row["frame"] as? Int == index)
      #expect(row["width"] as? Int == 320 && row["height"] as? Int == 180)
      let counts = try #require(row["counts"] as? [String: Int])
      #expect(counts["taken"] == index + 1 && counts["dropped"] == 0)
    }
  }

  /// A picture gives the objects that `fovea detect` finds in it.
  @Test func objectsAreThoseOfDetect() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    try FileManager.default.copyItem(atPath: files.image, toPath: files.folder.path("a-1.png"))
    let watch = try CommandRun.fovea(
      ["watch", "--model", files.model, "--jsonl", "-", files.folder.path("a-%d.png")])
    let seen = try #require(try rows(watch.output).first?["objects"] as? [[String: Any]])
    let detect = try CommandRun.fovea(["detect", "--json", "--model", files.model, files.image])
    let images = try #require(try detect.json()["images"] as? [[String: Any]])
    let found = try #require(images[0]["objects"] as? [[String: Any]])
    #expect(!seen.isEmpty)
    #expect(seen.map { $0["label"] as? String } == found.map { $0["label"] as? String })
  }

  /// The clip goes on for a minute after its first pictures.
  @Test func interruptionEndsAtOnce() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let process = Process()
    // Whoever runs the tests may ignore the signal, and a program goes on ignoring it.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "--default-signal=INT", CommandRun.buildFolder.appendingPathComponent("fovea").path,
      "watch", "--model", files.model, "--realtime", "--jsonl", files.folder.path("rows.jsonl"),
      Self.clip("pets-768x576.mp4"),
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let path = files.folder.path("rows.jsonl")
    #expect(waitUntil { (try? String(contentsOfFile: path, encoding: .utf8))?.isEmpty == false })
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let rows = try rows(try String(contentsOfFile: path, encoding: .utf8))
    #expect(!rows.isEmpty && rows.count < 400)
  }

  /// A start that reads no video pays nothing for it.
  @Test func librariesAreNotLinked() throws {
    let run = try CommandRun.shell("ldd \"$FOVEA\"")
    #expect(run.output.contains("libc.so"))
    #expect(!run.output.contains("libav"))
  }

  @Test func usage() throws {
    for arguments in [
      ["watch"], ["watch", "--rgb-md5", "a.mp4"], ["watch", "--keep", "some", "a.mp4"],
      ["watch", "--deadline", "0", "a.mp4"],
    ] {
      #expect(try CommandRun.fovea(arguments).status == 2)
    }
  }
}
