// Fovea - tests of lines and zones as users write them.
// SPDX-License-Identifier: Apache-2.0
import FoveaTracking
import Testing

@Suite struct CountingTextTests {
  @Test func linesAndZonesAreRead() throws {
    let line = try CountingText("door:120,400,520.5,400").line(ordinal: 1, width: 640, height: 480)
    #expect(line.name == "door")
    #expect(line.start == CountingPoint(x: 120, y: 400))
    #expect(line.end == CountingPoint(x: 520.5, y: 400))
    let half = try CountingText("0, 50%,100%,50%").line(ordinal: 2, width: 640, height: 480)
    #expect(half.name == "line 2")
    #expect(half.start == CountingPoint(x: 0, y: 240) && half.end == CountingPoint(x: 640, y: 240))
    let zone = try CountingText("a:b:0,0,50%,0,0,-10").zone(ordinal: 1, width: 10, height: 10)
    #expect(zone.name == "a:b")
    #expect(
      zone.corners == [
        CountingPoint(x: 0, y: 0), CountingPoint(x: 5, y: 0), CountingPoint(x: 0, y: -10),
      ])
  }

  @Test(arguments: [
    ("", "'' is no number"), ("1,2,3", "3 numbers"), (":1,2,3,4", "name before ':' is empty"),
    ("1,2,x,4", "'x' is no number"), ("1,2,nan,4", "'nan' is no number"),
    ("1,2,1e7,4", "'1e7' is no number"), ("1,2,3,%", "'%' is no number"),
    ("1,2,1,2", "begins where it ends"), ("1,2,3,4,5,6", "3 points; a line has two"),
    ("1,2", "1 points; a line has two"),
  ])
  func wrongLinesAreNamed(_ text: String, _ reason: String) {
    let error = #expect(throws: CountingText.Invalid.self) {
      _ = try CountingText(text).line(ordinal: 1, width: 100, height: 100)
    }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    ("1,2,3,4", "2 points; a zone has at least three"), ("1,1,2,2,3,3,4,4", "on one line"),
    ("5,5,5,5,5,5", "on one line"),
  ])
  func wrongZonesAreNamed(_ text: String, _ reason: String) {
    let error = #expect(throws: CountingText.Invalid.self) {
      _ = try CountingText(text).zone(ordinal: 1, width: 100, height: 100)
    }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func longTextsAreRefused() {
    let corners = Array(repeating: "1,2", count: CountingText.greatestCornerCount + 1)
    for text in [corners.joined(separator: ","), String(repeating: "n", count: 201) + ":1,2,3,4"] {
      #expect(throws: CountingText.Invalid.self) { _ = try CountingText(text) }
    }
  }
}
