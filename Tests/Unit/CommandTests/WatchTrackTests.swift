// Fovea - tests of fovea watch --track.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

@Suite struct WatchTrackTests {
  private static let detector = "models/yolo-fastest-1.1-xl-Int8LUT.mlmodel"

  private func rows(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  /// Left, top, width and height of an object of a line.
  private func sides(_ object: [String: Any]) -> [Double] {
    let edges = ["xmin", "ymin", "xmax", "ymax"].map { object[$0] as? Double ?? .nan }
    return [edges[0], edges[1], edges[2] - edges[0], edges[3] - edges[1]]
  }

  /// `fovea track` gives the objects of the lines the same identifiers and boxes.
  @Test(.enabled(if: SharedData.isPresent)) func tracksAreThoseOfTheirDetections() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let arguments = [
      "watch", "--track", "--only", "person", "--frames", "60", "--model",
      SharedData.url(Self.detector).path, "--jsonl", "-",
      SharedData.url("video/clips/pets-768x576.mp4").path,
    ]
    let watch = try CommandRun.fovea(arguments)
    #expect(watch.status == 0 && watch.errors == "", "\(watch.errors)")
    let rows = try rows(watch.output)
    #expect(rows.count == 60)
    var found = ""
    var watched: [String: [Double]] = [:]
    for (index, row) in rows.enumerated() {
      for object in try #require(row["objects"] as? [[String: Any]]) {
        let box = sides(object).map { "\($0)" }.joined(separator: ",")
        found += "\(index + 1),-1,\(box),\(object["score"] as? Double ?? 0)\n"
      }
      for track in try #require(row["tracks"] as? [[String: Any]]) {
        #expect(
          Set(track.keys) == [
            "identifier", "predicted", "label", "score", "xmin", "ymin", "xmax", "ymax",
          ])
        #expect(track["label"] as? String == "person")
        let identifier = try #require(track["identifier"] as? Int)
        let isPredicted = try #require(track["predicted"] as? Bool)
        watched["\(index + 1),\(identifier)"] =
          sides(track) + [isPredicted ? 0 : track["score"] as? Double ?? 0]
      }
    }
    let detections = try folder.write("det.txt", Array(found.utf8))
    let track = try CommandRun.fovea([
      "track", "--detections", detections, "--frame-rate", "10", "-o", "-",
    ])
    #expect(track.status == 0)
    let lines = track.output.split(separator: "\n")
    #expect(lines.count == watched.count && lines.count > 200)
    for line in lines {
      let columns = line.split(separator: ",")
      let numbers = columns[2...6].map { Double($0) ?? .nan }
      let expected = try #require(watched["\(columns[0]),\(columns[1])"], "\(line)")
      // Boxes and scores are rounded where they are written.
      #expect(zip(numbers, expected).allSatisfy { abs($0 - $1) < 0.02 }, "\(line)")
    }
    #expect(watched.values.contains { $0[4] == 0 })
    // The same pictures give the same identifiers. Times are of each run.
    let again = try self.rows(try CommandRun.fovea(arguments).output)
    func tracks(_ rows: [[String: Any]]) -> [NSArray] {
      rows.map { $0["tracks"] as? NSArray ?? [] }
    }
    #expect(tracks(rows) == tracks(again))
  }

  /// The red square goes over the line to the right and into the first zone. The blue one goes over
  /// the line to the left and out of the second zone.
  ///
  /// The middles of the lower edges are at x = 60 + 8 k and 420 - 8 k. A square counts when it is a
  /// fifth of its side, 16 pixels, beyond the line at 220: from picture 22 on, and from 27 on.
  @Test func squaresAreCounted() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let squares = try MovingSquares(in: files.folder)
    let counts = files.folder.path("counts.json")
    let rowsPath = files.folder.path("rows.jsonl")
    let options = [
      "watch", "--track", "--model", files.model, "--line", "gate:220,100%,220,0",
      "--zone", "right:230,0,480,0,480,180,230,180", "--zone", "400,200,480,200,480,360,400,360",
    ]
    let run = try CommandRun.fovea(
      options + ["--counts", counts, "--jsonl", rowsPath, squares.pattern])
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    let rows = try rows(try String(contentsOfFile: rowsPath, encoding: .utf8))
    #expect(rows.count == MovingSquares.count)
    for (index, row) in rows.enumerated() {
      let tracks = try #require(row["tracks"] as? [[String: Any]])
      #expect(tracks.map { $0["identifier"] as? Int } == [1, 2])
      for track in tracks {
        let isRed = track["label"] as? String == "red square"
        let corner = isRed ? MovingSquares.red(index) : MovingSquares.blue(index)
        #expect(track["predicted"] as? Bool == false)
        let box = sides(track)
        #expect(abs(box[0] - Double(corner.x)) < 12, "\(row)")
        #expect(abs(box[1] - Double(corner.y)) < 12, "\(row)")
      }
    }
    let lines = try #require(rows.last?["lines"] as? [[String: Any]])
    #expect(lines.first?["total"] as? [String: Int] == ["toLeft": 1, "toRight": 1])
    #expect(
      lines.first?["byLabel"] as? [String: [String: Int]] == [
        "red square": ["toLeft": 0, "toRight": 1], "blue square": ["toLeft": 1, "toRight": 0],
      ])
    let zones = try #require(rows.last?["zones"] as? [[String: Any]])
    #expect(zones.map { $0["name"] as? String } == ["right", "zone 2"])
    #expect(
      zones[0]["total"] as? [String: Int]
        == ["entered": 1, "left": 0, "appeared": 0, "vanished": 0, "present": 1])
    #expect(
      zones[1]["total"] as? [String: Int]
        == ["entered": 0, "left": 1, "appeared": 1, "vanished": 0, "present": 0])
    let crossings = rows.flatMap { $0["events"] as? [[String: Any]] ?? [] }
      .filter { $0["place"] as? String == "gate" }
    #expect(crossings.compactMap { $0["kind"] as? String } == ["toRight", "toLeft"])
    // The detector's boxes are not exact.
    for (event, frame) in zip(crossings, [22, 27]) {
      #expect(abs((event["frame"] as? Int ?? -9) - frame) <= 1, "\(event)")
    }
    // The document in the end, and its words.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: counts))
    let document = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    #expect(Set(document.keys) == ["lines", "zones"])
    #expect(document["lines"] as? NSArray == rows.last?["lines"] as? NSArray)
    #expect(run.output.hasPrefix("gate: 1 to the left, 1 to the right\n"), "\(run.output)")
    let text = try CommandRun.fovea(options + ["--frames", "1", squares.pattern])
    #expect(text.output.hasPrefix("0.000 s  1: "), "\(text.output)")
  }

  @Test func whatMeansNothingIsRefused() throws {
    for (arguments, words) in [
      (["--line", "1,2,3,4"], "--line is for tracked objects; add --track"),
      (["--coast", "2"], "--coast is for tracked objects; add --track"),
      (["--track", "--counts", "a.json"], "--counts has nothing to count"),
      (["--track", "--line", "1,2"], "a line has two"),
      (["--track", "--zone", "1,2,3,4"], "zone"),
      (["--track", "--frames-info"], "--frames-info looks for no objects; leave --track out"),
      (["--track", "--line", "1,2,3,4", "--counts", "a", "--jsonl", "a"], "name two files"),
    ] {
      let run = try CommandRun.fovea(["watch"] + arguments + ["/nowhere/a.mp4"])
      #expect(run.status == 2 && run.output == "")
      #expect(run.errorLines.first?.contains(words) == true, "\(run.errors)")
    }
  }
}
