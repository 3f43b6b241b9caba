// Fovea - tests of reading MOTChallenge's files, and of what is wrong with them.
// SPDX-License-Identifier: Apache-2.0
import FoveaEvaluation
import FoveaGeometry
import FoveaTestSupport
import Testing

@Suite struct MOTChallengeReadingTests {
  private func file(_ text: String) throws(EvaluationError) -> MOTChallengeFile {
    try MOTChallengeFile(text: Array(text.utf8), name: "gt.txt")
  }

  @Test func linesAreBoxes() throws {
    let boxes = try file(
      "2,7,1.5,-2,30,40.25,1,2,0.5\r\n\n1 -1 0 0 1e1 5\n3.0,4.0,1,2,3,4,0.5,1,1,1"
    )
    .boxes
    #expect(
      boxes == [
        TrackedBox(
          frame: 2, identifier: 7, box: PixelBox(x: 1.5, y: -2, width: 30, height: 40.25),
          score: 1, category: 2),
        TrackedBox(
          frame: 1, identifier: -1, box: PixelBox(x: 0, y: 0, width: 10, height: 5), score: 1),
        TrackedBox(
          frame: 3, identifier: 4, box: PixelBox(x: 1, y: 2, width: 3, height: 4), score: 0.5),
      ])
    #expect(try file("").boxes == [])
    #expect(try file("\u{FEFF}2,7,1,2,3,4").boxes == file("2,7,1,2,3,4").boxes)
    #expect(try file("2,1,0,0,1,1\n1,1,0,0,1,1\n2,2,0,0,1,1").frames.map(\.count) == [1, 2])
  }

  @Test(arguments: [
    ("1,1,0,0,5", "5 numbers"), ("0,1,0,0,5,5", "the frame"), ("1.5,1,0,0,5,5", "the frame"),
    ("1,x,0,0,5,5", "'x' is no number"), ("1,1,0,0,5,nan", "is no number"),
    ("1,1,0,0,inf,5", "is no number"), ("1,1,0,0,-5,5", "negative size"),
    ("1,0.5,0,0,5,5", "the identifier"), ("1,1,1e30,0,5,5", "a billion pixels"),
    ("99999999999,1,0,0,5,5", "the frame"),
    ("1,1," + String(repeating: "0", count: 80), "80 characters"),
    (String(repeating: "1,", count: 80), "more than 64 numbers"),
  ])
  func whatIsWrongIsSaidWithItsLine(_ line: String, _ words: String) {
    let error = #expect(throws: EvaluationError.self) { try file("1,1,0,0,5,5\n" + line) }
    guard case .malformed(_, .line(2), let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains(words))
  }

  @Test func sequencesAndCamerasAreRead() throws {
    let text = "[Sequence]\nname=TUD\nimDir=img1\nframeRate=25\nseqLength = 71 \nimWidth=640\n"
    let information = try SequenceInformation(text: Array(text.utf8))
    #expect(information.name == "TUD" && information.frameRate == 25)
    #expect(information.frameCount == 71 && information.width == 640)
    #expect(information.height == nil)
    let marked = try SequenceInformation(text: Array("\u{FEFF}frameRate=7".utf8))
    #expect(marked.frameRate == 7)
    let motion = try CameraMotionFile(text: Array("0\t1\t0\t2\t0\t1\t3\n5 1 .1 0 -.1 1 0".utf8))
    #expect(motion.motions.keys.sorted() == [1, 6])
    let shift = try #require(motion.motions[1])
    #expect(shift(x: 10, y: 10) == (12, 13))
    let turn = try #require(motion.motions[6])
    #expect(turn(x: 10, y: 0) == (10, -1))
  }

  @Test(arguments: [
    "frameRate=0", "frameRate=fast", "seqLength=-1", "imWidth=1.5",
    "seqLength=99999999999999999999",
  ])
  func sequencesMustMakeSense(_ line: String) {
    #expect(throws: EvaluationError.self) {
      try SequenceInformation(text: Array("[Sequence]\n\(line)\n".utf8))
    }
  }

  @Test(arguments: [
    "0 1 0 0 0 1", "0 1 0 0 0 1 0 9", "-1 1 0 0 0 1 0", "0 0 0 0 0 0 0", "0 -1 0 0 0 1 0",
    "0 1 0 0 0 1 0\n0 1 0 0 0 1 0", "0 1 0 1e20 0 1 0", "0 1.011e-308 0.02 -30 0 1 0",
    "0 1e5 0 0 0 1e5 0",
  ])
  func camerasMustMakeSense(_ text: String) {
    #expect(throws: EvaluationError.self) { try CameraMotionFile(text: Array(text.utf8)) }
  }

  @Test func tracksMustBeComparable() throws {
    let one = try file("1,1,0,0,5,5")
    for (text, words) in [
      ("1,1,0,0,5,5\n1,1,9,9,5,5", "two boxes of the identifier 1"),
      ("9,1,0,0,5,5", "has frame 9, but the sequence has 3"),
      ((0...1000).map { "1,\($0),0,0,5,5" }.joined(separator: "\n"), "more than 1000 boxes"),
      ((0...5000).map { "\($0 + 1),\($0),0,0,5,5" }.joined(separator: "\n"), "5000 identifiers"),
    ] {
      let other = try file(text)
      let count = words.hasPrefix("has frame") ? 3 : nil
      for (results, truth) in [(other, one), (one, other)] {
        let error = #expect(throws: EvaluationError.self) {
          try TrackMetrics(results: results, truth: truth, frameCount: count)
        }
        #expect("\(String(describing: error))".contains(words))
      }
    }
  }
}
