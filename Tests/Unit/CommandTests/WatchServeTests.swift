// Fovea - tests of fovea watch --serve.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import Foundation
import FoveaTestSupport
import Testing

@Suite struct WatchServeTests {
  /// A command that serves pictures of squares that move, until it is interrupted.
  private final class Served {
    let port: UInt16
    let rows: String
    let folder: TemporaryFolder
    private let process = Process()

    init(_ files: ExampleFiles, more: [String] = []) throws {
      folder = files.folder
      rows = folder.path("rows.jsonl")
      let squares = try MovingSquares(in: folder)
      // They come 25 times a second, and somebody has to look before the last one has gone.
      try squares.repeatPictures(times: 10)
      let errors = try folder.write("errors", [])
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      // Whoever runs the tests may ignore the signal, and a program goes on ignoring it.
      process.arguments =
        [
          "--default-signal=INT", CommandRun.buildFolder.appendingPathComponent("fovea").path,
          "watch", squares.pattern, "--model", files.model, "--jsonl", rows, "--serve", "0",
        ] + more
      process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
      try process.run()
      var found: UInt16?
      _ = try waitUntil {
        let text = try String(contentsOfFile: errors, encoding: .utf8)
        let place = text.range(of: "http://127.0.0.1:")
        guard let place, text.hasSuffix("\n") else { return false }
        found = UInt16(text[place.upperBound...].prefix { $0.isNumber })
        return true
      }
      port = try #require(found)
    }

    func ask(_ path: String) throws -> ViewerConnection {
      let viewer = try #require(ViewerConnection(port))
      viewer.ask(path)
      return viewer
    }

    func end() -> Int32 {
      process.interrupt()
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  /// Boxes of events are those of the lines, and a part is a picture.
  @Test func picturesAndEvents() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let served = try Served(files, more: ["--track", "--line", "door:240,0,240,359"])
    #expect(try served.ask("/").readAll().starts(with: "HTTP/1.1 200 OK".utf8))
    let pictures = try served.ask("/stream.mjpg")
    let events = try served.ask("/events")
    _ = events.read(until: "\r\n\r\n")
    var event = events.readEvent()
    while event.hasPrefix("event: setup\n") {
      #expect(event.contains(#""lines":[{"name":"door","points":[[0.5,0],[0.5,"#))
      event = events.readEvent()
    }
    #expect(event.hasPrefix("data: {\"frame\":"))
    let head = pictures.read(until: "X-Frame: ")
    let digits = try #require(head.range(of: "Content-Length: "))
    let length = try #require(Int(head[digits.upperBound...].prefix { $0.isNumber }))
    _ = pictures.read(until: "\r\n\r\n")
    let image = try Image(bytes: pictures.read(count: length))
    #expect(image.width == 480 && image.height == 360)
    // The source may have ended by now.
    #expect([0, 130].contains(served.end()))
    let lines = try String(contentsOfFile: served.rows, encoding: .utf8)
    #expect(lines.contains(event.dropFirst(6).dropLast(1)))
  }

  @Test func whatMeansNothingIsRefused() throws {
    for (arguments, words) in [
      (["--token", "12345678"], "--token is for a page that is served; add --serve"),
      (["--serve", "a"], "expected a port such as 8080"),
      (["--serve", "0", "--token", "short"], "--token needs 8 to 128 letters"),
      (["--serve", "0", "--token", "with space"], "--token needs 8 to 128 letters"),
      (["--serve", "0", "--follow", "1,1,9,9"], "--serve says nothing to --follow"),
      (["--serve", "0", "--frames-info"], "leave --serve out"),
    ] {
      let run = try CommandRun.fovea(["watch"] + arguments + ["a.mp4"])
      #expect(run.status == 2 && run.output == "")
      #expect(run.errorLines.first?.contains(words) == true, "\(run.errors)")
    }
    let refused = try CommandRun.fovea(["watch", "--serve", "192.0.2.1:80", "a.mp4"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("192.0.2.1:80 cannot be listened at"), "\(refused.errors)")
  }
}
