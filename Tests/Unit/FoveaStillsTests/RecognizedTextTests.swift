// Fovea - tests of where parts of a text are.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaImaging
import FoveaStills
import Foundation
import Testing

@Suite struct RecognizedTextTests {
  // Of the picture, in pixels.
  private let width = 200.0
  private let height = 160.0

  /// A part of a line of 10 x 1 units of 10 pixels, which is turned clockwise.
  private func part(_ left: Double, _ right: Double, degrees: Double) -> PixelQuad {
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    func point(_ x: Double, _ y: Double) -> SIMD2<Double> {
      SIMD2(100 + 10 * (x * cosine - y * sine), 80 + 10 * (x * sine + y * cosine))
    }
    return PixelQuad(point(left, 0), point(right, 0), point(right, 1), point(left, 1))
  }

  /// "abc de": of the first word characters are known, of the second they are not.
  private func text(degrees: Double) throws -> RecognizedText {
    let characters = ["a", "b", "c"].enumerated().map { index, character in
      ReadLine.Character(
        text: character,
        quad: part(Double(index) * 2, Double(index) * 2 + 1.5, degrees: degrees))
    }
    let line = ReadLine(
      quad: part(0, 10, degrees: degrees),
      words: [
        .init(
          text: "abc", confidence: 0.5, quad: part(0, 5.5, degrees: degrees),
          characters: characters),
        .init(text: "de", confidence: 0.5, quad: part(7, 10, degrees: degrees), characters: []),
      ])
    return try #require(observation(of: line).topCandidates(1).first)
  }

  private func observation(of line: ReadLine) throws -> RecognizedTextObservation {
    let bytes = Int(width) * Int(height) * 3
    let image = try Image(
      width: Int(width), height: Int(height), rgb: [UInt8](repeating: 0, count: bytes))
    return RecognizedTextObservation(line, in: StillPicture(image))
  }

  private func expect(_ found: Quadrilateral?, _ left: Double, _ right: Double, degrees: Double) {
    guard let found else {
      Issue.record("no box of \(left) to \(right)")
      return
    }
    let corners = [found.topLeft, found.topRight, found.bottomRight, found.bottomLeft]
    for (a, b) in zip(corners, part(left, right, degrees: degrees).corners) {
      #expect(abs(a.x * width - b.x) < 1e-6 && abs((1 - a.y) * height - b.y) < 1e-6)
    }
  }

  @Test(arguments: [0.0, 25, -140]) func partsAreFoundAlongTheLine(_ degrees: Double) throws {
    let text = try text(degrees: degrees)
    let string = text.string
    #expect(string == "abc de")
    func range(_ from: Int, _ to: Int) -> Range<String.Index> {
      string.index(
        string.startIndex, offsetBy: from)..<string.index(string.startIndex, offsetBy: to)
    }
    // From, to, and the edges of what is there.
    let parts: [(Int, Int, Double, Double)] = [
      (0, 6, 0, 10), (0, 3, 0, 5.5), (0, 1, 0, 1.5), (1, 3, 2, 5.5), (2, 5, 4, 10), (3, 5, 7, 10),
      (5, 6, 7, 10), (4, 6, 7, 10),
    ]
    for (from, to, left, right) in parts {
      expect(text.boundingBox(for: range(from, to)), left, right, degrees: degrees)
    }
    // Nothing, and a space.
    #expect(text.boundingBox(for: range(2, 2)) == nil)
    #expect(text.boundingBox(for: range(3, 4)) == nil)
  }

  @Test func candidatesAreGivenByFallingConfidence() throws {
    let quad = PixelQuad(x: 1, y: 2, width: 30, height: 5)
    let word = ReadLine.Word(text: "abc", confidence: 0.75, quad: quad, characters: [])
    let line = ReadLine(
      quad: quad, words: [word],
      alternatives: (0..<12).map { .init(text: "abc\($0)", confidence: 0.5 / Double($0 + 1)) })
    #expect(line.text == "abc" && line.confidence == 0.75)
    let observation = try observation(of: line)
    #expect(observation.topCandidates(0).isEmpty && observation.topCandidates(-3).isEmpty)
    #expect(observation.topCandidates(2).map(\.string) == ["abc", "abc0"])
    #expect(observation.topCandidates(100).count == 10)
    // Where the parts of further candidates are is not known.
    let other = observation.topCandidates(2)[1]
    #expect(other.boundingBox(for: other.string.startIndex..<other.string.endIndex) == nil)
    #expect(observation.description == "\"abc\" 75 %")
  }
}
