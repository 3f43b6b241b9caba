// Fovea - tests of fovea track and fovea evaluate --tracks.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

@Suite struct TrackCommandTests {
  /// Two people who walk towards each other at 25 frames a second; neither is seen in frame 10.
  private static let detections = (1...40).filter { $0 != 10 }.map { frame in
    "\(frame),-1,\(frame * 4),100,40,90,0.9,-1,-1,-1\n\(frame),-1,\(600 - frame * 4),300,40,90,0.8\n"
  }.joined()

  private static let truth = (1...40).map { frame in
    "\(frame),3,\(frame * 4),100,40,90,1,1,1\n\(frame),8,\(600 - frame * 4),300,40,90,1,1,1\n"
  }.joined()

  @Test func tracksGoOutAndAreMeasured() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let found = try folder.write("det.txt", Array(Self.detections.utf8))
    let truth = try folder.write("gt.txt", Array(Self.truth.utf8))
    let information = try folder.write(
      "seqinfo.ini", Array("[Sequence]\nname=two\nframeRate=25\nseqLength=40\n".utf8))
    let tracks = folder.path("tracks.txt")
    let run = try CommandRun.fovea([
      "track", "--detections", found, "--seqinfo", information, "-o", tracks,
    ])
    #expect(run.status == 0 && run.complaints == "" && run.output == "")
    let lines = try String(contentsOfFile: tracks, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 80)
    let columns = lines.map { $0.split(separator: ",").map(String.init) }
    #expect(columns.allSatisfy { $0.count == 10 && $0.suffix(3) == ["-1", "-1", "-1"] })
    #expect(Set(columns.map { $0[1] }) == ["1", "2"])
    // What is predicted has the score 0.
    #expect(columns.filter { $0[6] == "0" }.map { $0[0] } == ["10", "10"])

    let evaluation = try CommandRun.fovea([
      "evaluate", "--tracks", tracks, "--truth", truth, "--seqinfo", information, "--json",
    ])
    #expect(evaluation.status == 0 && evaluation.errors == "")
    let document = try evaluation.json()
    let metrics = try #require(document["metrics"] as? [String: Double])
    #expect(metrics["MOTA"] == 1 && metrics["IDF1"] == 1 && metrics["IDSW"] == 0)
    #expect(try #require(metrics["HOTA"]) > 0.8)
    let overlaps = try #require(document["overlaps"] as? [String: [Double]])
    #expect(overlaps["HOTA"]?.count == 19)
    let table = try CommandRun.fovea(["evaluate", "--tracks", tracks, "--truth", truth])
    #expect(table.status == 0 && table.output.contains("HOTA"))
  }

  @Test func cameraMotionAndStandardOutput() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    // The picture jumps by 200 pixels a frame; the object stands in the world.
    let lines = (1...20).map { "\($0),-1,\($0 * 200),100,40,90,0.9\n" }.joined()
    let motion = (0..<20).map { "\($0) 1 0 \($0 == 0 ? 0 : 200) 0 1 0\n" }.joined()
    let found = try folder.write("det.txt", Array(lines.utf8))
    let camera = try folder.write("gmc.txt", Array(motion.utf8))
    let still = try CommandRun.fovea(["track", "--detections", found, "-o", "-", "--coast", "0"])
    let moved = try CommandRun.fovea([
      "track", "--detections", found, "--camera-motion", camera, "-o", "-", "--coast", "0",
    ])
    #expect(still.status == 0 && moved.status == 0)
    #expect(still.output.split(separator: "\n").count == 1)
    #expect(moved.output.split(separator: "\n").count == 20)
  }

  /// The first of the two people walks into the zone, and then over the line in it.
  @Test func peopleAreCounted() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let found = try folder.write("det.txt", Array(Self.detections.utf8))
    let counts = folder.path("counts.json")
    let information = try folder.write(
      "seqinfo.ini", Array("frameRate=25\nimWidth=640\nimHeight=480\n".utf8))
    let run = try CommandRun.fovea([
      "track", "--detections", found, "--seqinfo", information, "-o", folder.path("tracks.txt"),
      "--line", "gate:150,100%,150,0", "--zone", "100,0,400,0,400,220,100,220",
      "--counts", counts,
    ])
    #expect(run.status == 0 && run.complaints == "")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: counts))
    let document = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    let line = try #require((document["lines"] as? [[String: Any]])?.first)
    #expect(line["name"] as? String == "gate")
    // Up the picture, right is right.
    #expect(line["total"] as? [String: Int] == ["toLeft": 0, "toRight": 1])
    let zone = try #require((document["zones"] as? [[String: Any]])?.first)
    #expect(zone["name"] as? String == "zone 1")
    #expect(
      zone["total"] as? [String: Int]
        == ["entered": 1, "left": 0, "appeared": 0, "vanished": 0, "present": 1])
    let events = try #require(document["events"] as? [[String: Any]])
    #expect(events.compactMap { $0["kind"] as? String } == ["entered", "toRight"])
    #expect(events.compactMap { $0["identifier"] as? Int } == [1, 1])
  }

  /// What is no longer remembered has vanished, whether or not there are frames with objects later.
  @Test(arguments: 20...30) func whoIsLostVanishes(last: Int) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let lines = (1...last).map { "\($0),-1,100,100,40,90,0.9\n" }.joined()
    let found = try folder.write("det.txt", Array(lines.utf8))
    let information = try folder.write(
      "seqinfo.ini", Array("\u{FEFF}frameRate=25\nseqLength=200\nimWidth=640\nimHeight=480\n".utf8))
    let run = try CommandRun.fovea([
      "track", "--detections", found, "--seqinfo", information, "-o", folder.path("tracks.txt"),
      "--zone", "0,0,640,0,640,480,0,480", "--counts", "-",
    ])
    #expect(run.status == 0)
    let zone = try #require((try run.json()["zones"] as? [[String: Any]])?.first)
    #expect(
      zone["total"] as? [String: Int]
        == ["entered": 0, "left": 0, "appeared": 1, "vanished": 1, "present": 0])
    let events = try #require(try run.json()["events"] as? [[String: Any]])
    let frames = events.compactMap { $0["frame"] as? Int }
    #expect(frames.count == 2 && (last + 30...last + 32).contains(frames[1]), "\(frames)")
  }

  @Test func lostObjectsCoastAsLongAsIsAsked() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let lines = (1...5).map { "\($0),-1,100,100,40,90,0.9\n" } + ["30,-1,400,100,40,90,0.9\n"]
    let found = try folder.write("det.txt", Array(lines.joined().utf8))
    for (options, count) in [([], 2), (["--coast", "0"], 0), (["--coast", "10"], 10)] {
      let run = try CommandRun.fovea(
        ["track", "--detections", found, "--frame-rate", "10", "-o", "-"] + options)
      let scores = run.output.split(separator: "\n").map { $0.split(separator: ",")[6] }
      #expect(run.status == 0 && scores.filter { $0 == "0" }.count == count, "\(run.output)")
    }
  }

  @Test func wrongFilesAreNamedWithTheirLine() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let wrong = try folder.write("det.txt", Array("1,-1,0,0,5,5\n1,-1,0,0,-5,5\n".utf8))
    let run = try CommandRun.fovea(["track", "--detections", wrong, "-o", folder.path("out.txt")])
    #expect(run.status == 1)
    #expect(run.errorLines.count == 1 && run.errors.contains("det.txt: line 2: "))
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.txt")))
    let right = try folder.write("tracks.txt", Array("1,1,0,0,5,5\n".utf8))
    let missing = try CommandRun.fovea(["evaluate", "--tracks", right, "--truth", "/no/gt.txt"])
    #expect(missing.status == 1 && missing.errors.contains("/no/gt.txt: there is no such file"))
  }
}
